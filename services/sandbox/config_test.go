package sandbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/services/sandbox"
)

func config() sandbox.Config {
	c := sandbox.Config{Environment: "test", TrustedKeys: trusttest.WithSandbox()}
	c.SigningKey, c.Upstreams = trusttest.Key(trust.Sandbox), service.Upstreams{}
	for _, name := range operation.Services() {
		c.Upstreams[name] = "http://" + string(name) + ":8081"
	}
	return c
}

// The service does not start outside of a test environment, without a service that it calls, or with a key that nobody trusts.
func TestConfig_refused(t *testing.T) {
	t.Parallel()
	good := config()
	require.NoError(t, good.Validate())
	for said, change := range map[string]func(*sandbox.Config){
		"ENVIRONMENT":           func(c *sandbox.Config) { c.Environment = "live" },
		"ENVIRONMENT must be":   func(c *sandbox.Config) { c.Environment = "" },
		"UPSTREAMS: qna":        func(c *sandbox.Config) { delete(c.Upstreams, operation.QnA) },
		"SIGNING_KEY":           func(c *sandbox.Config) { c.SigningKey = trusttest.Key(trust.Orders) },
		"trusted keys of sandb": func(c *sandbox.Config) { c.TrustedKeys = trusttest.Keys() },
	} {
		c := config()
		change(&c)
		require.ErrorContains(t, c.Validate(), said)
		require.ErrorContains(t, sandbox.Run(t.Context(), c), said)
	}
}
