package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

const batchPath = "/open/v1/orders/batch/shipment"

type shipped struct {
	Succeeded []string `json:"succeeded"`
	Failed    []struct {
		OrderNo            string   `json:"order_no"`
		OrderItemPublicIDs []string `json:"order_item_public_ids"`
		ErrorCode          string   `json:"error_code"`
		Message            string   `json:"message"`
	} `json:"failed"`
	Summary  map[string]int      `json:"summary"`
	Warnings []map[string]string `json:"warnings"`
}

func (a answer) shipped(t *testing.T) shipped {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, a.body)
	var result shipped
	require.NoError(t, json.Unmarshal(a.Data, &result))
	return result
}

func (s shipped) codes() map[string]string {
	codes := map[string]string{}
	for _, failure := range s.Failed {
		codes[failure.OrderNo] = failure.ErrorCode
	}
	return codes
}

func entry(orderNo string, members ...string) string {
	return body(append([]string{fmt.Sprintf(`"order_no":%q`, orderNo)}, members...)...)
}

func batchOf(entries ...string) string { return `{"items":[` + strings.Join(entries, ",") + `]}` }

// shelf returns a fixture with an order of one item for each history, numbered from 1.
func shelf(t *testing.T, histories ...[]order.State) *fixture {
	t.Helper()
	s := setup(t)
	for i, history := range histories {
		placement := ordertest.New(fmt.Sprintf("G-%d", i+1), ordertest.Epoch, s.seller)
		placement.Parts[0].Lines = lines(i+1, history)
		s.place(placement)
	}
	return s
}

// Every code that an entry can fail with, beside entries that succeed; the answer is a success.
func TestShipBatch_200EveryOutcome(t *testing.T) {
	t.Parallel()
	s := shelf(t, nil, []order.State{order.Preparing}, []order.State{order.Shipping}, []order.State{order.Canceled}, nil, nil,
		[]order.State{order.Shipping}, nil)
	s.exec("update lines set has_active_claim = true, claim_no = 'CL-1' where item_id = $1", item(5))
	s.exec("update lines set is_exchange = true, exchange_gate = 'ended' where item_id = $1", item(6))
	a := s.post(batchPath, batchOf(
		entry("G-1", itemIDs(1), parcelOf("CJ대한통운", "690000000011")),
		entry("UNKNOWN", itemIDs(2, 3), goodParcel),
		entry("G-2", itemIDs(2), parcelOf("우체국택배", "612345678901")),
		entry("G-3", itemIDs(3), goodParcel),
		entry("G-4", itemIDs(4), goodParcel),
		entry("G-5", itemIDs(5), goodParcel),
		entry("G-6", itemIDs(6), goodParcel),
		entry("G-7", itemIDs(7), parcelOf("로젠택배", "91234567890")),
		entry("G-8", `"item_ids":["`+item(8).String()+`","no id"]`, goodParcel),
		entry("G-8", itemIDs(8), parcelOf("DHL", "1")),
		entry("G-8", itemIDs(8), parcelOf("한진택배", " ")),
		entry("G-8", itemIDs(8), `"carrier_name":"한진택배","tracking_no":"1\u0007"`),
		entry(strings.Repeat("A", 65), itemIDs(8), goodParcel),
	))
	a.requireGolden(t, "batch_every_outcome")
	require.Equal(t, map[string]int{"succeeded": 3, "failed": 9}, a.shipped(t).Summary)
	require.Empty(t, a.header.Get("Retry-After"))
}

func TestShipBatch_200RepeatedAndReplayed(t *testing.T) {
	t.Parallel()
	s, k := shelf(t, nil, nil), newKey()
	content := batchOf(entry("G-1", itemIDs(1), goodParcel), entry("G-2", itemIDs(2), goodParcel),
		entry("UNKNOWN", itemIDs(2), goodParcel))
	first := s.postWith(batchPath, content, k)
	detail := s.get("/open/v1/orders/G-1").body
	again := s.post(batchPath, content)
	require.Equal(t, first.body, again.body, "the same shipment succeeds")
	require.Equal(t, detail, s.get("/open/v1/orders/G-1").body, "the same shipment changes nothing")

	s.exec("update orders set order_no = 'UNKNOWN' where order_no = 'G-2'")
	replayed := s.postWith(batchPath, content, k)
	require.Equal(t, first.body, replayed.body)
	require.Equal(t, "true", replayed.header.Get("Idempotent-Replayed"))
	k.fingerprint[0]++
	require.Equal(t, "IDEMPOTENCY_KEY_REUSED", s.postWith(batchPath, content, k).code())
}

// An entry succeeds or fails as a whole, and the same order may occur twice: two parcels, in the order of the call.
func TestShipBatch_200TwoParcelsOfOneOrder(t *testing.T) {
	t.Parallel()
	s := setup(t)
	placement := ordertest.New("G-1", ordertest.Epoch, s.seller)
	placement.Parts[0].Lines = lines(1, nil, nil, nil)
	s.place(placement)
	result := s.post(batchPath, batchOf(
		entry("G-1", itemIDs(1), parcelOf("한진택배", "1")),
		entry("G-1", itemIDs(2, 1), parcelOf("한진택배", "2")),
		entry("G-1", itemIDs(3), parcelOf("한진택배", "3")),
	)).shipped(t)
	require.Equal(t, []string{item(1).String(), item(3).String()}, result.Succeeded)
	require.Equal(t, []string{item(2).String(), item(1).String()}, result.Failed[0].OrderItemPublicIDs)
	require.Equal(t, "SHIPMENT_STATE_CONFLICT", result.Failed[0].ErrorCode, "the first entry wins")
	require.Equal(t, []string{"paid"}, s.stateOf(2))
	require.Len(t, result.Warnings, 2)
	require.Equal(t, "items[2].tracking_no", result.Warnings[1]["field"])
}

// Several entries with the same item are decided in turn. It is listed as succeeded once, and counts once in each sum; an entry
// that names it for another parcel fails.
func TestShipBatch_itemInSeveralEntries(t *testing.T) {
	t.Parallel()
	s := shelf(t, nil, nil)
	same := entry("G-1", itemIDs(1), parcelOf("한진택배", "412345678901"))
	upper := entry("G-1", `"item_ids":["`+strings.ToUpper(item(1).String())+`"]`, parcelOf("한진택배", "1"))
	result := s.post(batchPath, batchOf(same, same, upper, entry("G-1", itemIDs(1), parcelOf("한진택배", "2")),
		entry("G-2", itemIDs(2), parcelOf("한진택배", "412345678901")))).shipped(t)
	require.Equal(t, []string{item(1).String(), item(2).String()}, result.Succeeded)
	require.Len(t, result.Failed, 2)
	require.Equal(t, map[string]string{"G-1": "SHIPMENT_STATE_CONFLICT"}, result.codes())
	require.Equal(t, map[string]int{"succeeded": 2, "failed": 1}, result.Summary)
}

// If one order fails with an unexpected error, the others are shipped, and the cause is logged.
func TestShipBatch_200PoisonedEntry(t *testing.T) {
	t.Parallel()
	s := shelf(t, nil, nil, nil)
	s.exec(`create function poison() returns trigger language plpgsql as $$ begin raise exception 'canary'; end $$`)
	s.exec(fmt.Sprintf("create trigger poison before update on lines for each row when (old.item_id = '%s') execute function "+
		"poison()", item(2)))
	a := s.post(batchPath, batchOf(entry("G-1", itemIDs(1), goodParcel), entry("G-2", itemIDs(2), goodParcel),
		entry("G-3", itemIDs(3), goodParcel)))
	result := a.shipped(t)
	require.Equal(t, []string{item(1).String(), item(3).String()}, result.Succeeded)
	require.Equal(t, map[string]string{"G-2": "ORDER_BATCH_ERROR"}, result.codes())
	require.Equal(t, []string{item(2).String()}, result.Failed[0].OrderItemPublicIDs)
	require.NotContains(t, a.body, "canary")
	require.Contains(t, s.get("/open/v1/orders/G-2").body, `"item_status":"paid"`)
}

// A malformed batch is refused as a whole, with the path of the error.
func TestShipBatch_422Form(t *testing.T) {
	t.Parallel()
	s := shelf(t, nil)
	good := entry("G-1", itemIDs(1), goodParcel)
	for name, c := range map[string]struct{ body, field string }{
		"no items":                      {"{}", "items"},
		"empty items":                   {batchOf(), "items"},
		"too many entries":              {batchOf(strings.Split(strings.Repeat(good+"|", 500)+good, "|")...), "items"},
		"entry is a string":             {batchOf(good, `"x"`), "items[1]"},
		"no order number":               {batchOf(good, body(itemIDs(1), goodParcel)), "items[1].order_no"},
		"empty order number":            {batchOf(good, entry("", itemIDs(1), goodParcel)), "items[1].order_no"},
		"order number too long":         {batchOf(good, entry(strings.Repeat("A", 201), itemIDs(1), goodParcel)), "items[1].order_no"},
		"order number is a JSON number": {batchOf(good, body(`"order_no":1`, itemIDs(1), goodParcel)), "items[1].order_no"},
		"empty item_ids":                {batchOf(good, entry("G-1", `"item_ids":[]`, goodParcel)), "items[1].item_ids"},
		"duplicate item ID":             {batchOf(good, entry("G-1", itemIDs(1, 1), goodParcel)), "items[1].item_ids[1]"},
		"no carrier":                    {batchOf(good, entry("G-1", itemIDs(1), `"tracking_no":"1"`)), "items[1].carrier_name"},
		"no tracking number":            {batchOf(good, entry("G-1", itemIDs(1), `"carrier_name":"한진택배"`)), "items[1].tracking_no"},
		"tracking number too long": {
			batchOf(good, entry("G-1", itemIDs(1), parcelOf("한진택배", strings.Repeat("1", 61)))),
			"items[1].tracking_no",
		},
		"company is a JSON number": {
			batchOf(good, entry("G-1", itemIDs(1), parcelOf("한진택배", "1"), `"logistics_company":1`)),
			"items[1].logistics_company",
		},
		"duplicate tracking number": {batchOf(good, entry("G-1", itemIDs(1), goodParcel, `"tracking_no":"1"`)), "tracking_no"},
	} {
		a := s.post(batchPath, c.body)
		require.Equal(t, http.StatusUnprocessableEntity, a.status, "%s: %s", name, a.body)
		require.Equal(t, "VALIDATION_ERROR", a.code(), name)
		require.Contains(t, strings.Join(a.fields(), " "), c.field, name)
	}
	require.Equal(t, []string{"paid"}, s.stateOf(1), "a refused batch has no effect")
}

// A body above four mebibytes is refused; unknown members are ignored below that.
func TestShipBatch_413AboveFourMebibytes(t *testing.T) {
	t.Parallel()
	s := shelf(t, nil)
	filler := `,"note":"` + strings.Repeat("x", 3<<20) + `"}`
	content := strings.TrimSuffix(batchOf(entry("G-1", itemIDs(1), goodParcel)), "}")
	require.Len(t, s.post(batchPath, content+filler).shipped(t).Succeeded, 1, "unknown members are ignored")
	a := s.post(batchPath, content+`,"note":"`+strings.Repeat("x", 4<<20)+`"}`)
	require.Equal(t, http.StatusRequestEntityTooLarge, a.status)
}

func TestShipBatch_200FiveHundredEntries(t *testing.T) {
	t.Parallel()
	s := setup(t)
	placements, entries := make([]order.Placement, 500), make([]string, 500)
	for i := range placements {
		no := fmt.Sprintf("G-%d", i+1)
		placements[i] = ordertest.New(no, ordertest.Epoch, s.seller)
		placements[i].Parts[0].Lines = lines(i+1, nil)
		entries[i] = entry(no, itemIDs(i+1), parcelOf("CJ대한통운", "690000000011"))
	}
	s.place(placements...)
	result := s.post(batchPath, batchOf(entries...)).shipped(t)
	require.Equal(t, map[string]int{"succeeded": 500, "failed": 0}, result.Summary)
	for i, id := range result.Succeeded {
		require.Equal(t, item(i+1).String(), id, "in the order of the call")
	}
	require.Empty(t, s.get("/open/v1/orders?item_status=paid").list(t).List)
	require.Len(t, s.get("/open/v1/orders?item_status=shipping&limit=100").list(t).List, 100)
}

// The messages of failures and warnings are in the language that the client prefers.
func TestShipBatch_messagesInClientLanguage(t *testing.T) {
	t.Parallel()
	s := shelf(t, nil)
	request := s.request(batchPath, batchOf(entry("UNKNOWN", itemIDs(1), goodParcel),
		entry("G-1", itemIDs(1), parcelOf("CJ대한통운", "1"))),
		newKey(), principal.All()...)
	request.Header.Set("Accept-Language", "ko")
	result := s.send(request).shipped(t)
	require.Equal(t, apierr.OrderNotFound.Message(apierr.Korean), result.Failed[0].Message)
	require.Equal(t, "이 택배사의 송장번호는 10자리 또는 12자리입니다.", result.Warnings[0]["message"])
}
