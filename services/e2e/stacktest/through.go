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
	seen, _ := s.ThroughUntil(t, change)
	return seen
}

// ThroughUntil is Through, and returns what stops the gateway before the test ends.
func (s *Stack) ThroughUntil(t *testing.T, change func(*gateway.Config)) (seen *Stack, stop func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	added, err := s.running.AddGateway(ctx, change)
	require.NoError(t, err)
	stop = func() { require.NoError(t, added.Stop()) }
	t.Cleanup(stop)
	other := *s
	other.GatewayURL, other.MetricsURLs = added.URL, map[string]string{"gateway": added.MetricsURL}
	return &other, stop
}
