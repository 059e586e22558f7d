package stack

import (
	"context"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/gateway"
)

// Gateway is one more gateway in front of a stack's services.
type Gateway struct {
	// URL is its base URL.
	URL string

	running *instance
}

// AddGateway starts one more gateway on what the stack runs on. change makes its settings out of those of the stack's
// own gateway. ctx bounds the start only; the caller stops it, before the stack.
func (s *Stack) AddGateway(ctx context.Context, change func(*gateway.Config)) (*Gateway, error) {
	config := s.plan.gateway()
	change(&config)
	i := run(ctx, "gateway", func(ctx context.Context, ready func(service.Addresses)) error {
		config.OnReady = ready
		return gateway.Run(ctx, config)
	})
	addresses, err := i.addresses(ctx)
	if err != nil {
		_ = i.stop() // why it did not start is told already
		return nil, err
	}
	return &Gateway{URL: s.plan.url(addresses["public"]), running: i}, nil
}

// Stop ends the gateway; what it has accepted is still answered.
func (g *Gateway) Stop() error { return g.running.stop() }
