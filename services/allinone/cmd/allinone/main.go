// Command allinone runs the whole system on one machine: `allinone up`, which is `make up`, and what works on its data.
package main

import (
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/allinone/up"
)

func main() {
	service.Main("allinone", &struct {
		Up    up.Command      `cmd:"" help:"Run the whole system until Ctrl-C."`
		Fill  up.FillCommand  `cmd:"" help:"Add orders and claims to the running system."`
		Clean up.CleanCommand `cmd:"" help:"Delete all data of the run directory."`
	}{})
}
