package linestest

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// Hold is what a claim holds or held. One without lines is that of a claim that was released before it held any.
type Hold struct {
	// State is active, released, settled or converted.
	State string
	Type  string
	Lines []HeldLine
	// ReturnNo is the claim that took the lines over.
	ReturnNo string
	// Sealed: no operator corrects the lines any more. Canceled are reshipments that must not ship, Shipped is the one that did.
	Sealed   bool
	Canceled []string
	Shipped  string
	// Frozen: nobody ships what stands in, but the claim.
	Frozen          bool
	freezeChangedAt time.Time

	seller  uuid.UUID
	orderNo string
	// answer is that of the call that opened the hold; nil when the lines were taken over from an exchange.
	answer *ordersv1.OpenResponse
}

// HeldLine is the claimed quantity of a line.
type HeldLine struct {
	Item, Settled, Exchange uuid.UUID
	Quantity                int64
}

// startable are the states that a claim can complete from, ends those that it leads to.
var (
	startable = map[string][]string{"cancel": {"paid", "preparing"}, "return": {"delivered"}, "exchange": {"delivered"}}
	ends      = map[string]string{"cancel": "canceled", "return": "returned", "exchange": "exchanged"}
)

// because is a refusal with a reason; nil when there is none.
func because(code apierr.Code, reason string) error {
	if reason == "" {
		return nil
	}
	return code.With(map[string]any{"reason": reason})
}

// held finds what a claim holds or held.
func (o *Orders) held(claimNo string) (*Hold, error) {
	if hold := o.holds[claimNo]; hold != nil && len(hold.Lines) > 0 {
		return hold, nil
	}
	return nil, apierr.ClaimNotFound
}

// reopen says why a number that has a hold is not good for another one.
func (hold *Hold) reopen(wanted *Hold) string {
	same := func(a, b HeldLine) bool { return a.Item == b.Item && a.Quantity == b.Quantity }
	switch {
	case hold.State != "active":
		return "hold"
	case hold.Type != wanted.Type || hold.seller != wanted.seller || !slices.EqualFunc(hold.Lines, wanted.Lines, same):
		return "lines"
	default:
		return ""
	}
}

// claimable refuses to hold lines.
func (o *Orders) claimable(hold *Hold) error {
	if !slices.ContainsFunc(o.lines, func(l *Line) bool { return l.OrderNo == hold.orderNo && l.Seller == hold.seller }) {
		return apierr.OrderNotFound
	}
	for _, held := range hold.Lines {
		if line := o.line(held.Item); line == nil || line.OrderNo != hold.orderNo || line.Seller != hold.seller {
			return apierr.OrderItemNotFound
		}
	}
	if slices.ContainsFunc(hold.Lines, func(held HeldLine) bool { return o.line(held.Item).ClaimNo != "" }) {
		return apierr.OrderItemHasActiveClaim
	}
	return because(apierr.ClaimNotApprovable, o.obstacle(hold))
}

// obstacle says why a claim cannot complete from where its lines stand.
func (o *Orders) obstacle(hold *Hold) string {
	for _, held := range hold.Lines {
		switch line := o.line(held.Item); {
		case !slices.Contains(startable[hold.Type], line.Status):
			return "state"
		case hold.Type == "cancel" && o.standsIn(line.ID):
			return "exchange"
		case held.Quantity > line.Quantity:
			return "quantity"
		}
	}
	return ""
}

// standsIn reports whether a line is the other end of an exchange that is under way.
func (o *Orders) standsIn(id uuid.UUID) bool {
	for _, hold := range o.holds {
		if hold.State == "active" && slices.ContainsFunc(hold.Lines, func(held HeldLine) bool { return held.Exchange == id }) {
			return true
		}
	}
	return false
}

// unfit says why a claim cannot complete, a hold that is gone included.
func (o *Orders) unfit(claimNo string, hold *Hold) string {
	if hold.State != "active" || slices.ContainsFunc(hold.Lines, func(held HeldLine) bool { return o.line(held.Item).ClaimNo != claimNo }) {
		return "hold"
	}
	return o.obstacle(hold)
}

// replaced reports whether the lines that stand in are there.
func (hold *Hold) replaced() bool { return hold.Lines[0].Exchange != uuid.Nil }

// settle moves the claimed quantities into their last state.
func (o *Orders) settle(hold *Hold) {
	for i, held := range hold.Lines {
		line := o.line(held.Item)
		line.ClaimNo = ""
		part := o.split(line, held.Quantity)
		part.Status = ends[hold.Type]
		hold.Lines[i].Settled = part.ID
	}
	hold.State = "settled"
	o.changes[hold.orderNo]++
}

// settled tells where the claimed quantities are.
func (hold *Hold) settled() []*ordersv1.SettledLine {
	lines := make([]*ordersv1.SettledLine, 0, len(hold.Lines))
	for _, held := range hold.Lines {
		lines = append(lines, &ordersv1.SettledLine{ItemId: held.Item.String(), SettledItemId: held.Settled.String()})
	}
	return lines
}

// withdraw cancels the lines that stand in and were not shipped, because an exchange ends without them.
func (o *Orders) withdraw(hold *Hold) {
	for _, held := range hold.Lines {
		if line := o.line(held.Exchange); line != nil && slices.Contains(startable["cancel"], line.Status) {
			line.Status = "canceled"
		}
	}
}
