//go:build citus

package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/store"
)

// Every statement of a request runs on one node of a distributed database.
func TestShards_everyStatement(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, store.Migrations())
	pool, recorder := db.Recorded(t)
	b := setupOn(t, db, pool)
	request := b.request()
	key, text, err := b.keys.Issue(t.Context(), request)
	require.NoError(t, err)
	b.find(t, text)
	active, err := b.store.ListActiveKeys(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, active, 1)
	view := apikey.ViewRequest{SellerID: b.seller, KeyID: key.ID, Author: kim}
	_, err = b.keys.List(t.Context(), view)
	require.NoError(t, err)
	_, err = b.keys.Reveal(t.Context(), view)
	require.NoError(t, err)
	b.revoke(t, key)
	require.Len(t, b.unpublished(t), 1)
	require.NoError(t, b.store.MarkPublished(t.Context(), b.seller, key.ID))
	published, err := b.store.PublishedWithin(t.Context(), time.Hour)
	require.NoError(t, err)
	require.Len(t, published, 1)
	require.NoError(t, b.store.RecordRefusal(t.Context(),
		audit.Refusal{Author: kim, Action: audit.Revealed, Cause: audit.KeyUnknown, SellerID: &b.seller}))
	for _, err := range b.store.Trail(t.Context(), 0) {
		require.NoError(t, err)
	}
	// Not walked through yet: the statements of webhooks.
	names := slices.DeleteFunc(store.QueryNames(), func(name string) bool {
		return strings.Contains(name, "Webhook") || strings.HasSuffix(name, "Deliveries")
	})
	distributedtest.RequireOneShard(t, store.Migrations(), recorder, names, map[string]distributedtest.Spread{
		"ListActiveKeys":             {Reason: "a gateway reads the keys of all sellers once, when it starts"},
		"ListUnpublishedRevocations": {Reason: "what a gateway looks for by itself is on every node"},
		"ListPublishedRevocations":   {Reason: "what a gateway looks for by itself is on every node"},
	})
}
