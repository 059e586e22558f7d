package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/cli"
	sellerapi "sellerapi.dev/proto/clients/go"
)

// correctable is a market that corrects the parcels of an order, unless the order is refused, and the requests that it got.
func correctable(t *testing.T, order *sellerapi.Order, refused http.HandlerFunc) (*terminal, *[]sellerapi.ShipmentRequest) {
	t.Helper()
	m, w := newMarket(t)
	m.orders[order.OrderNo] = order
	sent, before := &[]sellerapi.ShipmentRequest{}, m.Config.Handler
	m.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/open/v1/orders/"+order.OrderNo+"/shipment/correction" {
			before.ServeHTTP(w, r)
			return
		}
		var request sellerapi.ShipmentRequest
		if json.NewDecoder(r.Body).Decode(&request) != nil || r.Header.Get("Idempotency-Key") == "" {
			t.Errorf("not a call that corrects a parcel")
		}
		if *sent = append(*sent, request); refused != nil {
			refused(w, r)
			return
		}
		result := sellerapi.ShipmentResult{OrderNo: order.OrderNo}
		for i := range order.Items {
			if item := &order.Items[i]; item.TrackingNo != nil {
				one := sellerapi.ShippedItem{ItemID: item.ItemID, AlreadyDone: *item.TrackingNo == request.TrackingNo}
				parcelled(item, string(request.CarrierName), request.TrackingNo)
				result.Items = append(result.Items, one)
			}
		}
		data, _ := json.Marshal(result)
		answer(string(data))(w, r)
	})
	return w, sent
}

// inParcels is an order whose items are on their way in these parcels; an item without one is paid.
func inParcels(numbers ...string) *sellerapi.Order {
	order := &sellerapi.Order{OrderNo: "A-1"}
	for i, number := range numbers {
		item := sellerapi.OrderItem{
			ItemID: fmt.Sprintf("i-%d", i+1), ItemCode: fmt.Sprintf("A-1-%02d", i+1), ItemStatus: sellerapi.ItemPaid,
		}
		if number != "" {
			item.ItemStatus = sellerapi.ItemShipping
			parcelled(&item, "CJ대한통운", number)
		}
		order.Items = append(order.Items, item)
	}
	return order
}

const (
	parcelBefore = "612345678904"
	parcelAfter  = "612345678915"
)

// What is on its way comes into the other parcel, with the carrier that it has; a dry run sends nothing, and the same command
// again changes nothing.
func TestCorrect_parcelOfOrder(t *testing.T) {
	t.Parallel()
	w, sent := correctable(t, inParcels(parcelBefore, parcelBefore, ""), nil)
	said := w.runs(cli.ExitDone, "correct", "A-1", "6123-4567-8915", "--dry-run")
	require.Regexp(t, `A-1-02 +│ CJ대한통운 +│ 612345678904 +│ CJ대한통운 +│ 612345678915 +│ ready`, said)
	require.NotContains(t, said, "A-1-03")
	require.Empty(t, *sent)
	require.Regexp(t, `A-1-01 .* corrected`, w.runs(cli.ExitDone, "correct", "A-1", "6123-4567-8915"))
	require.Equal(t, []sellerapi.ShipmentRequest{
		{ItemIDs: []string{"i-1", "i-2"}, CarrierName: "CJ대한통운", TrackingNo: parcelAfter},
	}, *sent)
	require.Regexp(t, `A-1-01 .* already_done`, w.runs(cli.ExitDone, "correct", "A-1", "6123-4567-8915"))
}

// Programs read the outcome of each item: a line of JSON with every member, or CSV.
func TestCorrect_forPrograms(t *testing.T) {
	t.Parallel()
	w, _ := correctable(t, inParcels(parcelBefore), nil)
	require.JSONEq(t, `{"order_no": "A-1", "item_id": "i-1", "item_code": "A-1-01", "carrier_was": "CJ대한통운", "tracking_no_was":
		"612345678904", "carrier_name": "한진택배", "tracking_no": "412345678901", "result": "corrected"}`,
		w.runs(cli.ExitDone, "correct", "A-1", "412345678901", "--carrier", "한진", "--json"))
	rows, err := csv.NewReader(strings.NewReader(w.runs(cli.ExitDone, "correct", "A-1", "412345678901", "--csv"))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"already_done", ""}, rows[1][6:])
}

// Which parcel is meant must be certain, and what is certainly wrong is not sent.
func TestCorrect_notSent(t *testing.T) {
	t.Parallel()
	other := inParcels(parcelBefore, "412345678901")
	parcelled(&other.Items[1], "한진택배", "412345678901")
	agency := "가온물류"
	through := inParcels(parcelBefore, parcelBefore)
	through.Items[1].LogisticsCompany = &agency
	one := inParcels(parcelBefore)
	for _, row := range []struct {
		order *sellerapi.Order
		says  string
		line  []string
	}{
		{
			inParcels(parcelBefore, "612345678926"), "several parcels (CJ대한통운 612345678904, CJ대한통운 612345678926)",
			[]string{parcelAfter},
		},
		{inParcels(""), "nothing of the order is on its way", []string{parcelAfter}},
		{one, "the order has no item A-1-09", []string{parcelAfter, "--item", "A-1-01,A-1-09"}},
		{other, "several carriers", []string{parcelAfter, "--item", "A-1-01,A-1-02"}},
		{through, "several logistics companies", []string{parcelAfter}},
		{one, "is a number that a spreadsheet has shortened", []string{"6.12E+11"}},
		{one, "is no carrier", []string{parcelAfter, "--carrier", "FEDEX"}},
		{one, "TRACKING_NO_SUSPICIOUS", []string{"612345678905"}},
	} {
		w, sent := correctable(t, row.order, nil)
		require.Contains(t, w.runs(cli.ExitFailed, append([]string{"correct", "A-1"}, row.line...)...), row.says)
		require.Empty(t, *sent, row.says)
	}
	w, sent := correctable(t, inParcels(parcelBefore, "612345678926"), nil)
	w.runs(cli.ExitDone, "correct", "A-1", "612345678905", "--item", "i-2", "--accept-warnings")
	require.Equal(t, []string{"i-2"}, (*sent)[0].ItemIDs)
	require.Contains(t, w.runs(cli.ExitFailed, "correct", "B-1", parcelAfter), "ORDER_NOT_FOUND")
}

// A dry run says of each item what would hinder the correction of all.
func TestCorrect_dryRunRefuses(t *testing.T) {
	t.Parallel()
	order := inParcels(parcelBefore, parcelBefore, "", parcelBefore, parcelAfter)
	order.Items[1].HasActiveClaim, order.Items[3].ItemStatus = true, sellerapi.ItemDelivered
	order.Items[4].ItemStatus = sellerapi.ItemDelivered
	w, sent := correctable(t, order, nil)
	said := w.runs(cli.ExitPartly, "correct", "A-1", parcelAfter, "--dry-run", "--csv", "--item", "i-1,i-2,i-3,i-4,i-5")
	rows, err := csv.NewReader(strings.NewReader(said)).ReadAll()
	require.NoError(t, err)
	results := make([][]string, 0, len(rows))
	for _, row := range rows[1:] {
		results = append(results, row[6:])
	}
	require.Equal(t, [][]string{
		{"ready", ""},
		{"refused", "ORDER_ITEM_HAS_ACTIVE_CLAIM"},
		{"refused", "ORDER_ITEM_NOT_SHIPPABLE"},
		{"refused", "SHIPMENT_STATE_CONFLICT"},
		{"already_done", ""},
	}, results)
	require.Empty(t, *sent)
}

// A refusal is reported with its code. Where corrections are not enabled the program says that, and not that the order is
// missing.
func TestCorrect_refused(t *testing.T) {
	t.Parallel()
	for says, row := range map[string]struct {
		refused http.HandlerFunc
		code    int
	}{
		"the marketplace has not enabled corrections for you": {refuse(404, ""), cli.ExitFailed},
		"ORDER_ITEM_HAS_ACTIVE_CLAIM":                         {refuse(409, "ORDER_ITEM_HAS_ACTIVE_CLAIM"), cli.ExitFailed},
		"SCOPE_FORBIDDEN":                                     {refuse(403, "SCOPE_FORBIDDEN"), cli.ExitKey},
	} {
		w, _ := correctable(t, inParcels(parcelBefore), row.refused)
		require.Contains(t, w.runs(row.code, "correct", "A-1", parcelAfter), says)
	}
	warned := answer(`{"order_no": "A-1", "items": [{"item_id": "i-1"}], "warnings": [{"code": "TRACKING_NO_SUSPICIOUS", "message": "new"}]}`)
	w, _ := correctable(t, inParcels(parcelBefore), warned)
	require.Contains(t, w.runs(cli.ExitPartly, "correct", "A-1", parcelAfter), "warning: TRACKING_NO_SUSPICIOUS: new")
	w.runs(cli.ExitDone, "correct", "A-1", parcelAfter, "--accept-warnings")
}
