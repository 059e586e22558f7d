package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

// What is refused is not counted, so anyone who may not call must not make the border compare large bodies either. For those who
// may, nothing is different.
func TestALargeBodyIsComparedOnlyForACallThatIsAdmitted(t *testing.T) {
	t.Parallel()
	limits := published
	limits.Process = 3
	b, o := owned(t, setting{limits: limits}, inbox.Config{}, nil)
	key, text := b.key(t)
	filling := strings.Repeat("x", 100<<10)
	body := `{"item_ids":["a"],"filling":"` + filling + `"}`
	path := prepare(ownertest.Success)
	first := b.post(t, text, "key", path, body)
	require.Equal(t, "2", leftIn(first).remaining, "counted once")
	replayed(t, first, b.post(t, text, "key", path, `{"filling":"`+filling+`", "item_ids":["\u0061"]}`))
	refused(t, b.post(t, text, "key", path, strings.Replace(body, `"a"`, `"b"`, 1)), http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
	refused(t, b.post(t, text, "other", path, body), http.StatusTooManyRequests, "RATE_LIMITED")
	_, err := b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: b.seller, KeyID: key.ID, Author: kim})
	require.NoError(t, err)
	refused(t, b.post(t, text, "other", path, body), http.StatusUnauthorized, "INVALID_API_KEY")

	_, text = b.key(t)
	require.NotEqual(t, effectIn(t, first), effectIn(t, b.post(t, text, "other", path, body)), "what was refused held no key")
	require.Equal(t, 2, o.effects(t))
}
