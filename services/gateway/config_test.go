package gateway_test

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/services/gateway"
)

func parsed(t *testing.T, arguments ...string) (gateway.ClientConfig, error) {
	t.Helper()
	var config gateway.ClientConfig
	parser, err := kong.New(&config)
	require.NoError(t, err)
	_, err = parser.Parse(arguments)
	return config, err
}

// "No limit" is a valid setting and is kept.
func TestClientConfig_noLimit(t *testing.T) {
	t.Parallel()
	for argument, want := range map[string]int{"--rate-refused=0": 0, "--rate-refused=300": 300, "--rate-refused=7": 7} {
		config, err := parsed(t, argument)
		require.NoError(t, err)
		defaults.Fill(&config)
		require.Equal(t, want, *config.Refused)
	}
	require.Equal(t, 300, *defaults.Of[gateway.ClientConfig]().Refused)
}

// An error in a network would make all clients look like one, or accept anyone as a proxy: it is
// reported at the start.
func TestClientConfig_mistakes(t *testing.T) {
	t.Parallel()
	config, err := parsed(t, "--trusted-proxies=10.0.0.0/8,2001:db8::/32")
	require.NoError(t, err)
	require.Len(t, config.TrustedProxies, 2)
	for argument, want := range map[string]string{
		"--trusted-proxies=10.0.0.0": "--trusted-proxies", "--trusted-proxies=10.0.0.0/8,x/1": "--trusted-proxies",
		"--rate-refused=-1": "RATE_REFUSED", "--rate-refused=10001": "RATE_REFUSED",
	} {
		_, err := parsed(t, argument)
		require.ErrorContains(t, err, want)
	}
}

// A published key must never give access to the data of the live system.
func TestKeyConfig_showsNoLiveKey(t *testing.T) {
	t.Parallel()
	for environment, refused := range map[string]bool{"live": true, "test": false} {
		config := gateway.KeyConfig{
			Environment: environment, PerSeller: gateway.KeysPerSeller{Active: 1, Daily: 1},
			ShownFile: "shown.key",
		}
		require.Equal(t, refused, strings.Contains(config.Validate().Error(), "a key may be shown"), environment)
	}
}

// A ceiling that cannot be read must not become one of zero keys, or none at all.
func TestKeysPerSeller_onlyItsForm(t *testing.T) {
	t.Parallel()
	var limits gateway.KeysPerSeller
	require.NoError(t, limits.UnmarshalText([]byte("active=8,daily=20")))
	require.Equal(t, gateway.KeysPerSeller{Active: 8, Daily: 20}, limits)
	require.Equal(t, "active=8,daily=20", limits.String())
	for _, text := range []string{
		"", "8", "active=8", "daily=20,active=8", "active=8,daily=20,", "active=8, daily=20",
		"active=x,daily=20", "active=08,daily=20",
	} {
		require.ErrorContains(t, limits.UnmarshalText([]byte(text)), "KEYS_PER_SELLER", text)
	}
	for _, limits := range []gateway.KeysPerSeller{{Active: 0, Daily: 1}, {Active: 1, Daily: 0}} {
		config := gateway.KeyConfig{Environment: "test", PerSeller: limits}
		require.ErrorContains(t, config.Validate(), "KEYS_PER_SELLER", limits)
	}
}

// A live gateway with a sandbox would let sellers play customers with the data of the live system: it does not start.
func TestConfig_sandboxInTestOnly(t *testing.T) {
	t.Parallel()
	for environment, isLive := range map[string]bool{"live": true, "test": false} {
		var config gateway.Config
		config.Keys.Environment, config.TrustedKeys = environment, trusttest.WithSandbox()
		require.Equal(t, isLive, config.Validate() != nil, environment)
		config.TrustedKeys = trusttest.Keys()
		require.NoError(t, config.Validate())
		config.Upstream.Upstreams = service.Upstreams{operation.Sandbox: "http://sandbox:8080"}
		require.Equal(t, isLive, config.Validate() != nil, environment)
	}
}
