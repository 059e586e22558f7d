package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

const replayedHeader = "Idempotent-Replayed"

// A repetition gets the first response again, byte for byte, whatever has happened to the order since.
func TestIdempotencyKey_repetitionGetsFirstAnswer(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, single := range singleCalls {
		orderNo, ids := d.place(t, stacktest.InState(single.from))
		call := stacktest.PostJSON(t, "", "/open/v1/orders/"+orderNo+"/"+single.action, single.body(ids...))
		first := d.client.Do(t, call)
		require.Empty(t, first.Header.Get(replayedHeader))
		require.False(t, stacktest.RequireOK[stacktest.Result](t, first).Items[0].AlreadyDone)
		_, err := d.correct(t, orderNo, ids[0], single.from, nil, act())
		require.NoError(t, err)
		before := d.text(t, orderNo)
		again := d.client.Do(t, call)
		require.Equal(t, "true", again.Header.Get(replayedHeader), single.action)
		require.Equal(t, string(first.Body), string(again.Body), "already_done is still false")
		require.Equal(t, before, d.text(t, orderNo), "nothing is done twice")
	}
}

// Refusals that were decided are stored; refusals of an invalid request are not, and the key can be used again.
func TestIdempotencyKey_decidedRefusalsKept(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t)
	path := "/open/v1/orders/" + orderNo
	for code, call := range map[string]stacktest.Call{
		"ORDER_ITEM_NOT_DELIVERABLE": stacktest.PostJSON(t, "", path+"/delivery", of(ids...)),
		"ORDER_ITEM_NOT_FOUND":       stacktest.PostJSON(t, "", path+"/delivery", of("x")),
		"ORDER_NOT_FOUND":            stacktest.PostJSON(t, "", "/open/v1/orders/T0/delivery", of("x")),
	} {
		first, again := d.client.Do(t, fixed(call)), d.client.Do(t, fixed(call))
		require.Equal(t, code, first.Code())
		require.Equal(t, string(first.Body), string(again.Body))
		require.Equal(t, "true", again.Header.Get(replayedHeader), code)
	}
	for code, request := range map[string]body{
		"VALIDATION_ERROR": of(), "SHIPMENT_CARRIER_NOT_ALLOWED": shipped(ids...).with("carrier_name", ""),
		"SHIPMENT_FIELDS_REQUIRED": shipped(ids...).with("tracking_no", ""),
		"SHIPMENT_INPUT_INVALID":   shipped(ids...).with("tracking_no", "\u0007"),
	} {
		call := stacktest.PostJSON(t, "", path+"/shipment", request)
		require.Equal(t, code, d.client.Do(t, call).Code())
		again := d.client.Do(t, call)
		require.Equal(t, code, again.Code())
		require.Empty(t, again.Header.Get(replayedHeader), code)
		better := stacktest.PostJSON(t, "", path+"/shipment", shipped(ids...))
		better.Header = call.Header
		require.Equal(t, http.StatusOK, d.client.Do(t, better).Status, "the key of %s is good for another content", code)
	}
}

// A key belongs to the seller: another API key of the seller gets the first response too, another seller does
// not.
func TestIdempotencyKey_sharedByAPIKeys(t *testing.T) {
	t.Parallel()
	d, other := openSession(t), openSession(t)
	orderNo, ids := d.place(t, stacktest.With(other.seller.ID))
	call := stacktest.PostJSON(t, d.seller.Key, "/open/v1/orders/"+orderNo+"/preparation", of(ids...))
	first := d.Do(t, call)
	require.Equal(t, http.StatusOK, first.Status)
	call.Key, _ = d.IssueKey(t, d.seller.ID)
	require.Equal(t, string(first.Body), string(d.Do(t, call).Body))
	call.Key = other.seller.Key
	stacktest.RequireFailure(t, d.Do(t, call), http.StatusNotFound, "ORDER_ITEM_NOT_FOUND")
}
