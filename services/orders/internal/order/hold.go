package order

import (
	"reflect"
	"slices"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
)

// ClaimType is the type of a claim.
type ClaimType string

// The types of claims.
const (
	ClaimCancel   ClaimType = "cancel"
	ClaimReturn   ClaimType = "return"
	ClaimExchange ClaimType = "exchange"
)

func (c ClaimType) trigger() Trigger {
	return map[ClaimType]Trigger{ClaimCancel: Cancel, ClaimReturn: Return, ClaimExchange: Exchange}[c]
}

// HoldState is the state of a hold.
type HoldState string

// The states of a hold. All but the first are terminal; an ended hold never changes again.
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
	// ReturnClaimNo is the return that holds the items after a conversion.
	ReturnClaimNo string
	// Frozen says whether the claim is frozen, FreezeChangedAt when that last changed; zero when it never did.
	Frozen          bool
	FreezeChangedAt time.Time
	// Sealed: the outcome of the claim is decided, so nothing may prevent the items from completing; see [Hold.Correctable].
	Sealed bool
	// CanceledReshipments are the refs of reshipments that must not ship. ShippedReshipment is the ref that shipped; it may be
	// empty.
	CanceledReshipments []string
	ShippedReshipment   string
}

// HoldItem is the claimed quantity of one item.
type HoldItem struct {
	ItemID   uuid.UUID
	Quantity int64
	// SettledItemID is the item that has the claimed quantity after the claim completed.
	SettledItemID uuid.UUID
	// ExchangeItemID is the replacement item, zero if there is none.
	ExchangeItemID uuid.UUID
}

// Opened is the result of opening a hold.
type Opened struct {
	Plan Plan
	// WholeRemainder: the claim covers everything that remains of the seller's part.
	WholeRemainder bool
	// BeforeShipping: nothing of the seller's part has been shipped.
	BeforeShipping bool
	// SellerQuantity is the quantity of the seller's part at the time of purchase.
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

// Reopen checks a repeated call to open a hold: it succeeds without effect as long as the hold is active. CLAIM_NOT_APPROVABLE
// when it has ended (reason hold), or when it holds something else (reason lines).
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

// same reports whether another hold requests the same items and quantities as this one.
func (hold *Hold) same(other *Hold) bool {
	return hold.ClaimNo == other.ClaimNo && hold.Type == other.Type && hold.SellerID == other.SellerID &&
		slices.EqualFunc(hold.Items, other.Items, func(a, b HoldItem) bool {
			return a.ItemID == b.ItemID && a.Quantity == b.Quantity
		})
}

// Same reports whether a hold is unchanged.
func (hold *Hold) Same(before *Hold) bool { return reflect.DeepEqual(hold, before) }

// Release ends the hold of a claim that ended without effect, sealed or not, and cancels replacement items. The plan is empty
// when the hold has ended already, in whatever way.
func (o *Locked) Release(hold *Hold, terms Terms) (Hold, Plan, error) {
	if hold.State != HoldActive {
		return *hold, Plan{}, nil
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
	return ended, d.done(), nil
}

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

// Rule decides a step of a claim on a locked order and the claim's hold. It returns the hold afterwards and the plan.
type Rule func(o *Locked, hold *Hold) (Hold, Plan, error)

// Touch returns a plan that gives the order a new updated_at without changing its items. CLAIM_NOT_APPROVABLE with a reason when
// the claim must be able to complete (whileHeld) and cannot, which may be because its hold has ended.
func (o *Locked) Touch(hold *Hold, whileHeld bool) (Hold, Plan, error) {
	if reason := o.impediment(hold); whileHeld && reason != "" {
		return *hold, Plan{}, apierr.ClaimNotApprovable.With(map[string]any{"reason": reason})
	}
	return *hold, Plan{touched: true}, nil
}
