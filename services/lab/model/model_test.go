package model

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Points are allocated in proportion to what was paid: none are lost, no line gets more than it cost, and the rest pays the
// shipping.
func TestAllocate(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		points, shippingPaid int64
		paid, lines          []int64
		shipping             int64
	}{
		{0, 3000, []int64{100, 200}, []int64{0, 0}, 0},
		{100, 3000, []int64{100, 200}, []int64{33, 67}, 0},
		{299, 3000, []int64{100, 100, 100}, []int64{99, 100, 100}, 0},
		{300, 3000, []int64{100, 200}, []int64{100, 200}, 0},
		{1300, 500, []int64{100, 200}, []int64{100, 200}, 500},
		{10, 0, []int64{0, 0}, []int64{0, 0}, 0},
	} {
		lines, shipping := allocate(row.points, row.shippingPaid, row.paid)
		require.Equal(t, row.lines, lines)
		require.Equal(t, row.shipping, shipping)
	}
}

// The same seed generates the same operations, and the seeds generate every kind of operation.
func TestGenerator(t *testing.T) {
	t.Parallel()
	play := func(seed uint64) (ops []Op) {
		g, m := NewGenerator(seed), New()
		for range 60 {
			round := g.Round(m)
			order := Orders(len(round))[0]
			m = m.Play(round, order, len(ops), false).Model
			ops = append(ops, round...)
		}
		return ops
	}
	first, again := play(1), play(1)
	require.Equal(t, first, again)
	kinds := map[Kind]bool{}
	for seed := range uint64(100) {
		for _, op := range play(seed) {
			kinds[op.Kind] = true
		}
	}
	for kind := range operations {
		require.True(t, kinds[kind], kind)
	}
}

// Whatever operations are applied, no customer is refunded more than was paid, and no line has more points than were paid for it.
func TestModel_money(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		g, m := NewGenerator(seed), New()
		for id := range 60 {
			m.Apply(g.Round(m)[0], id)
		}
		for _, o := range m.Orders {
			requireMoney(t, m, o)
		}
	}
}

func requireMoney(t *testing.T, m *Model, o *Order) {
	t.Helper()
	var paid, back int64
	for _, line := range o.Spec.Lines {
		paid += line.Unit*line.Quantity - line.Discount
	}
	for _, c := range m.ClaimsOf(o.No) {
		paid += c.Money.ShortfallPaid
		for _, payout := range c.Asked {
			require.GreaterOrEqual(t, payout.Money, int64(0))
			require.GreaterOrEqual(t, payout.Points, int64(0))
			back += payout.Money + payout.Points
		}
	}
	require.LessOrEqual(t, back, paid+o.Spec.ShippingPaid, "order %d", o.No)
	for _, line := range o.Lines {
		require.LessOrEqual(t, line.Points, line.Paid, "%+v", line)
		require.GreaterOrEqual(t, line.Points, int64(0), "%+v", line)
	}
}

// A refusal for a reason outside of the model is repeated for its key, unless it is one of those that are not stored. The first
// answer to a key remains.
func TestRefuse_repeatedForItsKey(t *testing.T) {
	t.Parallel()
	m := New()
	op := Op{Kind: ActClaim, Key: 1, Claim: 1, Action: "collect-done"}
	m.Refuse(op, statusNo, "IDEMPOTENCY_UNRESOLVED")
	require.Equal(t, "CLAIM_NOT_FOUND", m.Clone().Apply(op, 1).Code, "it is applied")
	m.Refuse(op, statusNo, "CLAIM_NOT_COLLECT_DONE")
	m.Refuse(op, statusNo, "CLAIM_NOT_APPROVABLE")
	require.Equal(t, Reply{Status: statusNo, Code: "CLAIM_NOT_COLLECT_DONE", Replay: true}, m.Apply(op, 2))
	op.Action = "approve"
	require.Equal(t, "IDEMPOTENCY_KEY_REUSED", m.Apply(op, 3).Code)
}

// Operations that are left out of a round do not change the numbers of the others, by which their times are known.
func TestPlay_leftOut(t *testing.T) {
	t.Parallel()
	round := []Op{
		{Kind: ActClaim, Key: 1, Claim: 1, Action: Approve},
		{Kind: PostInquiry, Inquiry: 1},
		{Kind: PostInquiry, Inquiry: 2},
	}
	outcome := New().Play(round, []int{2, 1}, 10, true)
	require.Zero(t, outcome.Replies[0])
	require.Equal(t, 11, outcome.Model.Inquiries[1].PostedAt.op)
	require.Equal(t, 12, outcome.Model.Inquiries[2].PostedAt.op)
}

// A reshipment that is refused in the end may have been seen by other operations on its claim, and by no others.
func TestGlimpse(t *testing.T) {
	t.Parallel()
	shows := func(claim int) Reply {
		return Reply{Status: statusOK, Data: []Object{{
			"claim_no": ClaimNo(claim), "reship_carrier_name": nil,
			"reship_tracking_no": nil,
		}}}
	}
	parcel := &Parcel{Carrier: " CJ대한통운", TrackingNo: "6123-4567-8901"}
	outcome := Outcome{Replies: []Reply{shows(1), shows(2), refuse(statusNo, "CLAIM_NOT_RESHIPPABLE")}}
	outcome.Glimpse(Op{Kind: ActClaim, Claim: 1, Action: Reship, Parcel: parcel})
	seen := Object{"claim_no": ClaimNo(1), "reship_carrier_name": "CJ대한통운", "reship_tracking_no": "612345678901"}
	require.Equal(t, []Object{shows(1).Data[0], seen}, outcome.Replies[0].Data)
	require.Equal(t, shows(2), outcome.Replies[1])
	before := outcome.Replies[0]
	outcome.Glimpse(Op{Kind: ActClaim, Claim: 1, Action: Reship})
	require.Equal(t, before, outcome.Replies[0], "nothing was registered")
}
