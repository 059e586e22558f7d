package stacktest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/gateway"
)

// Through starts another gateway in front of the same services, with other settings, and returns the system as seen through it.
func (s *Stack) Through(t *testing.T, change func(*gateway.Config)) *Stack {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	added, err := s.running.AddGateway(ctx, change)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, added.Stop()) })
	seen := *s
	seen.GatewayURL = added.URL
	return &seen
}
