package service

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/trust/trusttest"
)

// A live service that trusted a sandbox would take orders and payments that developers made up: it does not start.
func TestBackendConfig_sandboxInTestOnly(t *testing.T) {
	t.Parallel()
	keys, err := secret.NewKeys(make([]byte, secret.MinKeyBytes))
	require.NoError(t, err)
	for environment, isLive := range map[string]bool{"live": true, "": true, "test": false} {
		config := BackendConfig{Environment: environment, CursorKeys: keys}
		config.TrustedKeys = trusttest.WithSandbox()
		require.Equal(t, isLive, config.Validate() != nil, environment)
		config.TrustedKeys = trusttest.Keys()
		require.NoError(t, config.Validate())
	}
}
