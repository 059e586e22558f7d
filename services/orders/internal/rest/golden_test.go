package rest_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

func item(n int) uuid.UUID { return uuid.MustParse(fmt.Sprintf("01890000-0000-7000-8000-%012d", n)) }

// lines returns lines with known ids and these histories, an hour between two changes.
func lines(first int, histories ...[]order.State) []order.Line {
	made := make([]order.Line, len(histories))
	for i, history := range histories {
		made[i] = ordertest.NewLine()
		made[i].ID = item(first + i)
		ordertest.History(&made[i], ordertest.Epoch, time.Hour, history...)
	}
	return made
}

func everyState() [][]order.State {
	return [][]order.State{
		nil,
		{order.Preparing},
		{order.Preparing, order.Shipping},
		{order.Preparing, order.Shipping, order.Delivered},
		{order.Preparing, order.Shipping, order.Delivered, order.Confirmed},
		{order.Preparing, order.Canceled},
		{order.Preparing, order.Shipping, order.Delivered, order.Returned},
		{order.Preparing, order.Shipping, order.Delivered, order.Exchanged},
	}
}

// freeze sets the orders' times of the last change to values that do not depend on the clock.
func (s *fixture) freeze() {
	s.t.Helper()
	s.exec(`update seller_orders so set updated_at = '2025-06-01T09:00:00.000100Z'::timestamptz - n.nth * interval '1 second'
		from (select seller_id, order_id, dense_rank() over (order by order_id) as nth from seller_orders) n
		where n.seller_id = so.seller_id and n.order_id = so.order_id`)
}

// What a seller sees of an item in each state: which fields are null, which are set, and that an item that ended keeps its
// history but not the logistics company.
func TestDetail_everyItemState(t *testing.T) {
	t.Parallel()
	s := setup(t)
	placement := ordertest.New("G-STATES", ordertest.Epoch, s.seller)
	placement.Parts[0].Lines = lines(1, everyState()...)
	s.place(placement)
	s.freeze()
	s.get("/open/v1/orders/G-STATES").requireGolden(t, "detail_every_state")
}

// The fields that claims set on items, and the difference between no logistics company and one with an empty name.
func TestDetail_claimAndShipmentFields(t *testing.T) {
	t.Parallel()
	s := setup(t)
	placement := ordertest.New("G-FIELDS", ordertest.Epoch, s.seller)
	shipped := []order.State{order.Shipping}
	placement.Parts[0].Lines = lines(21, nil, shipped, shipped, []order.State{order.Canceled},
		[]order.State{order.Shipping, order.Preparing})
	empty := ""
	placement.Parts[0].Lines[1].Shipment.LogisticsCompany = &empty
	placement.Parts[0].Lines[2].Shipment.LogisticsCompany = nil
	s.place(placement)
	s.exec("update lines set has_active_claim = true, claim_no = 'CL-2' where seq = 1")
	s.exec("update lines set is_exchange = true, exchange_gate = 'ended', origin_item_id = $1, exchange_claim_no = 'CL-3' where "+
		"seq = 2", item(23))
	s.exec("update lines set origin_item_id = $1, split_from_claim_no = 'CL-1' where seq = 4", item(21))
	s.freeze()
	s.get("/open/v1/orders/G-FIELDS").requireGolden(t, "detail_fields")
}

// A member who withdrew: fields are null where the API says null, absent where it says absent.
func TestDetail_withoutPersonalData(t *testing.T) {
	t.Parallel()
	s := setup(t)
	placement := ordertest.New("G-NOBODY", ordertest.Epoch, s.seller)
	placement.Contact = order.Contact{}
	placement.Parts[0].Lines = lines(41, nil)
	s.place(placement)
	s.freeze()
	s.get("/open/v1/orders/G-NOBODY").requireGolden(t, "detail_without_contact")
}

// A mixed order: the other seller's items and amounts are left out, but order_status is over all items, and the item codes
// count all.
func TestDetail_mixedOrder(t *testing.T) {
	t.Parallel()
	s := setup(t)
	placement := ordertest.New("G-MIXED", ordertest.Epoch, uuid.New(), s.seller)
	placement.Parts[0].Lines = lines(61, nil, nil)
	placement.Parts[1].Lines = lines(71, []order.State{order.Shipping, order.Delivered})
	s.place(placement)
	s.freeze()
	s.get("/open/v1/orders/G-MIXED").requireGolden(t, "detail_mixed")
}

// A list has complete orders, and a cursor if there are more.
func TestList_wholeOrdersAndCursor(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.get("/open/v1/orders").requireGolden(t, "list_empty")
	for i := range 2 {
		placement := ordertest.New(fmt.Sprintf("G-LIST-%d", i), ordertest.Epoch, s.seller)
		placement.Parts[0].Lines = lines(81+i, nil)
		s.place(placement)
	}
	s.freeze()
	s.get("/open/v1/orders?limit=2").requireGolden(t, "list_last_page")
	require.NotNil(t, s.get("/open/v1/orders?limit=1").list(t).NextCursor)
}

// The detail equals the element of the list byte for byte.
func TestDetail_equalsListElement(t *testing.T) {
	t.Parallel()
	s := setup(t)
	placement := ordertest.New("G-SAME", ordertest.Epoch, s.seller, uuid.New())
	placement.Parts[0].Lines = lines(1, everyState()...)
	s.place(placement)
	detail, list := s.get("/open/v1/orders/G-SAME"), s.get("/open/v1/orders")
	require.Equal(t, http.StatusOK, detail.status)
	require.Equal(t, `{"list":[`+string(detail.Data)+`],"next_cursor":null}`, string(list.Data))
}

// The codes of items have two digits, and three from the hundredth item on.
func TestItemCode_twoDigitsThenThree(t *testing.T) {
	t.Parallel()
	s := setup(t)
	placement := ordertest.New("G-MANY", ordertest.Epoch, s.seller)
	placement.Parts[0].Lines = lines(101, make([][]order.State, 100)...)
	s.place(placement)
	body := s.get("/open/v1/orders/G-MANY").body
	for _, code := range []string{"G-MANY-01", "G-MANY-09", "G-MANY-10", "G-MANY-99", "G-MANY-100"} {
		require.Contains(t, body, `"item_code":"`+code+`"`)
	}
}

// A history shows every kind of event, and of each the fields that it has.
func TestHistory_everyEvent(t *testing.T) {
	t.Parallel()
	s := setup(t)
	placement := ordertest.New("G-HISTORY", ordertest.Epoch, s.seller)
	placement.Parts[0].Lines = lines(91, nil)
	placement.Parts[0].Lines[0].Quantity = 2
	s.place(placement)
	a := s.post("/open/v1/orders/G-HISTORY/shipment", fmt.Sprintf(
		`{"item_ids":[%q],"carrier_name":"한진택배","tracking_no":"412345678901","logistics_company":"물류"}`, item(91)))
	require.Equal(t, http.StatusOK, a.status, a.body)
	hold := order.Hold{
		ClaimNo: "CL-1", Type: order.ClaimReturn, SellerID: s.seller, State: order.HoldActive,
		Items: []order.HoldItem{{ItemID: item(91), Quantity: 1}},
	}
	_, err := s.store.Correct(t.Context(), "G-HISTORY", item(91).String(), order.Correction{To: order.Delivered},
		order.Act{ID: "act-1", Operator: "kim", Reason: "-"})
	require.NoError(t, err)
	facts := func(*order.Locked, order.Opened) ([]byte, error) { return []byte("{}"), nil }
	_, err = s.store.Open(t.Context(), "G-HISTORY", &hold, facts)
	require.NoError(t, err)
	_, err = s.store.Decide(t.Context(), "CL-1", func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.Settle(hold, order.DefaultTerms(), func() uuid.UUID { return item(92) })
	})
	require.NoError(t, err)
	history := s.get("/open/v1/orders/G-HISTORY/history")
	require.Equal(t, "1", history.header.Get(principal.RowsHeader))
	history.body = changedAt.ReplaceAllString(history.body, `"changed_at":"CHANGED_AT"`)
	history.requireGolden(t, "history_every_event")
}

// changedAt matches the times of a history, which differ from run to run.
var changedAt = regexp.MustCompile(`"changed_at":"[^"]*"`)
