package model

import (
	"fmt"
	"reflect"
)

// ways holds the states that a line has passed when it is placed with a history.
var ways = map[string][]string{
	Preparing: {Preparing}, Shipping: {Preparing, Shipping}, Delivered: {Preparing, Shipping, Delivered},
}

// Way lists the states between the payment and the state of a placed line, including that state.
func Way(state string) []string { return ways[state] }

// The invalid times of payments: a zero time, and one before there was any order.
const (
	ZeroTime  = "zero"
	LongSince = "1999"
)

// PlacedParcel is the parcel of every placed line that has been shipped.
var PlacedParcel = Parcel{Carrier: "CJ대한통운", TrackingNo: "612345678901"}

func (m *Model) place(op Op, id int) Reply {
	if op.Place.PaidAt != "" {
		return refuse(statusInvalid, "VALIDATION_ERROR")
	}
	if before := m.Orders[op.Order]; before != nil {
		if !reflect.DeepEqual(before.Spec, op.Place) {
			return done(Object{"outcome": "CONFLICT"})
		}
		return done(Object{"outcome": "ALREADY_PLACED"})
	}
	o := &Order{No: op.Order, Spec: op.Place, Payment: "pending", Changes: 1}
	if !op.Place.Unpaid {
		o.Payment, o.PaidAt = Paid, at(id, atPaid)
		o.Forgotten = m.withdrawn[op.Order] // it was paid before that
	}
	for i, spec := range op.Place.Lines {
		o.Bought += spec.Quantity
		o.addPlaced(spec, i, id)
	}
	m.allocatePoints(o)
	for i, spec := range op.Place.Others {
		o.addPlaced(spec, len(op.Place.Lines)+i, id)
		o.Lines[len(o.Lines)-1].Others = true
	}
	m.Orders[op.Order] = o
	return done(Object{"outcome": "PLACED"})
}

func (o *Order) addPlaced(spec LineSpec, position, id int) {
	amount := spec.Unit * spec.Quantity
	line := o.add(Line{
		Product: ProductName(position), Option: OptionName, Quantity: spec.Quantity, List: spec.Unit + 1000,
		Unit: spec.Unit, Amount: amount,
		Paid: amount - spec.Discount,
	})
	line.enter(Paid, moment{})
	for _, state := range ways[spec.State] {
		if state == Shipping {
			parcel := PlacedParcel
			line.Parcel = &parcel
		}
		line.enter(state, at(id, atHistory+state))
	}
}

// ProductName returns the name of the product at a position of an order.
func ProductName(position int) string { return fmt.Sprintf("상품 %d", position+1) }

// OptionName is the option of every placed line, WantedOption the one for which every exchange asks.
const (
	OptionName   = "블랙 / M"
	WantedOption = "화이트 / L"
)

// allocatePoints allocates the used points to the lines; the remainder pays the shipping.
func (m *Model) allocatePoints(o *Order) {
	paid := make([]int64, 0, len(o.Lines))
	for i := range o.Lines {
		paid = append(paid, o.Lines[i].Paid)
	}
	points, shipping := allocate(o.Spec.Points, o.Spec.ShippingPaid, paid)
	for i := range o.Lines {
		o.Lines[i].Points = points[i]
	}
	o.ShippingPoints = shipping
}

func (m *Model) pay(op Op, id int) Reply {
	o := m.Orders[op.Order]
	switch {
	case o == nil:
		return refuse(statusMissing, "ORDER_NOT_FOUND")
	case o.Payment == op.To:
		return done(Object{"changed": false})
	case o.Payment != "pending":
		return refuse(statusNo, "failed_precondition")
	}
	o.Payment = op.To
	if op.To == Paid {
		o.PaidAt = at(id, atPaid)
		o.Changes++
	}
	return done(Object{"changed": true})
}

func (m *Model) confirm(op Op, id int) Reply {
	if wrong := wrongItems(op.Items); !wrong.ok() {
		return wrong
	}
	before := 0
	if o := m.Orders[op.Order]; o != nil {
		before = o.Changes
	}
	reply := m.bring(processings[Confirm], op.Order, op.Items, nil, at(id, atOrder), true)
	if !reply.ok() {
		return reply
	}
	return done(Object{"changed": m.Orders[op.Order].Changes > before})
}

var correctable = set(Paid, Preparing, Shipping, Delivered)

func (m *Model) correct(op Op, id int) Reply {
	var parcel *Parcel
	if op.Parcel != nil {
		normal, wrong := op.Parcel.normal()
		if !wrong.ok() {
			return wrong
		}
		parcel = normal
	}
	o, lines, missing := m.find(op.Order, op.Items, true)
	if !missing.ok() {
		return missing
	}
	line := lines[0]
	if before, known := m.acts[op.Act]; known {
		if before.repeats(op, parcel) {
			return done(Object{"changed": false})
		}
		return refuse(statusNo, "already_exists")
	}
	if code := m.incorrectable(line, op.To, parcel); code != "" {
		return refuse(statusNo, code)
	}
	changed := line.State != op.To
	if parcel != nil && !line.Parcel.same(parcel) {
		line.Parcel, changed = parcel, true
	}
	if line.State != op.To {
		line.enter(op.To, at(id, atOrder))
	}
	if changed {
		o.Changes++
	}
	m.acts[op.Act] = act{op.Order, line.Code, op.To, line.Parcel}
	return done(Object{"changed": changed})
}

func (a act) repeats(op Op, parcel *Parcel) bool {
	return a.order == op.Order && a.item == op.Items[0] && a.to == op.To && (parcel == nil || a.left.same(parcel))
}

// decided are the states of claims in which their lines cannot be corrected: the refund or the exchange is decided.
var decided = set(RefundProcessing, Reshipping)

func (m *Model) incorrectable(line *Line, to string, parcel *Parcel) string {
	switch {
	case line.held() && decided[m.Claims[line.Claim].Status]:
		return "failed_precondition"
	case !correctable[line.State] || !correctable[to]:
		return "failed_precondition"
	case showsParcel[to] && parcel == nil && line.Parcel == nil, !showsParcel[to] && parcel != nil:
		return "invalid_argument"
	case line.Gate == gateClosed:
		return "failed_precondition"
	default:
		return ""
	}
}

func (m *Model) forget(op Op, _ int) Reply {
	o := m.Orders[op.Order]
	switch {
	case o == nil:
		m.withdrawn[op.Order] = true
		fallthrough
	case o.Forgotten:
		return done(Object{"orders": int64(0)})
	}
	o.Forgotten = true
	o.Changes++
	return done(Object{"orders": int64(1)})
}
