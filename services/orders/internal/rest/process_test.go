package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

type processed struct {
	OrderNo     string `json:"order_no"`
	OrderStatus string `json:"order_status"`
	UpdatedAt   string `json:"updated_at"`
	Items       []struct {
		ItemID      string  `json:"item_id"`
		ItemCode    string  `json:"item_code"`
		ItemStatus  string  `json:"item_status"`
		AlreadyDone *bool   `json:"already_done"`
		TrackingNo  *string `json:"tracking_no"`
		CarrierName *string `json:"carrier_name"`
	} `json:"items"`
	Warnings []map[string]string `json:"warnings"`
}

func (a answer) processed(t *testing.T) processed {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, a.body)
	var p processed
	require.NoError(t, json.Unmarshal(a.Data, &p))
	return p
}

// states returns the states of a transition result, and whether each had been reached before.
func (p processed) states() []string {
	shown := make([]string, 0, len(p.Items))
	for _, item := range p.Items {
		text := item.ItemStatus
		if *item.AlreadyDone {
			text += " already"
		}
		shown = append(shown, text)
	}
	return shown
}

// counted returns a fixture with an order of the golden items with these histories, and another seller's item.
func counted(t *testing.T, orderNo string, histories ...[]order.State) *fixture {
	t.Helper()
	s := setup(t)
	placement := ordertest.New(orderNo, ordertest.Epoch, s.seller, uuid.New())
	placement.Parts[0].Lines = lines(1, histories...)
	placement.Parts[1].Lines[0].ID = item(99)
	s.place(placement)
	return s
}

func itemIDs(numbers ...int) string {
	ids := make([]string, 0, len(numbers))
	for _, n := range numbers {
		ids = append(ids, fmt.Sprintf("%q", item(n)))
	}
	return `"item_ids":[` + strings.Join(ids, ",") + `]`
}

func body(members ...string) string { return "{" + strings.Join(members, ",") + "}" }

func parcelOf(carrierName, trackingNo string) string {
	return fmt.Sprintf(`"carrier_name":%q,"tracking_no":%q`, carrierName, trackingNo)
}

// goodParcel is the parcel of placed items, except for the logistics company.
var goodParcel = parcelOf("CJ대한통운", "612345678901") + `,"logistics_company":"가온물류"`

// Every operation responds as the API specifies, to the first call and to its repetition.
func TestProcess_200FirstAndRepeated(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-WAY", nil, nil)
	for _, step := range []struct{ name, path, body string }{
		{"preparation", "/preparation", body(itemIDs(2, 1))},
		{"shipment", "/shipment", body(itemIDs(1), parcelOf(" CJ대한통운", "6900-0000-0011"))},
		{"delivery", "/delivery", body(itemIDs(1))},
	} {
		first := s.post("/open/v1/orders/G-WAY"+step.path, step.body)
		at := first.processed(t).UpdatedAt
		first.requireGolden(t, "process_"+step.name, at, "TIME_OF_CHANGE")
		s.post("/open/v1/orders/G-WAY"+step.path, step.body).requireGolden(t, "process_"+step.name+"_again", at, "TIME_OF_CHANGE")
		require.Contains(t, s.get("/open/v1/orders/G-WAY").body, `"updated_at":"`+at+`"`)
	}
}

// The result of each operation in each state of an item. The columns are the states of everyState.
func TestProcess_everyStateAndOperation(t *testing.T) {
	t.Parallel()
	const prepared, shipped, delivered = "→ preparing", "→ shipping", "→ delivered"
	for path, wanted := range map[string][8]string{
		"/preparation": {
			prepared, "preparing already", "NOT_PREPARABLE", "NOT_PREPARABLE", "NOT_PREPARABLE", "NOT_PREPARABLE",
			"NOT_PREPARABLE", "NOT_PREPARABLE",
		},
		"/shipment": {
			shipped, shipped, "shipping already", "delivered already", "confirmed already", "NOT_SHIPPABLE", "NOT_SHIPPABLE",
			"NOT_SHIPPABLE",
		},
		"/delivery": {
			"NOT_DELIVERABLE", "NOT_DELIVERABLE", delivered, "delivered already", "confirmed already", "NOT_DELIVERABLE",
			"NOT_DELIVERABLE", "NOT_DELIVERABLE",
		},
	} {
		s := counted(t, "G-1", everyState()...)
		for i, want := range wanted {
			a := s.post("/open/v1/orders/G-1"+path, body(itemIDs(i+1), goodParcel))
			switch code, refused := strings.CutPrefix(a.code(), "ORDER_ITEM_"); {
			case refused:
				require.Equal(t, want, code, "%s %d", path, i)
				require.Equal(t, http.StatusConflict, a.status)
			case strings.HasPrefix(want, "→ "):
				require.Equal(t, want, "→ "+a.processed(t).states()[0], "%s %d", path, i)
			default:
				require.Equal(t, []string{want}, a.processed(t).states(), "%s %d", path, i)
			}
		}
	}
}

type refuse struct {
	name, path, body string
	status           int
	code             string
}

// Every error about an item has the code and body of the API, and changes nothing.
func TestProcess_409EveryRefusal(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", nil, nil, []order.State{order.Canceled}, []order.State{order.Shipping})
	s.exec("update lines set has_active_claim = true, claim_no = 'CL-1' where item_id = $1", item(1))
	s.exec("update lines set is_exchange = true, exchange_gate = 'waiting' where item_id = $1", item(2))
	for _, c := range []refuse{
		{"prepare_claimed", "/preparation", body(itemIDs(1)), 409, "ORDER_ITEM_HAS_ACTIVE_CLAIM"},
		{"prepare_exchange", "/preparation", body(itemIDs(2)), 409, "EXCHANGE_ITEM_NOT_PREPARABLE"},
		{"prepare_ended", "/preparation", body(itemIDs(3)), 409, "ORDER_ITEM_NOT_PREPARABLE"},
		{"ship_claimed", "/shipment", body(itemIDs(1), goodParcel), 409, "ORDER_ITEM_HAS_ACTIVE_CLAIM"},
		{"ship_exchange", "/shipment", body(itemIDs(2), goodParcel), 409, "EXCHANGE_ITEM_NOT_RESHIPPING"},
		{"ship_ended", "/shipment", body(itemIDs(3), goodParcel), 409, "ORDER_ITEM_NOT_SHIPPABLE"},
		{"ship_otherwise", "/shipment", body(itemIDs(4), parcelOf("롯데택배", "1")), 409, "SHIPMENT_STATE_CONFLICT"},
		{"ship_without_company", "/shipment", body(itemIDs(4), parcelOf("CJ대한통운", "612345678901")), 409, "SHIPMENT_STATE_CONFLICT"},
		{"deliver_ended", "/delivery", body(itemIDs(3)), 409, "ORDER_ITEM_NOT_DELIVERABLE"},
		{"several", "/shipment", body(itemIDs(3, 1, 4), parcelOf("롯데택배", "1")), 409, "ORDER_ITEM_NOT_SHIPPABLE"},
		{
			"not_found", "/preparation", `{"item_ids":["` + item(99).String() + `","` + item(2).String() + `","no id"]}`, 404,
			"ORDER_ITEM_NOT_FOUND",
		},
	} {
		before := s.get("/open/v1/orders/G-1").body
		a := s.post("/open/v1/orders/G-1"+c.path, c.body)
		require.Equal(t, c.status, a.status, c.name)
		require.Equal(t, c.code, a.code(), c.name)
		a.requireGolden(t, "refusal_"+c.name)
		require.Equal(t, before, s.get("/open/v1/orders/G-1").body, "%s changes nothing", c.name)
	}
	s.exec("update lines set item_status = 'shipping', shipment_id = (select shipment_id from shipments limit 1), shipped_at = "+
		"now() where item_id = $1", item(1))
	require.Equal(t, "ORDER_ITEM_HAS_ACTIVE_CLAIM", s.post("/open/v1/orders/G-1/delivery", body(itemIDs(1))).code())
}

func TestProcess_404InvisibleOrders(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", nil)
	s.place(ordertest.New("OTHERS", ordertest.Epoch, uuid.New()), ordertest.New("PENDING", time.Time{}, s.seller))
	for _, path := range []string{"/preparation", "/shipment", "/delivery"} {
		content := body(itemIDs(1), goodParcel)
		unknown := s.post("/open/v1/orders/UNKNOWN"+path, content)
		require.Equal(t, http.StatusNotFound, unknown.status)
		require.Equal(t, "ORDER_NOT_FOUND", unknown.code())
		require.Equal(t, map[string]any{"request_id": "the-request", "doc_url": "/docs/errors/ORDER_NOT_FOUND"}, unknown.Meta.ErrorData)
		for _, no := range []string{"OTHERS", "PENDING", strings.Repeat("A", 65), "G-1%00", "%ff", "g-1", "batch", "%20"} {
			if no == "batch" && path == "/shipment" {
				continue // another operation
			}
			require.Equal(t, unknown.body, s.post("/open/v1/orders/"+no+path, content).body, no+path)
		}
	}
}

// A malformed id is not found, however long it is; what an error quotes of it is bounded.
func TestProcess_404MalformedItemID(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", nil)
	for _, id := range []string{
		"x", "no id", strings.Repeat("y", 65), strings.Repeat("가", 5000),
		item(1).String() + item(1).String() + "x",
	} {
		for _, path := range []string{"/preparation", "/shipment", "/delivery"} {
			a := s.post("/open/v1/orders/G-1"+path, body(`"item_ids":["`+id+`"]`, goodParcel))
			require.Equal(t, http.StatusNotFound, a.status, "%s: %s", path, a.body)
			require.Equal(t, "ORDER_ITEM_NOT_FOUND", a.code())
			require.Less(t, len(a.body), 1000)
		}
		result := s.post(batchPath, batchOf(entry("G-1", `"item_ids":["`+id+`"]`, goodParcel))).shipped(t)
		require.Equal(t, map[string]string{"G-1": "ORDER_ITEM_NOT_FOUND"}, result.codes())
	}
	require.Equal(t, []string{"paid"}, s.stateOf(1))
}

// The form of a call is checked before the order, so that a client is told of a malformed body whatever the order.
func TestProcess_422Form(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", nil)
	id := `"` + item(1).String() + `"`
	many := strings.Repeat(id+",", 200) + id
	for name, c := range map[string]struct{ body, field string }{
		"no body":                          {"", "item_ids"},
		"body is not an object":            {"[]", "body"},
		"no item_ids":                      {body(goodParcel), "item_ids"},
		"null":                             {body(`"item_ids":null`, goodParcel), "item_ids"},
		"empty item_ids":                   {body(`"item_ids":[]`, goodParcel), "item_ids"},
		"item_ids is a string":             {body(`"item_ids":`+id, goodParcel), "item_ids"},
		"item_ids with a number":           {body(`"item_ids":[1]`, goodParcel), "item_ids[0]"},
		"item_ids with an empty string":    {body(`"item_ids":[""]`, goodParcel), "item_ids[0]"},
		"duplicate item ID":                {body(`"item_ids":[`+id+`,`+strings.ToUpper(id)+`]`, goodParcel), "item_ids[1]"},
		"too many item IDs":                {body(`"item_ids":[`+many+`]`, goodParcel), "item_ids"},
		"member name in other letter case": {body(`"Item_IDs":[`+id+`]`, goodParcel), "item_ids"},
		"duplicate member":                 {body(itemIDs(1), itemIDs(1), goodParcel), "item_ids"},
		"data after the object":            {body(itemIDs(1), goodParcel) + "{}", "body"},
	} {
		for _, path := range []string{"/preparation", "/shipment", "/delivery"} {
			for _, no := range []string{"G-1", "UNKNOWN"} {
				a := s.post("/open/v1/orders/"+no+path, c.body)
				require.Equal(t, http.StatusUnprocessableEntity, a.status, "%s %s: %s", name, path, a.body)
				require.Equal(t, "VALIDATION_ERROR", a.code(), name)
				require.Contains(t, strings.ToLower(strings.Join(a.fields(), " ")), c.field, "%s %s", name, path)
			}
		}
	}
	require.Equal(t, []string{"query.dry_run"}, s.post("/open/v1/orders/G-1/preparation?dry_run=1", body(itemIDs(1))).fields())
	require.Equal(t, []string{"paid"}, s.stateOf(1))
}

func (s *fixture) stateOf(n int) []string {
	s.t.Helper()
	var o struct {
		Items []struct {
			ItemID     string `json:"item_id"`
			ItemStatus string `json:"item_status"`
		} `json:"items"`
	}
	require.NoError(s.t, json.Unmarshal(s.get("/open/v1/orders/G-1").Data, &o))
	var states []string
	for _, i := range o.Items {
		if i.ItemID == item(n).String() {
			states = append(states, i.ItemStatus)
		}
	}
	return states
}

// Process calls need the write scope and a signed principal, which is checked before the body.
func TestProcess_needsScopeAndSignature(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", nil)
	for _, path := range []string{"/G-1/preparation", "/G-1/shipment", "/batch/shipment", "/G-1/delivery"} {
		request := s.request("/open/v1/orders"+path, "nonsense", newKey(), "orders:read", "claims:write")
		a := s.send(request)
		require.Equal(t, http.StatusForbidden, a.status, path)
		require.Equal(t, "SCOPE_FORBIDDEN", a.code())
		require.Equal(t, "orders:write", a.Meta.ErrorData["required_scope"])
		request.Header.Del(principal.Header)
		require.Equal(t, http.StatusUnauthorized, s.send(request).status, path)
		require.Equal(t, http.StatusMethodNotAllowed, s.get("/open/v1/orders"+path).status, path)
	}
}

// Whatever has happened since, a key returns its first response; other content under it is refused.
func TestIdempotencyKey_replaysFirstAnswer(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", nil, nil)
	success, refusal, k := newKey(), newKey(), newKey()
	first := s.postWith("/open/v1/orders/G-1/preparation", body(itemIDs(1)), success)
	require.Equal(t, []string{"preparing"}, first.processed(t).states())
	denied := s.postWith("/open/v1/orders/G-1/delivery", body(itemIDs(1)), refusal)
	require.Equal(t, "ORDER_ITEM_NOT_DELIVERABLE", denied.code())
	require.Equal(t, "VALIDATION_ERROR", s.postWith("/open/v1/orders/G-1/delivery", "{}", k).code())
	require.Equal(t, []string{"shipping"}, s.postWith("/open/v1/orders/G-1/shipment", body(itemIDs(1), goodParcel),
		k).processed(t).states(),
		"a malformed call does not use up its key")

	require.Equal(t, first.body, s.postWith("/open/v1/orders/G-1/preparation", body(itemIDs(1)), success).body)
	replayed := s.postWith("/open/v1/orders/G-1/delivery", body(itemIDs(1)), refusal)
	require.Equal(t, denied.body, replayed.body)
	require.Equal(t, "true", replayed.header.Get("Idempotent-Replayed"))
	require.Equal(t, []string{"shipping"}, s.stateOf(1), "a replay has no effect")
	success.fingerprint[0]++
	require.Equal(t, "IDEMPOTENCY_KEY_REUSED", s.postWith("/open/v1/orders/G-1/preparation", body(itemIDs(2)), success).code())
}

// Stored responses, like the history, are kept after a member has withdrawn. They must contain no personal data.
func TestProcess_answersHoldNoPersonalData(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", nil)
	for path, content := range map[string]string{
		"/preparation": body(itemIDs(1)), "/shipment": body(itemIDs(1), goodParcel),
		"/delivery": body(itemIDs(1)),
	} {
		s.post("/open/v1/orders/G-1"+path, content)
	}
	var stored string
	require.NoError(t, s.db.Pool.QueryRow(t.Context(),
		"select string_agg(convert_from(body, 'UTF8'), '') from inbox_answers").Scan(&stored))
	for _, datum := range []string{"김민준", "이서연", "010-", "테헤란로", "06236", "문 앞"} {
		require.NotContains(t, stored, datum)
	}
}
