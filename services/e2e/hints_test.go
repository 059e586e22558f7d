package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/e2e/stacktest"
)

// mistake is a call as developers make it who are used to another interface, and the hint that it gets, in both languages.
type mistake struct {
	call            stacktest.Call
	status          int
	code            string
	english, korean string
}

func (d *session) mistakes(t *testing.T) map[string]mistake {
	t.Helper()
	no, ids := d.place(t)
	itemCode := d.order(t, no).Items[0].ItemCode
	to := func(action string, request body) stacktest.Call {
		return stacktest.PostJSON(t, d.seller.Key, "/open/v1/"+action, request)
	}
	parcel := func(carrier, id string) body {
		return body{"item_ids": []string{id}, "carrier_name": carrier, "tracking_no": "612345678904"}
	}
	bearer := stacktest.Get("", "/open/v1/orders")
	bearer.Header = http.Header{"Authorization": {"Bearer " + d.seller.Key}}
	const carrier = "SHIPMENT_CARRIER_NOT_ALLOWED"
	ship := "orders/" + no + "/shipment"
	return map[string]mistake{
		"itemIds": {
			to("orders/"+no+"/preparation", body{"itemIds": ids}), 422, "VALIDATION_ERROR",
			"item_ids is missing (itemIds was sent; the name is item_ids)", "item_ids: 필수 항목입니다(보낸 이름: itemIds, 올바른 이름: item_ids)",
		},
		"PAID": {
			stacktest.Get(d.seller.Key, "/open/v1/orders", "order_status", "PAID"), 422, "VALIDATION_ERROR",
			"did you mean paid?", "paid",
		},
		"CJGLS":   {to(ship, parcel("CJGLS", ids[0])), 422, carrier, "Did you mean CJ대한통운?", "올바른 이름: CJ대한통운."},
		"CJ 대한통운": {to(ship, parcel("CJ 대한통운", ids[0])), 422, carrier, "Did you mean CJ대한통운?", "올바른 이름: CJ대한통운."},
		"collect_done": {
			to("claims/C-1/collect_done", nil), 404, "", "Did you mean POST /open/v1/claims/C-1/collect-done?",
			"POST /open/v1/claims/C-1/collect-done 경로",
		},
		"Bearer": {bearer, 401, "API_KEY_REQUIRED", "Send the key in the header X-Api-Key", "X-Api-Key 헤더로"},
		"item_code": {
			to(ship, parcel("CJ대한통운", itemCode)), 404, "ORDER_ITEM_NOT_FOUND",
			itemCode + " is an item_code; send the item_id of that line.", itemCode + ": item_id가 아니라 item_code입니다.",
		},
		"order_no": {
			to(ship, parcel("CJ대한통운", no)), 404, "ORDER_ITEM_NOT_FOUND", no + " is an order_no",
			no + ": item_id가 아니라 order_no입니다.",
		},
	}
}

// A developer who gets a name wrong reads the right one in the response and does not have to look it up.
func TestHints_sayWhatWasMeant(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for name, made := range d.mistakes(t) {
		for language, want := range map[string]string{"en": made.english, "ko": made.korean} {
			call := made.call
			call.Header = call.Header.Clone()
			if call.Header == nil {
				call.Header = http.Header{}
			}
			call.Header.Set("Accept-Language", language)
			if call.Method == http.MethodPost {
				call = call.Under(uuid.NewString())
			}
			answer := d.Do(t, call)
			stacktest.RequireFailure(t, answer, made.status, made.code)
			require.Contains(t, answer.Meta.Message, want, name)
			require.True(t, strings.HasPrefix(answer.Meta.ErrorData["doc_url"].(string), "/docs/errors"), name)
		}
	}
}

// Every name in the table of names that developers send instead of ours leads to ours.
func TestHints_everyNameOfMembers(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	no, ids := d.place(t)
	aliases := web.OtherNames()
	require.Greater(t, len(aliases), 40)
	for alias, name := range aliases {
		parcel := body{"item_ids": ids, "carrier_name": "CJ대한통운", "tracking_no": "612345678904"}
		entry := body{"order_no": no, "item_ids": ids, "carrier_name": "CJ대한통운", "tracking_no": "612345678904"}
		batch := body{"items": []body{entry}}
		requests := map[string]struct {
			path         string
			request, has body
		}{
			"item_ids": {"orders/" + no + "/shipment", parcel, parcel}, "carrier_name": {"orders/" + no + "/shipment", parcel, parcel},
			"tracking_no": {"orders/" + no + "/shipment", parcel, parcel},
			"items":       {"orders/batch/shipment", batch, batch}, "order_no": {"orders/batch/shipment", batch, entry},
			"content": {path: "qna/" + uuid.NewString() + "/answer"}, "memo": {path: "claims/C-1/reject"},
			"result": {path: "claims/C-1/inspect"},
		}
		made, known := requests[name]
		require.True(t, known, "%s: no call has %s", alias, name)
		if made.has == nil {
			made.has = body{name: "x"}
			made.request = made.has
		}
		made.has[alias] = made.has[name]
		delete(made.has, name)
		answer := d.client.Do(t, stacktest.PostJSON(t, "", "/open/v1/"+made.path, made.request))
		stacktest.RequireFailure(t, answer, http.StatusUnprocessableEntity, "VALIDATION_ERROR")
		require.Contains(t, answer.Meta.Message, name+" is missing ("+alias+" was sent; the name is "+name+")")
	}
}

// Every other name of a carrier leads to the allowed one.
func TestHints_everyNameOfCarriers(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	no, ids := d.place(t)
	aliases := carrier.OtherNames()
	require.Greater(t, len(aliases), 30)
	for alias, name := range aliases {
		answer := d.do(t, "shipment", no, body{"item_ids": ids, "carrier_name": alias, "tracking_no": "612345678904"})
		stacktest.RequireFailure(t, answer, http.StatusUnprocessableEntity, "SHIPMENT_CARRIER_NOT_ALLOWED")
		require.Contains(t, answer.Meta.Message, "Did you mean "+string(name)+"?", alias)
	}
}

// A parcel with a doubtful tracking number can still be checked while it is in transit: the warning stays on its line until then.
func TestHints_doubtsStayUntilDelivery(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	no, ids := d.place(t)
	doubtful := body{"item_ids": ids, "carrier_name": "CJ대한통운", "tracking_no": "123"}
	d.done(t, "shipment", no, doubtful)
	require.Contains(t, d.text(t, no), `"warnings":[{"field":"tracking_no","code":"TRACKING_NO_SUSPICIOUS"`)
	d.done(t, "delivery", no, of(ids...))
	require.NotContains(t, d.text(t, no), "warnings")
}

// The warning in the examples of the contract is the one that the system gives, in both languages.
func TestHints_warningOfTheExamples(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	no, ids := d.place(t)
	d.done(t, "shipment", no, body{"item_ids": ids, "carrier_name": "CJ대한통운", "tracking_no": "612345678905"})
	for language, text := range map[string]string{"en": suspicious.English, "ko": suspicious.Korean} {
		call := stacktest.Get(d.seller.Key, "/open/v1/orders/"+no)
		call.Header = http.Header{"Accept-Language": {language}}
		require.Contains(t, string(d.Raw(t, call).Body), text)
	}
}
