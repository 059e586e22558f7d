package order_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

type attempt struct {
	name string
	try  func(o *order.Locked) (order.Plan, error)
}

func attempts() []attempt {
	other := carrier.Shipment{Carrier: carrier.CJLogistics, TrackingNo: "999999999999"}
	processed := func(p order.Processed, err error) (order.Plan, error) { return p.Plan, err }
	list := []attempt{
		{"preparation", func(o *order.Locked) (order.Plan, error) { return processed(o.Prepare(sellerA, ids(1))) }},
		{"shipment, the same parcel", func(o *order.Locked) (order.Plan, error) { return processed(o.Ship(sellerA, ids(1), parcel)) }},
		{"shipment, another parcel", func(o *order.Locked) (order.Plan, error) { return processed(o.Ship(sellerA, ids(1), other)) }},
		{"correction, the same parcel", func(o *order.Locked) (order.Plan, error) {
			return processed(o.CorrectShipment(sellerA, ids(1), parcel))
		}},
		{"correction, another parcel", func(o *order.Locked) (order.Plan, error) {
			return processed(o.CorrectShipment(sellerA, ids(1), other))
		}},
		{"delivery", func(o *order.Locked) (order.Plan, error) {
			return processed(o.Deliver(sellerA, ids(1), order.DefaultTerms()))
		}},
		{"confirm by the customer", func(o *order.Locked) (order.Plan, error) { return processed(o.Confirm(order.Customer, ids(1))) }},
		{"confirm by an operator", func(o *order.Locked) (order.Plan, error) { return processed(o.Confirm(order.Operator, ids(1))) }},
		{"confirm by the service, due", func(o *order.Locked) (order.Plan, error) { return o.ConfirmDue(), nil }},
		{"confirm by the service, not due", func(o *order.Locked) (order.Plan, error) {
			o.Now = o.Items[0].DeliveredAt
			return o.ConfirmDue(), nil
		}},
	}
	for _, to := range order.States() {
		list = append(list, attempt{"correct to " + string(to), func(o *order.Locked) (order.Plan, error) {
			c := order.Correction{To: to}
			if to.Shows().Parcel && o.Items[0].ParcelID == uuid.Nil {
				c.Parcel = &parcel
			}
			return o.Correct(ids(1)[0], c, order.DefaultTerms())
		}})
	}
	reship := func(o *order.Locked, sent carrier.Shipment) (order.Plan, error) {
		_, plan, err := o.ShipExchangeLine(replacedBy(o), "", sent, order.DefaultTerms(), newIDs())
		return plan, err
	}
	list = append(list,
		attempt{"reshipment, the same parcel", func(o *order.Locked) (order.Plan, error) { return reship(o, parcel) }},
		attempt{"reshipment, another parcel", func(o *order.Locked) (order.Plan, error) { return reship(o, other) }},
		attempt{"its exchange becomes a return", func(o *order.Locked) (order.Plan, error) {
			_, plan, err := o.Convert(replacedBy(o), "C-9", false, false)
			return plan, err
		}},
	)
	for _, claim := range ordertest.ClaimTypes() {
		list = append(list, attempt{"claim: " + string(claim), func(o *order.Locked) (order.Plan, error) {
			opened, err := o.Open(hold("C-9", claim, 2))
			return opened.Plan, err
		}})
	}
	return list
}

func hold(claimNo string, claim order.ClaimType, quantity int64) *order.Hold {
	return &order.Hold{
		ClaimNo: claimNo, Type: claim, SellerID: sellerA, State: order.HoldActive,
		Items: []order.HoldItem{{ItemID: itemID(1), Quantity: quantity}},
	}
}

// replacedBy adds a delivered item to the order and returns the hold of an exchange in which the first item replaces it.
func replacedBy(o *order.Locked) *order.Hold {
	old := heldBy("C-8", itemIn(order.Delivered))
	old.ID, old.Seq = itemID(8), 8
	o.Items = append(o.Items, old)
	h := hold("C-8", order.ClaimExchange, old.Quantity)
	h.Items = []order.HoldItem{{ItemID: old.ID, Quantity: old.Quantity, ExchangeItemID: itemID(1)}}
	return h
}

// situations are the conditions of an item besides its state.
var situations = []struct {
	name string
	make func(order.LockedItem) order.LockedItem
}{
	{"plain", func(item order.LockedItem) order.LockedItem { return item }},
	{"claimed", func(item order.LockedItem) order.LockedItem { return heldBy("C-1", item) }},
	{"exchange waiting", func(item order.LockedItem) order.LockedItem { return standIn("waiting", item) }},
	{"exchange open", func(item order.LockedItem) order.LockedItem { return standIn(order.GateOpen, item) }},
	{"exchange ended", func(item order.LockedItem) order.LockedItem { return standIn(order.GateEnded, item) }},
	{"exchange open, claimed", func(item order.LockedItem) order.LockedItem {
		return heldBy("C-1", standIn(order.GateOpen, item))
	}},
}

// Every operation is tried in every state and situation: the table shows the results, so that a change of a rule is seen in all
// its consequences.
func TestMatrix_everyStateAndOperation(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("operation\tsituation")
	for _, state := range order.States() {
		b.WriteString("\t" + string(state))
	}
	for _, attempt := range attempts() {
		for _, situation := range situations {
			b.WriteString("\n" + attempt.name + "\t" + situation.name)
			for _, state := range order.States() {
				o := locked(situation.make(itemIn(state)))
				plan, err := attempt.try(o)
				b.WriteString("\t" + outcome(plan, err))
				if err != nil {
					require.False(t, plan.Stamps(), "a refusal changes nothing")
				}
			}
		}
	}
	b.WriteString("\n")
	requireGolden(t, "testdata/matrix.tsv", b.String())
}

func outcome(plan order.Plan, err error) string {
	switch {
	case err != nil:
		if code := apierr.From(err).Code; code != apierr.Internal {
			text := string(code)
			if reason, ok := apierr.From(err).Data["reason"]; ok {
				text += fmt.Sprintf(" (%s)", reason)
			}
			return text
		}
		return err.Error()
	case !plan.Stamps():
		return "="
	case len(plan.Entered) == 0 && plan.Parcel != nil:
		return "another parcel"
	case len(plan.Entered) == 0:
		return "held"
	}
	path := make([]string, 0, len(plan.Entered))
	for _, entry := range plan.Entered {
		path = append(path, "→ "+string(entry.To))
	}
	return strings.Join(path, " ")
}

func requireGolden(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	golden, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(golden), text, "run go test -update and look at the difference")
}
