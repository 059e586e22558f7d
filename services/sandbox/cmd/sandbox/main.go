// Command sandbox runs the sandbox of a test environment: sandbox serve, sandbox version.
package main

import (
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/sandbox"
)

func main() {
	service.RelaxCollector()
	service.Main("sandbox", &struct {
		Serve service.Command[sandbox.Config] `cmd:"" help:"Run the service."`
	}{service.NewCommand(sandbox.Run)})
}
