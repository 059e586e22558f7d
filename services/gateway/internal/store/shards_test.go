//go:build citus

package store_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/requestlog"
	"sellerapi.dev/services/gateway/internal/store"
	"sellerapi.dev/services/gateway/internal/webhook"
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
	b.walkWebhooks(t)
	b.walkRequests(t, key.ID)
	distributedtest.RequireOneShard(t, store.Migrations(), recorder, store.QueryNames(), map[string]distributedtest.Spread{
		"ListActiveKeys":             {Reason: "a gateway reads the keys of all sellers once, when it starts"},
		"ListUnpublishedRevocations": {Reason: "what a gateway looks for by itself is on every node"},
		"ListPublishedRevocations":   {Reason: "what a gateway looks for by itself is on every node"},
		"ListDueWebhooks":            distributedtest.Swept("webhooks_due"),
		"ListOldDeliveries":          distributedtest.Swept("webhook_deliveries_age"),
		"LocateRequest":              {Reason: "support knows the request id of a call, and not its seller"},
		"CountPausedWebhooks":        {Reason: "a metric counts the webhooks of all sellers"},
	})
}

// walkWebhooks executes every statement about webhooks.
func (b *fixture) walkWebhooks(t *testing.T) {
	t.Helper()
	hook, err := b.store.AddWebhook(t.Context(), webhook.AddRequest{
		SellerID: b.seller, URL: "https://erp.example.com/hook", Author: kim, RequestID: uuid.New(),
	}, uuid.New(), []byte("sealed"), webhook.Clocks{})
	require.NoError(t, err)
	request := webhook.Request{SellerID: b.seller, ID: hook.ID, Author: kim, RequestID: uuid.New()}
	_, err = b.store.ListWebhooks(t.Context(), request)
	require.NoError(t, err)
	_, err = b.store.RotateWebhook(t.Context(), request, []byte("sealed"), time.Hour)
	require.NoError(t, err)
	_, err = b.store.PauseWebhook(t.Context(), request)
	require.NoError(t, err)
	claimed, err := b.store.ClaimWebhookForTest(t.Context(), request, time.Minute)
	require.NoError(t, err)
	delivered := webhook.Delivery{ID: uuid.New(), Type: "lists.moved"}
	_, err = b.store.RecordTest(t.Context(), claimed, delivered)
	require.NoError(t, err)
	_, err = b.store.ResumeWebhook(t.Context(), request)
	require.NoError(t, err)
	claim := func() webhook.Claimed {
		due, err := b.store.DueWebhooks(t.Context(), uuid.Nil, 10)
		require.NoError(t, err)
		require.Len(t, due, 1)
		claimed, ok, err := b.store.ClaimWebhook(t.Context(), due[0], time.Minute)
		require.NoError(t, err)
		require.True(t, ok)
		return claimed
	}
	delivered.ID = uuid.New()
	require.NoError(t, b.store.SettleWebhook(t.Context(), claim(), delivered, webhook.Clocks{Orders: 1}, 0))
	delivered.ID = uuid.New()
	_, err = b.store.PostponeWebhook(t.Context(), claim(), delivered, webhook.BackOff{Jitter: 1})
	require.NoError(t, err)
	shown, err := b.store.ListWebhookDeliveries(t.Context(), request, uuid.Max, 10)
	require.NoError(t, err)
	require.Len(t, shown, 3)
	_, err = b.db.Pool.Exec(t.Context(), "update webhook_deliveries set at = at - interval '8 days' where seller_id = $1", b.seller)
	require.NoError(t, err)
	tel := telemetrytest.ForTest(t)
	for _, s := range []sweep.Sweep{b.store.SweepDeliveries(), b.store.MeasureWebhooks(tel)} {
		_, err := sweep.New(s, tel).Once(t.Context())
		require.NoError(t, err)
	}
	require.NoError(t, b.store.RemoveWebhook(t.Context(), request))
}

// walkRequests executes every statement about the request log.
func (b *fixture) walkRequests(t *testing.T, key uuid.UUID) {
	t.Helper()
	at := time.Now().Add(-40 * 24 * time.Hour).UTC().Truncate(time.Microsecond)
	entry := requestlog.Entry{
		SellerID: b.seller, At: at, ID: requestlog.IDAt(at, 1), KeyID: key, Operation: "list_orders", Status: 200,
		RequestID: "r", Client: netip.MustParseAddr("192.0.2.1"),
	}
	require.NoError(t, b.store.WriteRequests(t.Context(), []requestlog.Entry{entry}))
	for _, filter := range []requestlog.Filter{
		{},
		{RequestID: "r"},
		{Record: "T1"},
		{Code: "INVALID_CURSOR"},
		{KeyPrefix: "vpk_test_abc"},
		{KeyID: key, Operation: "list_orders", Status: 200},
	} {
		_, err := b.store.ListRequests(t.Context(), b.seller, filter, nil, 10)
		require.NoError(t, err)
	}
	_, _, found, err := b.store.LocateRequest(t.Context(), "r")
	require.NoError(t, err)
	require.True(t, found)
	_, err = b.store.CountRequests(t.Context(), b.seller, at, at.Add(time.Hour))
	require.NoError(t, err)
	_, err = b.store.LastUses(t.Context(), b.seller)
	require.NoError(t, err)
	tel := telemetrytest.ForTest(t)
	_, err = sweep.New(b.store.RequestDays(requestlog.Limits{Days: 14}, tel), tel).Once(t.Context())
	require.NoError(t, err)
}
