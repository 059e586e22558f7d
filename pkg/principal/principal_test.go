package principal_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
)

// A handler that needs a principal does not run without authentication.
func TestMustFromContext_unauthenticatedPanics(t *testing.T) {
	t.Parallel()
	_, ok := principal.FromContext(context.WithoutCancel(t.Context()))
	require.False(t, ok)
	require.Panics(t, func() { principal.MustFromContext(t.Context()) })
}

// A principal has the scopes that were granted and no others.
func TestHas_onlyGrantedScopes(t *testing.T) {
	t.Parallel()
	for _, granted := range principal.All() {
		p := principal.Principal{Scopes: []principal.Scope{granted}}
		for _, asked := range principal.All() {
			require.Equal(t, asked == granted, p.Has(asked))
		}
		require.True(t, granted.Known())
	}
	require.True(t, principal.Sandbox.Known())
	require.NotContains(t, principal.All(), principal.Sandbox)
	require.False(t, principal.Scope("orders").Known())
	require.False(t, principal.Scope("").Known())
}

// A caller that changes the returned list of scopes does not change the known ones.
func TestScopes_immutableFromOutside(t *testing.T) {
	t.Parallel()
	principal.All()[0] = "changed"
	require.Equal(t, []principal.Scope{
		"orders:read", "orders:write", "claims:read", "claims:write", "qna:read",
		"qna:write",
	}, principal.All())
}

func TestInternalHeaders_includeSignedHeader(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"X-Seller-Principal", "X-Inbox", "X-Rows", "X-Seller-Clock"}, principaltest.InternalHeaders())
	require.Contains(t, principaltest.InternalHeaders(), principal.Header)
}
