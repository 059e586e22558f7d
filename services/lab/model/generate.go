package model

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// Generator generates operations that suit a state, and some that do not.
type Generator struct {
	random *rand.Rand
	// without holds the names of kinds and traits that are left out.
	without map[string]bool
	// next holds the numbers that were given out last.
	next struct{ order, claim, act, payment, key, inquiry int }
	// past holds the public operations so far, for repetitions; corrected the operators' corrections.
	past, corrected []Op
	// plan holds operations that come next, for sequences so long that chance seldom generates them.
	plan []Op
}

// The traits of operations that can be left out, in addition to kinds.
const (
	// WithPoints stands for orders that were paid with points.
	WithPoints = "points"
	// WithRepeats stands for batches that name an item in several entries.
	WithRepeats = "batch-repeats"
	// WithOddIDs stands for item ids that are not UUIDs.
	WithOddIDs = "odd-ids"
	// WithOddMemos stands for memos that are blank, empty or missing.
	WithOddMemos = "odd-memos"
	// WithFreeShipping stands for orders whose shipping was free.
	WithFreeShipping = "free-shipping"
	// WithLater stands for refunds that the provider pays later, or refuses.
	WithLater = "later"
	// WithOthers stands for orders with another seller's lines.
	WithOthers = "others"
	// WithClients stands for several operations at the same time.
	WithClients = "clients"
	// WithWrong stands for operations that cannot succeed.
	WithWrong = "wrong"
	// WithReplays stands for idempotency keys that were used before.
	WithReplays = "replays"
)

// NewGenerator returns the generator of a seed; it leaves out the named kinds and traits.
func NewGenerator(seed uint64, without ...string) *Generator {
	return &Generator{random: rand.New(rand.NewPCG(seed, 1)), without: set(without...)} //nolint:gosec // a test's choice
}

// unseen holds operations whose effect no client can read, so that the order of two of them could not be determined.
// Convert is among them because the return inherits a freeze.
var unseen = set(Freeze, Unfreeze, SetPolicy, Convert, Permit)

// isUnseen reports whether no client can read the effect of an operation: it is unseen, or corrects a line of another seller.
func (m *Model) isUnseen(op Op) bool {
	if op.Kind != Correct {
		return unseen[op.Kind]
	}
	o := m.Orders[op.Order]
	if o == nil {
		return false
	}
	line := o.line(op.Items[0])
	return line != nil && line.Others
}

// clientsMost is how many clients act at the same time.
const clientsMost = 3

// Round generates the operations of the next round: one, or several that happen at the same time, usually on one order.
func (g *Generator) Round(m *Model) []Op {
	first := g.operation(m, 0)
	round := []Op{first}
	if first.alone() || g.without[WithClients] {
		return round
	}
	for len(round) < clientsMost && g.chance(2) {
		op := g.operation(m, m.orderOf(first))
		clashes := func(other Op) bool {
			isOrderLost := m.isUnseen(op) && m.isUnseen(other)
			return other.Key != 0 && other.Key == op.Key || isOrderLost
		}
		if !op.alone() && !slices.ContainsFunc(round, clashes) {
			round = append(round, op)
		}
	}
	return round
}

// alone reports whether an operation needs a round of its own: it has several steps that must not be interrupted, or
// creates what others use.
func (op Op) alone() bool { return separate[op.Kind] || op.Last }

var separate = set(Place, Batch, PassDeadline, RetryRefund)

func (m *Model) orderOf(op Op) int {
	if c := m.Claims[op.Claim]; c != nil {
		return c.Order
	}
	return op.Order
}

// chance returns true once in n times.
func (g *Generator) chance(n int) bool { return g.random.IntN(n) == 0 }

func among[T any](g *Generator, choices ...T) T { return choices[g.random.IntN(len(choices))] }

func number(next *int) int {
	*next++
	return *next
}

// maker generates an operation; make returns false when the state does not allow one. order is the order that it is about,
// 0 for any.
type maker struct {
	weight int
	make   func(g *Generator, m *Model, order int) (Op, bool)
}

var makers = []maker{
	{4, (*Generator).placement},
	{30, (*Generator).claimAction},
	{22, (*Generator).claimRequest},
	{14, (*Generator).claimEvent},
	{16, (*Generator).progress},
	{3, (*Generator).batch},
	{6, (*Generator).parcelCorrection},
	{3, (*Generator).confirmation},
	{5, (*Generator).correction},
	{5, (*Generator).replay},
	{3, (*Generator).inquiry},
	{1, (*Generator).rare},
	{3, (*Generator).freezing},
	{4, (*Generator).undoing},
	{25, (*Generator).registering},
	{3, (*Generator).deadline},
	{8, (*Generator).refunding},
}

// operation generates an operation. When no order is live, it places one.
func (g *Generator) operation(m *Model, order int) Op {
	if len(m.liveOrders()) == 0 {
		op, _ := g.placement(m, 0)
		return op
	}
	if op, ok := g.planned(order); ok {
		return g.noted(op)
	}
	total := 0
	for _, row := range makers {
		total += row.weight
	}
	for {
		at := g.random.IntN(total)
		for _, row := range makers {
			if at -= row.weight; at >= 0 {
				continue
			}
			if op, ok := row.make(g, m, order); ok && !g.without[string(op.Kind)] {
				return g.noted(op)
			}
			break
		}
	}
}

func (g *Generator) planned(order int) (Op, bool) {
	if order != 0 || len(g.plan) == 0 {
		return Op{}, false
	}
	op := g.plan[0]
	g.plan = g.plan[1:]
	return op, !g.without[string(op.Kind)]
}

func (g *Generator) noted(op Op) Op {
	if op.Public() && op.Key == 0 {
		op.Key = number(&g.next.key)
		g.past = append(g.past, op)
	}
	return op
}

func (m *Model) liveOrders() []*Order {
	var live []*Order
	for _, no := range slices.Sorted(maps.Keys(m.Orders)) {
		if o := m.Orders[no]; o.Visible() && slices.ContainsFunc(o.Lines, isLive) {
			live = append(live, o)
		}
	}
	return live
}

func isLive(l Line) bool { return !l.Others && (correctable[l.State] || l.held()) }

const ordersMost = 3

// pick returns the given order if it is visible, else a live order at random.
func (g *Generator) pick(m *Model, order int) *Order {
	if o := m.Orders[order]; o.Visible() {
		return o
	}
	return among(g, m.liveOrders()...)
}

// placement places an order, or once in a while a known one again.
func (g *Generator) placement(m *Model, order int) (Op, bool) {
	if order != 0 || len(m.liveOrders()) >= ordersMost {
		return Op{}, false
	}
	if g.next.order > 0 && g.wrong(8) {
		no := 1 + g.random.IntN(g.next.order)
		again := m.Orders[no]
		if again != nil {
			spec := *again.Spec
			if g.chance(2) {
				spec.Points++
			}
			return Op{Kind: Place, Order: no, Place: &spec}, true
		}
	}
	spec := &Placement{ShippingBase: 3000, ShippingPaid: among[int64](g, 3000, 3000, 0)}
	if g.without[WithFreeShipping] {
		spec.ShippingPaid = 3000
	}
	spec.Unpaid = g.chance(12)
	state := among(g, "", "", Preparing, Delivered, Delivered, Delivered)
	for range 1 + g.random.IntN(3) {
		spec.Lines = append(spec.Lines, g.lineSpec(state, spec.Unpaid))
	}
	if g.chance(6) && !g.without[WithOthers] {
		spec.Others = append(spec.Others, g.lineSpec(among(g, "", Delivered), spec.Unpaid))
	}
	spec.Points = g.points(spec)
	if !spec.Unpaid && g.wrong(20) {
		spec.PaidAt = among(g, ZeroTime, LongSince)
	}
	return Op{Kind: Place, Order: number(&g.next.order), Place: spec}, true
}

// points draws the used points of a placement: none, some, all that was paid for, or more.
func (g *Generator) points(spec *Placement) int64 {
	if g.without[WithPoints] {
		return 0
	}
	var paid int64
	for _, line := range spec.Lines {
		paid += line.Unit*line.Quantity - line.Discount
	}
	return among(g, 0, 0, g.random.Int64N(paid+1), g.random.Int64N(paid+1), paid, paid+1000, paid+3000)
}

func (g *Generator) lineSpec(state string, unpaid bool) LineSpec {
	spec := LineSpec{Quantity: 1 + g.random.Int64N(4), Unit: among[int64](g, 700, 1999, 12_900, 20_001), State: state}
	spec.Discount = g.random.Int64N(spec.Unit)
	if unpaid {
		spec.State = ""
	}
	return spec
}

// wrong returns true once in n times, unless only operations that succeed are wanted.
func (g *Generator) wrong(n int) bool { return g.chance(n) && !g.without[WithWrong] }

// items draws items of an order, most of them as wanted, and sometimes one that does not exist.
func (g *Generator) items(o *Order, wanted func(*Line) bool) []int {
	var fit []int
	for i := range o.Lines {
		if line := &o.Lines[i]; !line.Others && (wanted(line) || g.wrong(8)) {
			fit = append(fit, line.Code)
		}
	}
	g.random.Shuffle(len(fit), func(i, k int) { fit[i], fit[k] = fit[k], fit[i] })
	if len(fit) > 1 {
		fit = fit[:1+g.random.IntN(len(fit))]
	}
	if g.wrong(30) {
		fit = append(fit, g.strayItem(o))
	}
	if len(fit) > 0 && g.wrong(60) {
		fit = append(fit, fit[0])
	}
	return fit
}

// strayItem returns a number that is not one of the seller's items: an unknown id, one that is not a UUID, or another
// seller's item.
func (g *Generator) strayItem(o *Order) int {
	if last := o.Lines[len(o.Lines)-1]; last.Others {
		return last.Code
	}
	if g.without[WithOddIDs] {
		return -1
	}
	return among(g, -1, -2, -3)
}

var parcels = []Parcel{
	{Carrier: "CJ대한통운", TrackingNo: "612345678901"},
	{Carrier: "한진택배", TrackingNo: "412345678901"},
	{Carrier: " 한진택배 ", TrackingNo: "4123-4567-8901"},
	{Carrier: "CJ대한통운", TrackingNo: "612345678901", Logistics: text("가온물류")},
	{Carrier: "CJ대한통운", TrackingNo: "6123 4567 8901", Logistics: text("")},
}

var wrongParcels = []*Parcel{
	nil,
	{Carrier: "", TrackingNo: ""},
	{Carrier: "DHL", TrackingNo: "1"},
	{Carrier: "한진택배", TrackingNo: " "},
	{Carrier: "한진택배", TrackingNo: "1\u0007"},
	{Carrier: "한진\n택배", TrackingNo: ""},
}

func text(s string) *string { return &s }

// parcel draws one of a few parcels, so that the same one occurs often.
func (g *Generator) parcel() *Parcel {
	if g.wrong(12) {
		return among(g, wrongParcels...)
	}
	parcel := among(g, parcels...)
	return &parcel
}

// restEvery is the average number of rounds between two comparisons of everything.
const restEvery = 12

// Rests reports whether everything is to be compared after the next round.
func (g *Generator) Rests() bool { return g.chance(restEvery) }
