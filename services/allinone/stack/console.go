package stack

import (
	"context"
	"errors"
	"net"
	"strconv"

	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/services/console"
)

const consoleName = "console"

// Console describes a partner console.
type Console struct {
	// Port is the preferred port. Any free one is used when it is taken or 0.
	Port int
	// Issuer, ClientID and ClientSecret are of the OpenID provider.
	Issuer, ClientID, ClientSecret string
	// Change, when set, modifies the configuration.
	Change func(*console.Config)
}

// RunningConsole is a partner console.
type RunningConsole struct {
	// URL is its address, MetricsURL that of its metrics page.
	URL, MetricsURL string

	instance *instance
}

// Stop stops the console, before the stack is stopped.
func (c *RunningConsole) Stop() error { return c.instance.stop() }

// StartConsole starts a partner console beside the services and returns when it answers. ctx bounds the start only. A console
// that ends unexpectedly is reported like a service.
func (s *Stack) StartConsole(ctx context.Context, c Console) (*RunningConsole, error) {
	address, err := freeAddress(ctx, c.Port)
	if err != nil {
		return nil, err
	}
	config := s.consoleConfig(c, address)
	if c.Change != nil {
		c.Change(&config)
	}
	i := run(ctx, consoleName, func(ctx context.Context, ready func(service.Addresses)) error {
		config.OnReady = ready
		return console.Run(ctx, config)
	})
	addresses, err := i.addresses(ctx)
	if err != nil {
		return nil, errors.Join(err, i.stop())
	}
	go func() {
		if <-i.ended; i.err != nil {
			select {
			case s.failed <- i.err:
			default: // the stack has failed already
			}
		}
	}()
	return &RunningConsole{
		URL: config.PublicURL, MetricsURL: "http://" + addresses[service.OpsListener] + "/metrics", instance: i,
	}, nil
}

func (s *Stack) consoleConfig(c Console, address string) console.Config {
	p := s.plan
	config := console.Config{
		Service: p.service(), RPC: p.rpc(), Redis: redis.Config{URL: p.RedisURL, ReadTimeout: p.Timeout},
		SigningConfig: p.signs(trust.Console), UpstreamConfig: service.UpstreamConfig{Upstreams: p.rpcURLs},
		PublicURL: "http://" + address, GatewayURL: s.KeysURL, DocsURL: s.GatewayURL,
		OIDC: console.OIDCConfig{
			Issuer: c.Issuer, ClientID: c.ClientID, ClientSecret: secret.New(c.ClientSecret), Timeout: p.Timeout,
		},
	}
	config.Service.Listen.Public = address
	return config
}

// freeAddress returns the address with the preferred port if that is free, else one with a free port: the console has to know the
// address at which browsers reach it before it starts.
func freeAddress(ctx context.Context, preferred int) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(preferred)))
	if err != nil {
		listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", free)
	}
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}
