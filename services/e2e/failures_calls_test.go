package e2e

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// provocation brings a seller to a state in which a call is refused, and returns the call.
type provocation func(t *testing.T, d *session) stacktest.Call

var provoked = func() map[apierr.Code]provocation {
	all := map[apierr.Code]provocation{}
	for _, some := range []map[apierr.Code]provocation{ofRequests, ofKeys, ofLines, ofClaims, ofInquiries, ofSystem} {
		maps.Copy(all, some)
	}
	return all
}()

func toList(query ...string) provocation {
	return func(_ *testing.T, d *session) stacktest.Call {
		return stacktest.Get(d.seller.Key, "/open/v1/orders", query...)
	}
}

// spoiled ships a new order with a call that spoil makes invalid.
func spoiled(spoil func(t *testing.T, d *session, call *stacktest.Call)) provocation {
	return func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		no, ids := d.place(t)
		call := d.toShip(t, no, shipped(ids...))
		spoil(t, d, &call)
		return call
	}
}

func (d *session) toShip(t *testing.T, orderNo string, request body) stacktest.Call {
	t.Helper()
	return stacktest.PostJSON(t, d.seller.Key, "/open/v1/orders/"+orderNo+"/shipment", request)
}

func wrongParcel(field string, value any) provocation {
	return func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		no, ids := d.place(t)
		return d.toShip(t, no, shipped(ids...).with(field, value))
	}
}

var ofRequests = map[apierr.Code]provocation{
	apierr.ShipmentFieldsRequired:        wrongParcel("tracking_no", " "),
	apierr.ShipmentInputInvalid:          wrongParcel("tracking_no", "612345678901\n"),
	apierr.ShipmentCarrierNotAllowed:     wrongParcel("carrier_name", "CJGLS"),
	apierr.InvalidCursor:                 toList("limit", "100", "cursor", "page2"),
	apierr.StatusChangedFilterIncomplete: toList("status_changed_to", "shipping"),
	apierr.StatusChangedRangeInvalid: toList("status_changed_to", "shipping",
		"status_changed_at_gte", "2026-03-21T00:00:00Z", "status_changed_at_lte", "2026-03-20T00:00:00Z"),
	apierr.ValidationError: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		no, ids := d.place(t)
		return d.toShip(t, no, body{"item_ids": []string{ids[0], ids[0]}, "carrier_name": carrierName, "trackingNo": trackingNo})
	},
	apierr.RouteNotFound: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		return d.on(t, stacktest.NewClaimNo(), "collect_done", nil)
	},
	apierr.MethodNotAllowed: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		no, _ := d.place(t)
		return stacktest.Call{Method: http.MethodDelete, Path: "/open/v1/orders/" + no, Key: d.seller.Key}
	},
	apierr.BodyTooSlow: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		no, _ := d.place(t)
		return stacktest.Post(d.seller.Key, "/open/v1/orders/"+no+"/preparation", `{"item_ids": [`)
	},
	apierr.BodyTooLarge: func(_ *testing.T, d *session) stacktest.Call {
		return answerTo(d.seller.Key, uuid.NewString(), strings.Repeat("가", 1<<20))
	},
	apierr.UnsupportedMediaType: spoiled(func(_ *testing.T, _ *session, call *stacktest.Call) {
		call.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		call.Body = []byte("carrier_name=CJ대한통운&tracking_no=" + trackingNo)
	}),
}

var ofKeys = map[apierr.Code]provocation{
	apierr.APIKeyRequired: func(_ *testing.T, d *session) stacktest.Call {
		call := stacktest.Get("", "/open/v1/orders")
		call.Header = http.Header{"Authorization": {"Bearer " + d.seller.Key}}
		return call
	},
	apierr.InvalidAPIKey: func(*testing.T, *session) stacktest.Call {
		return stacktest.Get("vpk_test_mistyped", "/open/v1/orders")
	},
	apierr.ScopeForbidden: spoiled(func(t *testing.T, d *session, call *stacktest.Call) {
		t.Helper()
		call.Key, _ = d.IssueKey(t, d.seller.ID, "orders:read")
	}),
	apierr.IdempotencyKeyRequired: spoiled(func(_ *testing.T, _ *session,
		call *stacktest.Call,
	) {
		call.Header.Del("Idempotency-Key")
	}),
	apierr.IdempotencyKeyTooLong: spoiled(func(_ *testing.T, _ *session, call *stacktest.Call) {
		call.Header.Set("Idempotency-Key", strings.Repeat("0123456789", 20)+"x")
	}),
	apierr.IdempotencyKeyReused: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		no, ids := d.place(t)
		first := stacktest.PostJSON(t, d.seller.Key, "/open/v1/orders/"+no+"/preparation", of(ids...))
		require.Equal(t, http.StatusOK, d.Do(t, first).Status)
		return d.toShip(t, no, shipped(ids...)).Under(first.Header.Get("Idempotency-Key"))
	},
	apierr.IdempotencyInProgress:    spoiled(func(*testing.T, *session, *stacktest.Call) {}),
	apierr.IdempotencyResultExpired: expired,
}

// lineIn ships, prepares or delivers a line in a state that does not allow it.
func lineIn(state, action string, request func(ids ...string) body,
	change ...func(t *testing.T, d *session, id string),
) provocation {
	return func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		no, ids := d.place(t, stacktest.InState(state))
		for _, one := range change {
			one(t, d, ids[0])
		}
		return stacktest.PostJSON(t, d.seller.Key, "/open/v1/orders/"+no+"/"+action, request(ids...))
	}
}

// waitingExchange makes a line the replacement line of an exchange whose goods have not come back.
func waitingExchange(t *testing.T, d *session, id string) {
	t.Helper()
	d.MakeExchangeLine(t, id, "waiting")
}

var ofLines = map[apierr.Code]provocation{
	apierr.OrderNotFound: func(_ *testing.T, d *session) stacktest.Call {
		return stacktest.Get(d.seller.Key, "/open/v1/orders/"+stacktest.NewOrder(d.seller.ID).GetOrderNo())
	},
	apierr.OrderItemNotFound: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		no, _ := d.place(t)
		return d.toShip(t, no, shipped(d.order(t, no).Items[0].ItemCode))
	},
	apierr.OrderItemNotPreparable:  lineIn("shipping", "preparation", of),
	apierr.OrderItemNotShippable:   lineIn("canceled", "shipment", shipped),
	apierr.OrderItemNotDeliverable: lineIn("paid", "delivery", of),
	apierr.OrderItemHasActiveClaim: lineIn("paid", "shipment", shipped, func(t *testing.T, d *session, id string) {
		t.Helper()
		d.HoldLine(t, id)
	}),
	apierr.ShipmentStateConflict: lineIn("shipping", "shipment", func(ids ...string) body {
		return shipped(ids...).with("tracking_no", "612345678904")
	}),
	apierr.ExchangeItemNotPreparable: lineIn("paid", "preparation", of, waitingExchange),
	apierr.ExchangeItemNotReshipping: lineIn("paid", "shipment", shipped, waitingExchange),
	apierr.OrderBatchError: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		good, goodIDs := d.place(t)
		bad, badIDs := d.place(t)
		poison(t, d.Stack, badIDs[0])
		entries := []body{
			entryOf(good, goodIDs...).with("tracking_no", "612345678904"),
			entryOf(bad, badIDs...).with("tracking_no", "612345678915"),
		}
		return stacktest.PostJSON(t, d.seller.Key, batchPath, body{"items": entries})
	},
}

// frozen performs an action on a claim that an operator has frozen.
func frozen(kind, status, action string) provocation {
	return func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		claim := d.claimIn(t, kind, status)
		stacktest.Must(t, d.Claims.FreezeClaim, &claimsv1.FreezeClaimRequest{
			ClaimNo: claim.ClaimNo, Operator: "kim", Reason: "customer called", Code: "payment_check",
		})
		return d.on(t, claim.ClaimNo, action, requestBody(action))
	}
}

func (d *session) on(t *testing.T, claimNo, action string, request body) stacktest.Call {
	t.Helper()
	call := actOn(t, claimNo, action, request)
	call.Key = d.seller.Key
	return call
}

var ofClaims = map[apierr.Code]provocation{
	apierr.ClaimNotFound: func(_ *testing.T, d *session) stacktest.Call {
		return stacktest.Get(d.seller.Key, "/open/v1/claims/"+stacktest.NewClaimNo())
	},
	apierr.ClaimNotApprovable:  frozen(stacktest.Return, "requested", "approve"),
	apierr.ClaimNotRejectable:  frozen(stacktest.Return, "requested", "reject"),
	apierr.ClaimNotCollectable: frozen(stacktest.Return, "approved", "pickup"),
	apierr.ClaimNotCollectDone: frozen(stacktest.Return, "collecting", "collect-done"),
	apierr.ClaimNotInspectable: frozen(stacktest.Return, "collected", "inspect"),
	apierr.ClaimNotReshippable: frozen(stacktest.Exchange, "reshipping", "reship"),
	apierr.ClaimMemoRequired: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		claim := d.claimIn(t, stacktest.Return, "collected")
		return d.on(t, claim.ClaimNo, "inspect", body{"result": "fail", "memo": " "})
	},
	apierr.IdempotencyUnresolved: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		claim := d.claimIn(t, stacktest.Return, "collecting")
		return d.on(t, claim.ClaimNo, "pickup", otherValues["pickup"])
	},
	apierr.ExchangeItemShipFailed: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		claim, fresh := d.reshippingLine(t)
		d.HoldLine(t, fresh.ItemID)
		return d.on(t, claim.ClaimNo, "reship", requestBody("reship"))
	},
}

var ofInquiries = map[apierr.Code]provocation{
	apierr.QnaNotFound: func(_ *testing.T, d *session) stacktest.Call { return answerTo(d.seller.Key, uuid.NewString(), "네") },
	apierr.QnaAlreadyAnswered: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		id := d.answered(t)
		return answerTo(d.seller.Key, id, "아니요")
	},
	apierr.QnaAnswerUnresolved: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		return answerTo(d.seller.Key, d.answered(t), "네")
	},
}

func (d *session) answered(t *testing.T) string {
	t.Helper()
	asked := stacktest.NewInquiry(d.seller.ID)
	d.Ask(t, asked)
	require.Equal(t, http.StatusOK, d.client.Do(t, answerTo("", asked.GetQnaId(), "네")).Status)
	return asked.GetQnaId()
}
