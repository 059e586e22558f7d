package stacktest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/identity"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/console"
)

// Console is a partner console of a running system.
type Console struct {
	*Stack
	// URL is its address, MetricsURL that of its metrics page, People the OpenID provider at which people sign in.
	URL, MetricsURL string
	People          *identity.Provider
}

// Console starts a partner console with a provider of its own, and stops both at the end of the test; change, unless nil,
// modifies its configuration.
func (s *Stack) Console(t *testing.T, change func(*console.Config)) *Console {
	t.Helper()
	people, err := identity.Start(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = people.Stop() }) // the test may have stopped it
	running, err := s.running.StartConsole(t.Context(), stack.Console{
		Issuer: people.OIDC.Issuer(), ClientID: people.OIDC.ClientID, ClientSecret: people.OIDC.ClientSecret, Change: change,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, running.Stop()) })
	return &Console{Stack: s, URL: running.URL, MetricsURL: running.MetricsURL, People: people}
}
