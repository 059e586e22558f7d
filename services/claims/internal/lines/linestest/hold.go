package linestest

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// Hold is what a claim holds or held. It has no lines if the claim was released before it held any.
type Hold struct {
	// State is active, released, settled or converted.
	State string
	Type  string
	Lines []HeldLine
	// ReturnNo is the claim that the lines were moved to.
	ReturnNo string
	// Sealed: operators can no longer correct the lines. Canceled are reshipments that must not ship, Shipped is the one that shipped.
	Sealed   bool
	Canceled []string
	Shipped  string
	// Frozen: replacement lines can only be shipped by the claim.
	Frozen          bool
	freezeChangedAt time.Time

	seller  uuid.UUID
	orderNo string
	// answer is the response to the call that opened the hold; nil if the lines were moved from an exchange.
	answer *ordersv1.OpenResponse
}

// HeldLine is the claimed quantity of a line.
type HeldLine struct {
	Item, Settled, Exchange uuid.UUID
	Quantity                int64
}

// startable are the states from which a claim can complete, ends the resulting states.
var (
	startable = map[string][]string{"cancel": {"paid", "preparing"}, "return": {"delivered"}, "exchange": {"delivered"}}
	ends      = map[string]string{"cancel": "canceled", "return": "returned", "exchange": "exchanged"}
)

// because returns a refusal with a reason; nil if the reason is empty.
func because(code apierr.Code, reason string) error {
	if reason == "" {
		return nil
	}
	return code.With(map[string]any{"reason": reason})
}

// held returns what a claim holds or held.
func (o *Orders) held(claimNo string) (*Hold, error) {
	if hold := o.holds[claimNo]; hold != nil && len(hold.Lines) > 0 {
		return hold, nil
	}
	return nil, apierr.ClaimNotFound
}

// reopen returns the reason why an existing hold's number cannot be used for another one.
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

// claimable returns a refusal if the lines cannot be held.
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

// obstacle returns the reason why a claim cannot complete from the current state of its lines.
func (o *Orders) obstacle(hold *Hold) string {
	for _, held := range hold.Lines {
		switch line := o.line(held.Item); {
		case !slices.Contains(startable[hold.Type], line.Status):
			return "state"
		case hold.Type == "cancel" && (line.Closed || o.standsIn(line.ID)):
			return "exchange"
		case held.Quantity > line.Quantity:
			return "quantity"
		}
	}
	return ""
}

// standsIn reports whether a line is the replacement in an open exchange.
func (o *Orders) standsIn(id uuid.UUID) bool {
	for _, hold := range o.holds {
		if hold.State == "active" && slices.ContainsFunc(hold.Lines, func(held HeldLine) bool { return held.Exchange == id }) {
			return true
		}
	}
	return false
}

// unfit returns the reason why a claim cannot complete, including that it no longer holds its lines.
func (o *Orders) unfit(claimNo string, hold *Hold) string {
	if hold.State != "active" || slices.ContainsFunc(hold.Lines, func(held HeldLine) bool { return o.line(held.Item).ClaimNo != claimNo }) {
		return "hold"
	}
	return o.obstacle(hold)
}

// replaced reports whether the replacement lines exist.
func (hold *Hold) replaced() bool { return hold.Lines[0].Exchange != uuid.Nil }

// settle moves the claimed quantities to their final state.
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

// settled returns the lines that carry the claimed quantities.
func (hold *Hold) settled() []*ordersv1.SettledLine {
	lines := make([]*ordersv1.SettledLine, 0, len(hold.Lines))
	for _, held := range hold.Lines {
		lines = append(lines, &ordersv1.SettledLine{ItemId: held.Item.String(), SettledItemId: held.Settled.String()})
	}
	return lines
}

// withdraw cancels the replacement lines that have not shipped, because an exchange ends without them.
func (o *Orders) withdraw(hold *Hold) {
	for _, held := range hold.Lines {
		if line := o.line(held.Exchange); line != nil && slices.Contains(startable["cancel"], line.Status) {
			line.Status = "canceled"
		}
	}
}
