package gateway

import (
	"errors"
	"fmt"
	"time"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/services/gateway/internal/upstream"
)

// UpstreamConfig holds the addresses of the services and the timeout of their calls.
type UpstreamConfig struct {
	service.UpstreamConfig `embed:""`

	Timeout time.Duration `name:"upstream-timeout" env:"UPSTREAM_TIMEOUT" default:"30s" help:"Maximum time for a response of a service. Operations with a shorter timeout keep it."`
}

// errTimeout says that the timeout is not positive.
var errTimeout = errors.New("UPSTREAM_TIMEOUT must be positive")

// maxTimeout returns the longest time that any operation may take.
func (c *UpstreamConfig) maxTimeout() time.Duration { return min(c.Timeout, operation.MaxTimeout()) }

// Validate returns an error for invalid settings.
func (c *UpstreamConfig) Validate() error {
	err := c.UpstreamConfig.Validate()
	if c.Timeout <= 0 {
		err = errors.Join(errTimeout, err)
	}
	return err
}

// forwarder returns the Forwarder that sends signed calls to the services.
func (c *Config) forwarder(tel *telemetry.Telemetry) (*upstream.Forwarder, error) {
	addresses, err := c.Upstream.Addresses()
	if err != nil {
		return nil, err
	}
	if err := c.CheckTrusted(trust.Gateway, c.TrustedKeys); err != nil {
		return nil, err
	}
	signer, err := principal.NewSigner(c.SigningKey, c.TrustedKeys)
	if err != nil {
		return nil, fmt.Errorf("TRUSTED_KEYS: %w", err)
	}
	secured, err := c.RPC.TLS.Dialer(upstream.NewDialer(), tel.Logger)
	if err != nil {
		return nil, err
	}
	return upstream.New(upstream.Options{
		Addresses: addresses, Longest: c.Upstream.maxTimeout(), DialTLS: secured, Signer: signer, Telemetry: tel,
	}), nil
}
