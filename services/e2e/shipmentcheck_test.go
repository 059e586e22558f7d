package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

const checkPath = batchPath + "/check"

// A check answers what the batch then answers, entry by entry, and changes nothing: no order, no clock, no idempotency key.
func TestCheckBatch_answersAsBatch(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	fine, fineIDs := d.place(t, lines(2))
	held, heldIDs := d.place(t)
	d.HoldLine(t, heldIDs[0])
	sent, sentIDs := d.place(t, stacktest.InState("shipping"))
	entries := body{"items": []body{
		entryOf(fine, fineIDs[0]).with("tracking_no", "612345678905"), entryOf(fine, fineIDs...), entryOf(fine, fineIDs[1]),
		entryOf(held, heldIDs...), entryOf(sent, sentIDs...).with("tracking_no", "1"), entryOf("T0", "x"),
		entryOf(fine, fineIDs[1]).with("carrier_name", "DHL"),
	}}
	before, listed := d.text(t, fine), d.client.Do(t, stacktest.Get("", "/open/v1/orders"))
	key := uuid.NewString()
	checked := d.client.Do(t, stacktest.PostJSON(t, "", checkPath, entries).Under(key))
	require.Equal(t, http.StatusOK, checked.Status, string(checked.Body))
	require.Equal(t, before, d.text(t, fine))
	require.Equal(t, listed.Body, d.client.Do(t, stacktest.Get("", "/open/v1/orders")).Body)

	shipped := d.client.Do(t, stacktest.PostJSON(t, "", batchPath, entries).Under(key))
	require.Equal(t, shipped.Body, checked.Body)
	require.Empty(t, shipped.Header.Get(replayedHeader), "the check has not used the key")
	require.NotEmpty(t, stacktest.RequireOK[stacktest.BatchResult](t, shipped).Succeeded)
}

// The header Idempotency-Key is ignored: none, one that is too long, one that was used for something else.
func TestCheckBatch_ignoresKey(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	no, ids := d.place(t)
	used := uuid.NewString()
	require.Equal(t, http.StatusOK, d.client.Do(t, d.toShip(t, no, shipped(ids...)).Under(used)).Status)
	for _, key := range []string{"", used, strings.Repeat("k", 201)} {
		call := stacktest.PostJSON(t, "", checkPath, body{"items": []body{entryOf(no, ids...)}}).Under(key)
		if key == "" {
			call.Header.Del("Idempotency-Key")
		}
		result := stacktest.RequireOK[stacktest.BatchResult](t, d.client.Do(t, call))
		require.Equal(t, ids, result.Succeeded)
	}
}
