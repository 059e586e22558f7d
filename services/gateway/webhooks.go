package gateway

import (
	"connectrpc.com/connect"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/keysrpc"
	"sellerapi.dev/services/gateway/internal/store"
	"sellerapi.dev/services/gateway/internal/webhook"
	"sellerapi.dev/services/gateway/internal/webhooksrpc"
)

// serveWebhooks adds the webhook RPCs and the deliveries to the service, if they are enabled.
func (c *Config) serveWebhooks(s *service.Shell, kept *store.Store) error {
	if !c.Webhooks.Enabled {
		return nil
	}
	clocks, err := c.clocks(s)
	if err != nil {
		return err
	}
	services := webhook.Services{}
	for name, last := range clocks {
		services[name] = webhook.AskClocks(last)
	}
	_, vault, err := c.Keys.Open()
	if err != nil {
		return err
	}
	addresses := webhook.Addresses{Loopback: c.Webhooks.Loopback}
	sender := webhook.NewSender(addresses)
	record := keysrpc.NewRecorder(kept.RecordRefusal, s.Telemetry.Logger)
	handler := webhooksrpc.New(webhook.NewHooks(kept, vault, services, sender), addresses)
	s.RPC(gatewayv1connect.NewWebhooksHandler(handler, s.RPCOptions(record), connect.WithReadMaxBytes(keysrpc.MaxMessageBytes)))
	deliverer := webhook.NewDeliverer(kept, vault, services, sender, s.Telemetry)
	s.Background(deliverer.Keep)
	s.Background(sweep.New(kept.SweepDeliveries(), s.Telemetry).Keep)
	s.Background(sweep.New(kept.MeasureWebhooks(s.Telemetry), s.Telemetry).Keep)
	return deliverer.Observe()
}
