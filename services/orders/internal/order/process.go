package order

import (
	"slices"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
)

// Processed is the result of a call that moves items to a state.
type Processed struct {
	// Items are the requested items, in that order, in their state afterwards.
	Items []ProcessedItem
	Plan  Plan
}

// ProcessedItem is the result for one item.
type ProcessedItem struct {
	Item LockedItem
	// AlreadyDone says that the item had reached the state before.
	AlreadyDone bool
}

// operation defines what a call does to each of its items.
type operation struct {
	trigger Trigger
	actor   string
	// done are the states in which the call has nothing left to do.
	done Set
	// replaces are those of them in which the call puts the item into its parcel if it is in another one.
	replaces Set
	// refusal is the code for a state without a transition for the trigger.
	refusal apierr.Code
	// barred is the code for items of an exchange whose gate is not one of passes; empty if the call ignores gates.
	barred apierr.Code
	passes []Gate
}

// Prepare brings the seller's items into preparing, all or none. Codes: ORDER_ITEM_NOT_FOUND,
// ORDER_ITEM_HAS_ACTIVE_CLAIM, EXCHANGE_ITEM_NOT_PREPARABLE, ORDER_ITEM_NOT_PREPARABLE.
func (o *Locked) Prepare(seller uuid.UUID, ids []string) (Processed, error) {
	return o.process(operation{
		trigger: Prepare, actor: byAPI, done: SetOf(Preparing), refusal: apierr.OrderItemNotPreparable,
		barred: apierr.ExchangeItemNotPreparable, passes: []Gate{GateOpen, GateFrozen, GateEnded},
	}, seller, ids, nil, Terms{})
}

// Ship ships the seller's items in one parcel, all or none. Items that were already shipped in the same parcel, delivered or not,
// are already done. Codes: ORDER_ITEM_NOT_FOUND, SHIPMENT_STATE_CONFLICT, ORDER_ITEM_HAS_ACTIVE_CLAIM,
// EXCHANGE_ITEM_NOT_RESHIPPING, ORDER_ITEM_NOT_SHIPPABLE.
func (o *Locked) Ship(seller uuid.UUID, ids []string, parcel carrier.Shipment) (Processed, error) {
	return o.process(operation{
		trigger: Ship, actor: byAPI, done: SetOf(Shipping, Delivered, Confirmed), refusal: apierr.OrderItemNotShippable,
		barred: apierr.ExchangeItemNotReshipping, passes: []Gate{GateOpen},
	}, seller, ids, &parcel, Terms{})
}

// Deliver records the delivery of the seller's items, all or none, and sets the deadline of their automatic confirmation.
// Items that are delivered or confirmed are already done. Codes: ORDER_ITEM_NOT_FOUND, ORDER_ITEM_HAS_ACTIVE_CLAIM,
// ORDER_ITEM_NOT_DELIVERABLE.
func (o *Locked) Deliver(seller uuid.UUID, ids []string, terms Terms) (Processed, error) {
	return o.process(operation{
		trigger: Deliver, actor: byAPI, done: SetOf(Delivered, Confirmed), refusal: apierr.OrderItemNotDeliverable,
	}, seller, ids, nil, terms)
}

// CorrectShipment puts the seller's items that are on their way into another parcel, all or none. Their state and the time of
// their shipment stay. Items that are in the parcel, delivered or not, are already done; those that were delivered in another one
// keep it. Codes: those of Ship.
func (o *Locked) CorrectShipment(seller uuid.UUID, ids []string, parcel carrier.Shipment) (Processed, error) {
	return o.process(operation{
		done: SetOf(Shipping, Delivered, Confirmed), replaces: SetOf(Shipping), refusal: apierr.OrderItemNotShippable,
		barred: apierr.ExchangeItemNotReshipping, passes: []Gate{GateOpen},
	}, seller, ids, &parcel, Terms{})
}

// decision is the outcome of an operation for one item: already done, a transition, another parcel alone, or a refusal.
type decision struct {
	done bool
	// arrow is zero if the item stays in its state.
	arrow   arrow
	refusal apierr.Code
}

// decide evaluates an operation for one item. The order of the checks is that of the interface: already done, shipped
// otherwise, claimed, barred by the exchange, and only then the state.
func (op operation) decide(item *LockedItem, parcel *carrier.Shipment) decision {
	replaces := false
	if op.done.Has(item.State) {
		if parcel == nil || item.Parcel().Same(*parcel) {
			return decision{done: true}
		}
		if replaces = op.replaces.Has(item.State); !replaces {
			return decision{refusal: apierr.ShipmentStateConflict}
		}
	}
	switch {
	case item.HasActiveClaim:
		return decision{refusal: apierr.OrderItemHasActiveClaim}
	case op.bars(item.Gate):
		return decision{refusal: op.barred}
	case replaces:
		return decision{}
	}
	for _, rule := range Items.Find(item.State, op.trigger) {
		if rule.Actor == op.actor {
			return decision{arrow: rule}
		}
	}
	return decision{refusal: op.refusal}
}

// bars reports whether the gate bars the operation: the exchange is not reshipping yet, is frozen, or has ended.
func (op operation) bars(gate Gate) bool {
	return gate != "" && op.barred != "" && !slices.Contains(op.passes, gate)
}

// process performs an operation on all of the seller's items with the ids, or on none. A refusal has the code of the first item
// that is refused, and its error_data names all of them.
func (o *Locked) process(op operation, seller uuid.UUID, ids []string, parcel *carrier.Shipment, terms Terms) (Processed, error) {
	items, err := o.Find(seller, ids)
	if err != nil {
		return Processed{}, err
	}
	decisions, err := op.decideAll(items, ids, parcel)
	if err != nil {
		return Processed{}, err
	}
	d := o.draft(terms)
	for i, item := range items {
		if decisions[i].done {
			continue
		}
		next := d.item(item.ID)
		if parcel != nil {
			next.put(*parcel)
			d.plan.Parcel = parcel
		}
		if to := decisions[i].arrow.To; to != "" {
			d.enter(next, to)
		}
	}
	result := Processed{Items: make([]ProcessedItem, 0, len(items)), Plan: d.done()}
	for i, item := range items {
		result.Items = append(result.Items, ProcessedItem{Item: *d.item(item.ID), AlreadyDone: decisions[i].done})
	}
	return result, nil
}

func (op operation) decideAll(items []*LockedItem, ids []string, parcel *carrier.Shipment) ([]decision, error) {
	decisions := make([]decision, 0, len(items))
	var problems []ItemProblem
	var first apierr.Code
	for i, item := range items {
		j := op.decide(item, parcel)
		decisions = append(decisions, j)
		if j.refusal == "" {
			continue
		}
		if first == "" {
			first = j.refusal
		}
		problems = append(problems, problemOf(item, ids[i], j.refusal))
	}
	if first != "" {
		return nil, first.With(map[string]any{"items": problems})
	}
	return decisions, nil
}

func problemOf(item *LockedItem, id string, code apierr.Code) ItemProblem {
	problem := ItemProblem{ItemID: id, State: item.State}
	if code == apierr.ShipmentStateConflict {
		problem.ItemParcel = &ItemParcel{
			CarrierName: item.CarrierName, TrackingNo: item.TrackingNo, LogisticsCompany: item.LogisticsCompany,
		}
	}
	return problem
}
