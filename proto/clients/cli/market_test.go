package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// market is a server that keeps orders and parcels as the interface description says, and records what it was sent.
type market struct {
	*httptest.Server

	mu     sync.Mutex
	orders map[string]*sellerapi.Order
	sorted []string // latest change first
	// calls are how many calls of each operation came, batches the entries of the batches that were processed.
	calls   map[string]int
	batches [][]sellerapi.BatchShipmentEntry
	// intercept answers a batch instead of the market, if it returns true.
	intercept func(w http.ResponseWriter, batch []sellerapi.BatchShipmentEntry) bool
	// doubtful are numbers that the market warns of without telling in its description why.
	doubtful []string
	// old says that the market has no check of shipments.
	old bool
}

func newMarket(t *testing.T) (*market, *terminal) {
	t.Helper()
	m := &market{orders: map[string]*sellerapi.Order{}, calls: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /open/v1/orders", m.list)
	mux.HandleFunc("GET /open/v1/orders/{number}", m.detail)
	mux.HandleFunc("POST /open/v1/orders/batch/shipment", m.ship)
	mux.HandleFunc("POST /open/v1/orders/batch/shipment/check", m.check)
	m.Server = httptest.NewServer(mux)
	t.Cleanup(m.Close)
	return m, newTerminal(t, map[string]string{"SELLER_API_URL": m.URL, "SELLER_API_KEY": key})
}

// place adds an order with items in these states, of which each has an id that is its code's place.
func (m *market) place(number string, states ...sellerapi.ItemStatus) *sellerapi.Order {
	order := &sellerapi.Order{OrderNo: number, PaidAt: time.Unix(1_800_000_000, 0), UpdatedAt: time.Unix(1_800_000_000, 0)}
	for i, state := range states {
		order.Items = append(order.Items, sellerapi.OrderItem{
			ItemID:   fmt.Sprintf("%08x-0000-7000-8000-%012d", len(m.sorted)+1, i+1),
			ItemCode: fmt.Sprintf("%s-%02d", number, i+1), ItemStatus: state,
		})
	}
	m.orders[number] = order
	m.sorted = append(m.sorted, number)
	return order
}

// placeMany adds orders with one paid item, named by the prefix and a number from 1.
func (m *market) placeMany(prefix string, count int) {
	for i := range count {
		m.place(prefix+strconv.Itoa(i+1), sellerapi.ItemPaid)
	}
}

func parcelled(item *sellerapi.OrderItem, carrier, number string) {
	item.CarrierName, item.TrackingNo = &carrier, &number
}

func (m *market) parcels() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := map[string]string{}
	for _, order := range m.orders {
		for _, item := range order.Items {
			if item.TrackingNo != nil {
				all[item.ItemCode] = *item.CarrierName + " " + *item.TrackingNo
			}
		}
	}
	return all
}

func (m *market) list(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls["list"]++
	query := r.URL.Query()
	limit, _ := strconv.Atoi(query.Get("limit"))
	from, _ := strconv.Atoi(query.Get("cursor"))
	page := sellerapi.OrderList{List: []sellerapi.Order{}}
	for at := from; at < len(m.sorted); at++ {
		order := m.orders[m.sorted[at]]
		if !slices.ContainsFunc(order.Items,
			func(item sellerapi.OrderItem) bool { return string(item.ItemStatus) == query.Get("item_status") }) {
			continue
		}
		if len(page.List) == limit {
			next := strconv.Itoa(at)
			page.NextCursor = &next
			break
		}
		page.List = append(page.List, *order)
	}
	data, _ := json.Marshal(page)
	answer(string(data))(w, r)
}

func (m *market) detail(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls["detail"]++
	order := m.orders[r.PathValue("number")]
	if order == nil {
		refuse(404, "ORDER_NOT_FOUND")(w, r)
		return
	}
	data, _ := json.Marshal(order)
	answer(string(data))(w, r)
}

func (m *market) ship(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls["ship"]++
	m.decide(w, r)
}

// check answers as ship would, and undoes what it does.
func (m *market) check(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls["check"]++
	if m.old {
		http.NotFound(w, r)
		return
	}
	orders, batches := map[string]*sellerapi.Order{}, m.batches
	for number, order := range m.orders {
		kept := *order
		kept.Items = slices.Clone(order.Items)
		orders[number] = &kept
	}
	m.decide(w, r)
	m.orders, m.batches = orders, batches
}

func (m *market) decide(w http.ResponseWriter, r *http.Request) {
	var request sellerapi.BatchShipmentRequest
	if json.NewDecoder(r.Body).Decode(&request) != nil || malformed(request.Items) {
		refuse(422, "VALIDATION_ERROR")(w, r)
		return
	}
	if m.intercept != nil && m.intercept(w, request.Items) {
		return
	}
	m.batches = append(m.batches, request.Items)
	result := sellerapi.BatchShipmentResult{Succeeded: []string{}, Failed: []sellerapi.FailedEntry{}}
	for i, entry := range request.Items {
		if code := m.register(entry); code != "" {
			result.Failed = append(result.Failed, sellerapi.FailedEntry{
				OrderNo: entry.OrderNo, OrderItemPublicIDs: entry.ItemIDs, ErrorCode: code, Message: "a text", Index: int64(i),
			})
			continue
		}
		result.Succeeded = append(result.Succeeded, entry.ItemIDs...)
		if slices.Contains(m.doubtful, entry.TrackingNo) {
			result.Warnings = append(result.Warnings, sellerapi.Warning{
				Field: fmt.Sprintf("items[%d].tracking_no", i), Code: "TRACKING_NO_SUSPICIOUS", Reason: "new_rule", Message: "a new rule",
			})
		}
	}
	data, _ := json.Marshal(result)
	answer(string(data))(w, r)
}

func malformed(batch []sellerapi.BatchShipmentEntry) bool {
	return len(batch) == 0 || len(batch) > 500 || slices.ContainsFunc(batch, func(entry sellerapi.BatchShipmentEntry) bool {
		ids := slices.Compact(slices.Sorted(slices.Values(entry.ItemIDs)))
		return entry.OrderNo == "" || len([]rune(entry.OrderNo)) > 64 || len([]rune(entry.CarrierName)) > 50 ||
			entry.TrackingNo == "" ||
			len([]rune(entry.TrackingNo)) > 60 || len(entry.ItemIDs) == 0 || len(entry.ItemIDs) > 200 || len(ids) != len(entry.ItemIDs)
	})
}

func (m *market) register(entry sellerapi.BatchShipmentEntry) sellerapi.Code {
	number := strings.NewReplacer(" ", "", "-", "", ".", "").Replace(strings.ToUpper(entry.TrackingNo))
	order := m.orders[entry.OrderNo]
	switch {
	case !slices.Contains([]string{"CJ대한통운", "우체국택배", "한진택배", "롯데택배", "로젠택배"}, string(entry.CarrierName)):
		return sellerapi.CodeShipmentCarrierNotAllowed
	case number == "":
		return sellerapi.CodeShipmentFieldsRequired
	case order == nil:
		return sellerapi.CodeOrderNotFound
	}
	var items []*sellerapi.OrderItem
	for _, id := range entry.ItemIDs {
		at := slices.IndexFunc(order.Items, func(item sellerapi.OrderItem) bool { return item.ItemID == id })
		if at < 0 {
			return sellerapi.CodeOrderItemNotFound
		}
		items = append(items, &order.Items[at])
	}
	for _, item := range items {
		if code := refusalOf(item, string(entry.CarrierName), number); code != "" {
			return code
		}
	}
	for _, item := range items {
		item.ItemStatus = sellerapi.ItemShipping
		parcelled(item, string(entry.CarrierName), number)
	}
	return ""
}

func refusalOf(item *sellerapi.OrderItem, carrier, number string) sellerapi.Code {
	switch item.ItemStatus {
	case sellerapi.ItemPaid, sellerapi.ItemPreparing:
		switch {
		case item.IsExchange:
			return sellerapi.CodeExchangeItemNotReshipping
		case item.HasActiveClaim:
			return sellerapi.CodeOrderItemHasActiveClaim
		}
		return ""
	case sellerapi.ItemShipping, sellerapi.ItemDelivered, sellerapi.ItemConfirmed:
		if *item.CarrierName != carrier || strings.ReplaceAll(*item.TrackingNo, "-", "") != number {
			return sellerapi.CodeShipmentStateConflict
		}
		return ""
	default:
		return sellerapi.CodeOrderItemNotShippable
	}
}
