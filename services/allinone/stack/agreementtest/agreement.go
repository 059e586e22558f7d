// Package agreementtest says which claims and orders can be seen together at one instant, for tests that look at both while something
// happens to them: a claim shows a state only when its order is as the state promises.
package agreementtest

import (
	"fmt"
	"slices"

	"sellerapi.dev/services/allinone/stack/stacktest"
)

// agreement is what a state of a claim promises of its line, and so what a line promises of its claim: the lines, each as its state and
// whether a claim holds it, that can be seen at one instant with a claim in the state. Where a decision is registered and the order's side
// has agreed to it, the line is ahead of the claim for a moment: these are in ahead.
type agreement struct{ promised, ahead []string }

// What several states promise.
var (
	held  = []string{"delivered held"}
	freed = []string{"delivered free", "confirmed free"}
)

// agreements are by type and state of the claim.
var agreements = map[string]map[string]agreement{
	stacktest.Cancel: {
		"requested":         {[]string{"paid held"}, []string{"paid free", "shipping free"}},
		"refund_processing": {[]string{"paid held"}, []string{"canceled free"}},
		"completed":         {[]string{"canceled free"}, nil},
		"rejected":          {[]string{"paid free", "shipping free"}, nil},
	},
	stacktest.Return: {
		"payment_pending":   {held, freed},
		"requested":         {held, freed},
		"approved":          {held, freed},
		"collecting":        {held, nil},
		"collected":         {held, freed},
		"refund_processing": {held, []string{"returned free"}},
		"completed":         {[]string{"returned free"}, nil},
		"rejected":          {freed, nil},
		"withdrawn":         {freed, nil},
		"expired":           {freed, nil},
	},
	stacktest.Exchange: {
		"payment_pending": {held, freed},
		"requested":       {held, freed},
		"approved":        {held, freed},
		"collecting":      {held, nil},
		"collected":       {held, append([]string{"delivered held, new paid"}, freed...)},
		"inspecting":      {held, freed},
		"reshipping": {
			[]string{"delivered held, new paid", "delivered held, new preparing", "delivered held, new shipping"},
			[]string{"exchanged free, new shipping", "delivered held, new canceled", "returned free, new canceled"},
		},
		"completed": {[]string{"exchanged free, new shipping"}, nil},
		"rejected":  {freed, nil},
		"withdrawn": {freed, nil},
		// The return goes on with the line.
		"converted_to_return": {append([]string{
			"delivered held", "delivered held, new canceled", "returned free, new canceled", "returned free",
		}, freed...), nil},
	},
}

// Contradiction says how a claim and its order, seen at one instant, do not agree; empty when they do. The order was placed with one
// line, and claims are of one piece or several of it.
func Contradiction(claim *stacktest.Claim, order *stacktest.Order) string {
	allowed := agreements[claim.Type][claim.Status]
	return contradiction(claim, order, slices.Concat(allowed.promised, allowed.ahead))
}

// ContradictionAtRest is Contradiction when nothing is left to do: no line is ahead of its claim then.
func ContradictionAtRest(claim *stacktest.Claim, order *stacktest.Order) string {
	return contradiction(claim, order, agreements[claim.Type][claim.Status].promised)
}

func contradiction(claim *stacktest.Claim, order *stacktest.Order, allowed []string) string {
	seen := standing(order, claim.Type == stacktest.Exchange)
	if slices.Contains(allowed, seen) {
		return ""
	}
	return fmt.Sprintf("the %s %s is %s, and its line %s", claim.Type, claim.ClaimNo, claim.Status, seen)
}

// standing is the claimed line as agreements spell it: the part that was split off when there is one, and with an exchange the line
// that stands in.
func standing(order *stacktest.Order, withNew bool) string {
	var claimed, standsIn *stacktest.Item
	for i := range order.Items {
		if item := &order.Items[i]; item.IsExchange {
			standsIn = item
		} else {
			claimed = item
		}
	}
	if claimed == nil {
		return "gone"
	}
	seen := claimed.ItemStatus + " " + map[bool]string{true: "held", false: "free"}[claimed.HasActiveClaim]
	if withNew && standsIn != nil {
		seen += ", new " + standsIn.ItemStatus
	}
	return seen
}
