// Package agreementtest defines which states of a claim and its order can be observed together at one instant, for tests
// that observe both while they change: a claim shows a state only when its order is as that state promises.
package agreementtest

import (
	"fmt"
	"slices"

	"sellerapi.dev/services/e2e/stacktest"
)

// agreement lists the states of lines that can be observed at one instant with a claim in a certain state. Each line is
// given by its state and whether a claim holds it. promised are those that the claim's state promises. ahead are those that
// can be observed for a moment when a decision is registered and the orders service has applied it already, so that the
// line is ahead of the claim.
type agreement struct{ promised, ahead []string }

// Promises that several states share.
var (
	held  = []string{"delivered held"}
	freed = []string{"delivered free", "confirmed free"}
)

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
		// While an exchange that was reshipping becomes a return.
		"inspecting": {held, append([]string{
			"delivered held, new paid", "delivered held, new preparing", "delivered held, new canceled",
		}, freed...)},
		"reshipping": {
			[]string{"delivered held, new paid", "delivered held, new preparing", "delivered held, new shipping"},
			[]string{"exchanged free, new shipping"},
		},
		"completed": {[]string{"exchanged free, new shipping"}, nil},
		"rejected":  {freed, nil},
		"withdrawn": {freed, nil},
		// The return continues with the line.
		"converted_to_return": {append([]string{
			"delivered held", "delivered held, new canceled", "returned free, new canceled", "returned free",
		}, freed...), nil},
	},
}

// Contradiction returns a description of how a claim and its order, observed at one instant, contradict each other, or ""
// when they agree. The order must have been placed with one line; claims are of one or more pieces of it.
func Contradiction(claim *stacktest.Claim, order *stacktest.Order) string {
	allowed := agreements[claim.Type][claim.Status]
	return contradiction(claim, order, slices.Concat(allowed.promised, allowed.ahead))
}

// ContradictionAtRest is like Contradiction for a system in which nothing is left to do: no line may be ahead of its claim.
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

// standing returns the claimed line in the notation of agreements: the part that was split off if there is one, and for an
// exchange also its exchange line.
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
