// Package sandbox is the service in which developers of sellers play the other side of the market, in test environments only:
// they place orders, request claims, ask and act as operators, for the seller whose key they have. README.md describes it.
package sandbox

import (
	"errors"
	"fmt"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/trust"
)

// Config holds all settings of the service. It has no database and no RPC port: of LISTEN the address rpc is not used.
type Config struct {
	Service service.Config `embed:""`
	RPC     rpc.Config     `embed:""`

	service.SigningConfig  `embed:""`
	service.UpstreamConfig `embed:""`

	TrustedKeys trust.PublicKeys `name:"trusted-keys" env:"TRUSTED_KEYS" required:"" help:"Public keys of the parties, as PARTY=KEY for gateway and sandbox, separated by commas, each KEY base64 of 32 bytes; a party whose key is being rotated has two."`
	Environment string           `name:"environment" env:"ENVIRONMENT" enum:"live,test" default:"live" help:"Environment: live or test. The service starts only where it is test."`

	// OnReady, when set, is called with the actual addresses once all ports accept; tests listen on port 0.
	OnReady func(service.Addresses) `kong:"-"`
}

// errEnvironment says that the service was started in a live environment.
var errEnvironment = errors.New("ENVIRONMENT must be test: in a live environment there is no sandbox")

// Validate returns an error for a live environment, for a service without an address, and if the own key is not trusted.
func (c *Config) Validate() error {
	if c.Environment != "test" {
		return errEnvironment
	}
	var problems []error
	for _, name := range operation.Services() {
		if c.Upstreams[name] == "" {
			problems = append(problems, fmt.Errorf("UPSTREAMS: %s is missing", name))
		}
	}
	return errors.Join(append(problems, c.CheckTrusted(trust.Sandbox, c.TrustedKeys))...)
}
