package gateway

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/services/gateway/internal/upstream"
)

// UpstreamConfig is where the services are.
type UpstreamConfig struct {
	OrdersURL string `name:"orders-url" env:"ORDERS_URL" help:"Address of the orders service, as http://host:port. Empty: its operations answer 503."`
	ClaimsURL string `name:"claims-url" env:"CLAIMS_URL" help:"Address of the claims service; as above."`
	QnAURL    string `name:"qna-url" env:"QNA_URL" help:"Address of the qna service; as above."`

	Timeout time.Duration `name:"upstream-timeout" env:"UPSTREAM_TIMEOUT" default:"30s" help:"Longest time that a service may take. Operations whose own time-out is shorter keep it."`
}

// errTimeout says that no service could answer in time.
var errTimeout = errors.New("UPSTREAM_TIMEOUT must be positive")

// longest is the most that any operation may take.
func (c *UpstreamConfig) longest() time.Duration { return min(c.Timeout, operation.LongestTimeout()) }

// Validate reports what is wrong with the addresses.
func (c *UpstreamConfig) Validate() error {
	_, err := c.addresses()
	if c.Timeout <= 0 {
		err = errors.Join(errTimeout, err)
	}
	return err
}

// forwarder returns what carries calls to the services, signed.
func (c *Config) forwarder(tel *telemetry.Telemetry) (*upstream.Forwarder, error) {
	addresses, err := c.Upstream.addresses()
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
		Addresses: addresses, Longest: c.Upstream.longest(), DialTLS: secured, Signer: signer, Telemetry: tel,
	}), nil
}

// addresses returns the services that have one.
func (c *UpstreamConfig) addresses() (map[operation.Service]*url.URL, error) {
	settings := []struct {
		upstream operation.Service
		name     string
		value    string
	}{
		{operation.Orders, "ORDERS_URL", c.OrdersURL}, {operation.Claims, "CLAIMS_URL", c.ClaimsURL}, {operation.QnA, "QNA_URL", c.QnAURL},
	}
	addresses := map[operation.Service]*url.URL{}
	var problems []error
	for _, setting := range settings {
		if setting.value == "" {
			continue
		}
		address, err := url.Parse(setting.value)
		if err != nil || !isOrigin(address) {
			problems = append(problems, fmt.Errorf("%s: expected http://host:port without a path", setting.name))
			continue
		}
		addresses[setting.upstream] = address
	}
	return addresses, errors.Join(problems...)
}

// isOrigin admits scheme and host alone. A path would be signed by us and not by what the service sees, and a password
// in an address is a secret in the wrong place.
func isOrigin(address *url.URL) bool {
	return (address.Scheme == "http" || address.Scheme == "https") && address.Host != "" && address.User == nil &&
		(address.Path == "" || address.Path == "/") && address.RawQuery == "" && address.Fragment == ""
}
