package model

import (
	"slices"
	"strconv"
	"time"
)

const confirmAfter = 8 * 24 * time.Hour

// processing is a call that moves items to a state: the states that count as done, unless the parcel is another one and they are
// among those in which it is replaced, the states from which it is possible, the code of its refusal, and the gates at which an
// exchange line is refused, with the code.
type processing struct {
	to       string
	done     map[string]bool
	replaces map[string]bool
	from     map[string]bool
	refusal  string
	gates    map[string]string
	parcel   bool
}

const notReshipping = "EXCHANGE_ITEM_NOT_RESHIPPING"

var processings = map[Kind]processing{
	Prepare: {
		to: Preparing, done: set(Preparing), from: set(Paid), refusal: "ORDER_ITEM_NOT_PREPARABLE",
		gates: map[string]string{gateClosed: "EXCHANGE_ITEM_NOT_PREPARABLE"},
	},
	Ship: {
		to: Shipping, done: set(Shipping, Delivered, Confirmed), from: set(Paid, Preparing), refusal: "ORDER_ITEM_NOT_SHIPPABLE",
		gates: map[string]string{gateClosed: notReshipping, gateEnded: notReshipping}, parcel: true,
	},
	CorrectParcel: {
		to: Shipping, done: set(Shipping, Delivered, Confirmed), replaces: set(Shipping), from: set(Shipping),
		refusal: "ORDER_ITEM_NOT_SHIPPABLE", gates: map[string]string{gateClosed: notReshipping, gateEnded: notReshipping},
		parcel: true,
	},
	Deliver: {
		to: Delivered, done: set(Delivered, Confirmed), from: set(Shipping), refusal: "ORDER_ITEM_NOT_DELIVERABLE", parcel: true,
	},
	Confirm: {to: Confirmed, done: set(Confirmed), from: set(Delivered), refusal: "failed_precondition"},
}

// decide reports whether a line has already reached the state, and otherwise returns the code with which the transition is
// refused, if any.
func (m *Model) decide(p processing, line *Line, parcel *Parcel) (already bool, refusal string) {
	isOther := parcel != nil && p.done[line.State] && !line.Parcel.same(parcel)
	switch {
	case p.done[line.State] && !isOther:
		return true, ""
	case isOther && !p.replaces[line.State]:
		return false, "SHIPMENT_STATE_CONFLICT"
	case line.held():
		return false, "ORDER_ITEM_HAS_ACTIVE_CLAIM"
	case p.gates[line.Gate] != "":
		return false, p.gates[line.Gate]
	case p.to == Shipping && m.frozenExchange(line):
		return false, notReshipping
	case !p.from[line.State]:
		return false, p.refusal
	default:
		return false, ""
	}
}

// stateOf returns the state that a refusal shows of a line: one that is canceled in the round may still have been closed only.
func (m *Model) stateOf(id ItemID, line *Line) any {
	if before, isClosed := m.closed[id]; isClosed {
		return Either{before, Canceled}
	}
	return line.State
}

func (m *Model) frozenExchange(line *Line) bool {
	return line.Gate == gateOpen && m.Claims[line.ExchangeClaim].Frozen
}

// find returns an order and the lines with the given codes. The reply is the refusal, or zero when all lines exist.
func (m *Model) find(order int, items []int, everyone bool) (*Order, []*Line, Reply) {
	o := m.Orders[order]
	if !o.Visible() {
		return nil, nil, refuse(statusMissing, "ORDER_NOT_FOUND")
	}
	found := make([]*Line, 0, len(items))
	var missing []any
	for _, item := range items {
		line := o.line(item)
		if line == nil || line.Others && !everyone {
			missing = append(missing, Object{"item_id": SentItem{order, item}})
		}
		found = append(found, line)
	}
	if len(missing) > 0 {
		return nil, nil, refuse(statusMissing, "ORDER_ITEM_NOT_FOUND").with(Object{"items": missing})
	}
	return o, found, Reply{}
}

func wrongItems(items []int) Reply {
	sorted := slices.Sorted(slices.Values(items))
	if len(items) == 0 || len(slices.Compact(sorted)) < len(items) {
		return refuse(statusInvalid, "VALIDATION_ERROR")
	}
	return Reply{}
}

func (m *Model) process(op Op, id int) Reply {
	if wrong := wrongItems(op.Items); !wrong.ok() {
		return wrong
	}
	var parcel *Parcel
	if processings[op.Kind].parcel && op.Kind != Deliver {
		if op.Parcel == nil {
			return refuse(statusInvalid, "VALIDATION_ERROR")
		}
		normal, wrong := op.Parcel.normal()
		if !wrong.ok() {
			return wrong
		}
		parcel = normal
	}
	return m.bring(processings[op.Kind], op.Order, op.Items, parcel, at(id, atOrder), false)
}

// bring moves lines to the state of a call, all or none.
func (m *Model) bring(p processing, order int, items []int, parcel *Parcel, now moment, everyone bool) Reply {
	o, lines, missing := m.find(order, items, everyone)
	if !missing.ok() {
		return missing
	}
	already, first, problems := make([]bool, len(lines)), "", []any(nil)
	for i, line := range lines {
		var refusal string
		if already[i], refusal = m.decide(p, line, parcel); refusal != "" {
			id := ItemID{order, line.Code}
			problems = append(problems, Object{"item_id": id, "item_status": m.stateOf(id, line)})
			if first == "" {
				first = refusal
			}
		}
	}
	if first != "" {
		return refuse(statusNo, first).with(Object{"items": problems})
	}
	changed := false
	for i, line := range lines {
		if already[i] {
			continue
		}
		changed = true
		if parcel != nil {
			line.Parcel = parcel
		}
		line.enter(p.to, now)
	}
	if changed {
		o.Changes++
	}
	return done(processed(p, o, lines, already))
}

func processed(p processing, o *Order, lines []*Line, already []bool) Object {
	items := make([]any, 0, len(lines))
	for i, line := range lines {
		item := Object{
			"item_id": ItemID{o.No, line.Code}, "item_code": CodeOf{o.No, line.Code}, "item_status": line.State,
			"already_done": already[i],
		}
		if p.parcel {
			item["tracking_no"], item["carrier_name"] = line.Parcel.TrackingNo, line.Parcel.Carrier
		}
		items = append(items, item)
	}
	return Object{"order_no": OrderNo(o.No), "order_status": o.Status(), "updated_at": Stamp{}, "items": items}
}

// NoSuchPath stands for the refusal without a code of a path at which there is nothing.
const NoSuchPath = "none of 404"

// correctParcel puts lines into another parcel. For a seller who may not do that there is nothing at the path, whatever is sent.
func (m *Model) correctParcel(op Op, id int) Reply {
	if !m.MayCorrect {
		return refuse(statusMissing, NoSuchPath)
	}
	return m.process(op, id)
}

func (m *Model) permit(op Op, _ int) Reply {
	m.MayCorrect = op.Permitted
	return done(Object{})
}

// check answers what the batch would answer, and changes nothing.
func (m *Model) check(op Op, id int) Reply { return m.Clone().batch(op, id) }

// batch handles a batch shipment: each entry is decided in turn.
func (m *Model) batch(op Op, id int) Reply {
	for _, entry := range op.Entries {
		if wrong := wrongItems(entry.Items); !wrong.ok() {
			return wrong
		}
	}
	if len(op.Entries) == 0 {
		return refuse(statusInvalid, "VALIDATION_ERROR")
	}
	b := batchResult{succeeded: []any{}, failed: []any{}, good: map[any]bool{}, bad: map[any]bool{}}
	for i, entry := range op.Entries {
		parcel, reply := entry.Parcel.normal()
		if reply.ok() {
			reply = m.bring(processings[Ship], entry.Order, entry.Items, parcel, at(id, atOrder+strconv.Itoa(i)), false)
		}
		b.note(i, entry, reply)
	}
	return done(Object{
		"succeeded": b.succeeded, "failed": b.failed,
		"summary": Object{"succeeded": int64(len(b.good)), "failed": int64(len(b.bad))},
	})
}

type batchResult struct {
	succeeded, failed []any
	good, bad         map[any]bool
}

func (b *batchResult) note(index int, entry Entry, reply Reply) {
	if reply.ok() {
		for _, item := range entry.Items {
			if id := (ItemID{entry.Order, item}); !b.good[id] {
				b.good[id] = true
				b.succeeded = append(b.succeeded, id)
			}
		}
		return
	}
	ids := []any{}
	for _, item := range entry.Items {
		id := SentItem{entry.Order, item}
		b.bad[id] = true
		if reply.Code != "ORDER_NOT_FOUND" {
			ids = append(ids, id)
		}
	}
	b.failed = append(b.failed, Object{
		"order_no": OrderNo(entry.Order), "order_item_public_ids": ids, "error_code": reply.Code, "message": Anything{},
		"index": int64(index), "error_data": Says(reply.Problem),
	})
}
