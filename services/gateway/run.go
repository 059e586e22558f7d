// Package gateway is the entry point of the Seller Open API: it authenticates the key of a request, decides whether the key may
// call the operation, and forwards the request to the service that owns it. It also owns sellers and their API keys. README.md
// describes what it owns and where to look.
package gateway

import (
	"context"
	"errors"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/gateway/internal/callers"
	"sellerapi.dev/services/gateway/internal/connections"
	"sellerapi.dev/services/gateway/internal/rest"
	"sellerapi.dev/services/gateway/internal/revocation"
	"sellerapi.dev/services/gateway/internal/store"
)

const name = "gateway"

// Run serves until ctx ends. An error is the reason why the service could not start or had to stop.
func Run(ctx context.Context, config Config) error {
	return service.Run(ctx, name, &config, func(s *service.Shell) error {
		kept := store.New(s.Pool)
		admitter, err := config.admitter(ctx, s)
		if err != nil {
			return err
		}
		publisher := revocation.New(admitter, kept, s.Telemetry.Logger)
		s.Background(publisher.Keep)
		forwarder, err := config.forwarder(s.Telemetry)
		if err != nil {
			return err
		}
		s.OnClose(forwarder.Close)
		verifier, err := config.serveKeys(s, kept, publisher.Publish)
		if err != nil {
			return err
		}
		board := &callers.Board{}
		options := rest.Options{
			Verifier: verifier, Admitter: admitter, Forwarder: forwarder, Telemetry: s.Telemetry, Callers: board,
			BodyMemory:   config.Bodies.MemoryMiB << 20,
			Site:         config.site(),
			RefusedCalls: *config.Clients.Refused, TrustedProxies: config.Clients.TrustedProxies,
		}
		s.Public(rest.New(options)) //nolint:contextcheck // its requests have their own contexts
		s.PublicConnections(connections.New(config.Clients.Connections, config.Clients.TrustedProxies, s.Telemetry).State)
		return errors.Join(board.Observe(s.Telemetry), admitter.Observe(s.Telemetry))
	})
}
