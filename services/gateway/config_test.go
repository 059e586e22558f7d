package gateway_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/service"
)

// A rolling restart breaks nothing off, however long it takes.
func TestConfig_shutdownOutlastsOperations(t *testing.T) {
	t.Parallel()
	require.Greater(t, defaults.Of[service.Config]().ShutdownTimeout, operation.LongestTimeout())
}
