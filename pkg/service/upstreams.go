package service

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"sellerapi.dev/pkg/operation"
)

// UpstreamConfig has the addresses of the services that a service calls.
type UpstreamConfig struct {
	Upstreams Upstreams `name:"upstreams" env:"UPSTREAMS" help:"URLs of the services that this one calls, as NAME=http://host:port, separated by commas: of their public ports for the gateway, of their RPC ports for any other. The gateway answers 503 for a service without a URL."`
}

// Validate returns an error if an address is invalid.
func (c *UpstreamConfig) Validate() error {
	_, err := c.Addresses()
	return err
}

// Addresses returns the services that have an address. Errors do not quote addresses.
func (c *UpstreamConfig) Addresses() (map[operation.Service]*url.URL, error) {
	addresses := map[operation.Service]*url.URL{}
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(c.Upstreams)) {
		address, err := url.Parse(c.Upstreams[name])
		if err != nil || !isOrigin(address) {
			problems = append(problems, fmt.Errorf("UPSTREAMS: %s: expected http://host:port without a path", name))
			continue
		}
		addresses[name] = address
	}
	return addresses, errors.Join(problems...)
}

// Upstreams maps names of services to addresses.
type Upstreams map[operation.Service]string

// UnmarshalText parses "orders=http://orders:8080,claims=http://claims:8080".
func (u *Upstreams) UnmarshalText(text []byte) error {
	values, err := readNamed(string(text), append(operation.Services(), operation.Sandbox))
	*u = values
	return err
}

// isOrigin reports whether a URL has only scheme and host. A path would be part of what we sign but not of what the service
// sees, and an address must not contain a password.
func isOrigin(address *url.URL) bool {
	return (address.Scheme == "http" || address.Scheme == "https") && address.Host != "" && address.User == nil &&
		(address.Path == "" || address.Path == "/") && address.RawQuery == "" && address.Fragment == ""
}
