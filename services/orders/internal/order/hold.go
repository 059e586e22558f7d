package order

import (
	"reflect"
	"slices"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
)

// ClaimType is what a customer asks for.
type ClaimType string

// The types of claims.
const (
	ClaimCancel   ClaimType = "cancel"
	ClaimReturn   ClaimType = "return"
	ClaimExchange ClaimType = "exchange"
)

// ClaimTypes returns the types in the order of the interface.
func ClaimTypes() []ClaimType { return []ClaimType{ClaimCancel, ClaimReturn, ClaimExchange} }

// trigger moves an item to where a claim of the type completes it.
func (c ClaimType) trigger() Trigger {
	return map[ClaimType]Trigger{ClaimCancel: Cancel, ClaimReturn: Return, ClaimExchange: Exchange}[c]
}

// HoldState is the state of a hold.
type HoldState string

// The states of a hold. All but the first are ends, and an ended hold never changes again.
const (
	HoldActive HoldState = "active"
	// HoldReleased: the claim ended without effect.
	HoldReleased HoldState = "released"
	// HoldSettled: the claim completed.
	HoldSettled HoldState = "settled"
	// HoldConverted: a return holds the items now.
	HoldConverted HoldState = "converted"
)

// Hold reserves items of one seller for a claim.
type Hold struct {
	ClaimNo  string
	Type     ClaimType
	SellerID uuid.UUID
	State    HoldState
	Items    []HoldItem
	// ReturnClaimNo is the claim that holds the items since the hold was converted.
	ReturnClaimNo string
	// Frozen says whether the claim is frozen, FreezeChangedAt when that last changed; zero when it never did.
	Frozen          bool
	FreezeChangedAt time.Time
	// Sealed: what the claim leads to is decided, so nothing may keep the items from completing; see [Hold.Correctable].
	Sealed bool
	// CanceledReshipments are registrations of reshipments that must not ship, ShippedReshipment is the one that did; empty for one
	// that has no name.
	CanceledReshipments []string
	ShippedReshipment   string
}

// HoldItem is the quantity of one item that a claim concerns.
type HoldItem struct {
	ItemID   uuid.UUID
	Quantity int64
	// SettledItemID is the item that carries the quantity since the claim completed.
	SettledItemID uuid.UUID
	// ExchangeItemID is the item that replaces it, zero when there is none.
	ExchangeItemID uuid.UUID
}

// Opened is what a claim learns when it gets its hold.
type Opened struct {
	Plan Plan
	// WholeRemainder: the claimed quantities are all that is left of the seller's part.
	WholeRemainder bool
	// BeforeShipping: nothing of the seller's part was shipped so far.
	BeforeShipping bool
	// SellerQuantity is how many pieces the seller's part had when it was bought.
	SellerQuantity int64
}

// Open holds items for a new claim. The caller checks whether the request is in time.
//
// Codes: ORDER_ITEM_NOT_FOUND; ORDER_ITEM_HAS_ACTIVE_CLAIM when another claim holds one of the items; CLAIM_NOT_APPROVABLE
// with a reason when the state (state, exchange) or the quantity (quantity) of one does not allow it.
func (o *Locked) Open(hold *Hold) (Opened, error) {
	ids := make([]string, 0, len(hold.Items))
	for _, held := range hold.Items {
		ids = append(ids, held.ItemID.String())
	}
	items, err := o.Find(hold.SellerID, ids)
	if err != nil {
		return Opened{}, err
	}
	if err := hold.check(items); err != nil {
		return Opened{}, err
	}
	d := o.draft(Terms{})
	for _, item := range items {
		d.hold(d.item(item.ID), hold.ClaimNo)
	}
	opened := Opened{Plan: d.done(), BeforeShipping: true}
	o.describe(hold, &opened)
	return opened, nil
}

// check reports whether the items may be held.
func (hold *Hold) check(items []*LockedItem) error {
	var held []ItemProblem
	for _, item := range items {
		if item.HasActiveClaim {
			held = append(held, ItemProblem{ItemID: item.ID.String(), State: item.State})
		}
	}
	if len(held) > 0 {
		return apierr.OrderItemHasActiveClaim.With(map[string]any{"items": held})
	}
	for i, item := range items {
		if reason := hold.obstacle(item, hold.Items[i].Quantity); reason != "" {
			return apierr.ClaimNotApprovable.With(map[string]any{"reason": reason})
		}
	}
	return nil
}

// obstacle returns why a claim cannot complete from the item's state; empty when it can.
func (hold *Hold) obstacle(item *LockedItem, quantity int64) string {
	switch {
	case !Items.Can(item.State, hold.Type.trigger()):
		return "state"
	case hold.Type == ClaimCancel && item.Gate != "" && item.Gate != GateEnded:
		return "exchange" // it is the replacement item of an exchange in progress
	case quantity < 1 || quantity > item.Quantity:
		return "quantity"
	default:
		return ""
	}
}

// hold marks an item as held by a claim.
func (d *draft) hold(item *LockedItem, claimNo string) {
	item.ClaimNo, item.HasActiveClaim = claimNo, true
	d.setDeadline(item, time.Time{})
}

// free ends the hold. Automatic confirmation resumes after a grace period for the customer.
func (d *draft) free(item *LockedItem) {
	item.ClaimNo, item.HasActiveClaim = "", false
	d.setDeadline(item, d.order.Now.Add(d.terms.ConfirmAfterClaim))
}

// describe fills in how the claim relates to the seller's part of the order.
func (o *Locked) describe(hold *Hold, opened *Opened) {
	var left, claimed int64
	for _, held := range hold.Items {
		claimed += held.Quantity
	}
	for i := range o.Items {
		item := &o.Items[i]
		if item.SellerID != hold.SellerID || !item.State.Visible() {
			continue
		}
		if item.State.rank() > 0 {
			left += item.Quantity
		}
		if !item.IsExchange {
			opened.SellerQuantity += item.Quantity
		}
		if item.State.Shows().Parcel {
			opened.BeforeShipping = false
		}
	}
	opened.WholeRemainder = claimed == left
}

// Reopen decides about a second call to open a claim that has a hold: nothing changes as long as it is active.
// CLAIM_NOT_APPROVABLE when it has ended (reason hold), or when it holds something else (reason lines).
func (hold *Hold) Reopen(wanted *Hold) error {
	var reason string
	switch {
	case hold.State != HoldActive:
		reason = "hold"
	case !hold.same(wanted):
		reason = "lines"
	default:
		return nil
	}
	return apierr.ClaimNotApprovable.With(map[string]any{"reason": reason})
}

// same reports whether another hold asks for the same as this one did.
func (hold *Hold) same(other *Hold) bool {
	return hold.ClaimNo == other.ClaimNo && hold.Type == other.Type && hold.SellerID == other.SellerID &&
		slices.EqualFunc(hold.Items, other.Items, func(a, b HoldItem) bool {
			return a.ItemID == b.ItemID && a.Quantity == b.Quantity
		})
}

// Same reports whether a hold is unchanged.
func (hold *Hold) Same(before *Hold) bool { return reflect.DeepEqual(hold, before) }

// Release ends the hold of a claim that ended without effect, sealed or not; items that were to stand in are canceled. The plan stamps
// nothing when the hold has ended already, in whatever way.
func (o *Locked) Release(hold *Hold, terms Terms) (Hold, Plan) {
	if hold.State != HoldActive {
		return *hold, Plan{}
	}
	d := o.draft(terms)
	for i := range d.next.Items {
		if item := &d.next.Items[i]; item.ClaimNo == hold.ClaimNo {
			d.free(item)
		}
	}
	d.withdraw(hold)
	ended := *hold
	ended.State = HoldReleased
	return ended, d.done()
}

// Holds reports whether the claim still holds its items in a state from which it can complete.
func (o *Locked) Holds(hold *Hold) bool { return hold.State == HoldActive && o.unfit(hold) == "" }

// unfit says why the claim cannot complete: an item is not held by it (hold), or is in a state from which it cannot complete.
func (o *Locked) unfit(hold *Hold) string {
	for _, held := range hold.Items {
		item := o.Item(held.ItemID)
		if item == nil || item.ClaimNo != hold.ClaimNo {
			return "hold"
		}
		if reason := hold.obstacle(item, held.Quantity); reason != "" {
			return reason
		}
	}
	return ""
}

// Touch stamps the order though none of its items changes.
func (o *Locked) Touch() Plan { return Plan{touched: true} }
