// Command gateway runs the gateway (serve, migrate, version) and is the operator's tool for sellers and keys (keys,
// keyset, token).
package main

import (
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/gateway"
)

func main() {
	service.Main("gateway", gateway.NewCommands())
}
