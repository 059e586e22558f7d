// Command console runs the partner console: console serve, console version.
package main

import (
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/console"
)

func main() {
	service.RelaxCollector()
	service.Main("console", &struct {
		Serve service.Command[console.Config] `cmd:"" help:"Run the service."`
	}{service.NewCommand(console.Run)})
}
