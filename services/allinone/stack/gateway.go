package stack

import (
	"context"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/gateway"
)

// Gateway is an additional gateway in front of a stack's services.
type Gateway struct {
	// URL is its base URL, and MetricsURL that of its metrics page.
	URL, MetricsURL string

	running *instance
}

// AddGateway starts an additional gateway on the servers and services of the stack. change modifies a copy of the
// settings of the stack's own gateway. ctx bounds the start only; the caller must stop the gateway before the stack.
func (s *Stack) AddGateway(ctx context.Context, change func(*gateway.Config)) (*Gateway, error) {
	config := s.plan.gateway()
	change(&config)
	i := run(ctx, "gateway", func(ctx context.Context, ready func(service.Addresses)) error {
		config.OnReady = ready
		return gateway.Run(ctx, config)
	})
	addresses, err := i.addresses(ctx)
	if err != nil {
		_ = i.stop() // the reason why it did not start is in err
		return nil, err
	}
	metrics := "http://" + addresses[service.OpsListener] + "/metrics"
	return &Gateway{URL: s.plan.url(addresses["public"]), MetricsURL: metrics, running: i}, nil
}

// Stop stops the gateway; requests that it has accepted are still answered.
func (g *Gateway) Stop() error { return g.running.stop() }
