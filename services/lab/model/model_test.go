package model

import (
	"encoding/json"
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

// exchanging are the operations after which an exchange is reshipping. Another claim holds the exchange line, which is paid, if
// the last two are among them.
const exchanging = `[
	{"kind":"place","order":1,"place":{"lines":[{"quantity":1,"unit":700,"state":"delivered"}],"shipping_base":3000}},
	{"kind":"request-claim","order":1,"claim":1,"type":"exchange","reason":"defective",
		"wanted":[{"item":1,"quantity":1,"unit":700}]},
	{"kind":"act-claim","key":1,"claim":1,"action":"approve"},
	{"kind":"act-claim","key":2,"claim":1,"action":"pickup","parcel":{"carrier":"한진택배","tracking_no":"412345678901"}},
	{"kind":"act-claim","key":3,"claim":1,"action":"collect-done"},
	{"kind":"act-claim","key":4,"claim":1,"action":"inspect","result":"pass"},
	{"kind":"correct","order":1,"items":[2],"to":"delivered","act":1,"parcel":{"carrier":"한진택배","tracking_no":"412345678901"}},
	{"kind":"request-claim","order":1,"claim":2,"type":"return","reason":"defective","wanted":[{"item":2,"quantity":1}]},
	{"kind":"correct","order":1,"items":[2],"to":"paid","act":2}]`

func parse(t *testing.T, text string) (ops []Op) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &ops))
	return ops
}

func after(t *testing.T, ops []Op) *Model {
	t.Helper()
	m := New()
	for id, op := range ops {
		m.Apply(op, id)
	}
	require.Equal(t, Reshipping, m.Claims[1].Status)
	return m
}

// Of two equal reshipments at the same time, one is refused while another claim holds the line, and the other ships the line
// when that claim has ended. The one that ships may be the one that was registered first, so it may say that it was not done
// before. A reshipment that was registered in an earlier round was.
func TestPlay_equalReshipments(t *testing.T) {
	t.Parallel()
	m := after(t, parse(t, exchanging))
	round := parse(t, `[
		{"kind":"act-claim","key":5,"claim":1,"action":"reship","parcel":{"carrier":"CJ대한통운","tracking_no":"612345678901"}},
		{"kind":"act-claim","key":6,"claim":2,"action":"reject","memo":"x"},
		{"kind":"act-claim","key":7,"claim":1,"action":"reship","parcel":{"carrier":"CJ대한통운","tracking_no":"612345678901"}}]`)
	slow := m.Play(round, []int{0, 1, 2}, 9, true).Replies // the reshipment does not go on before it is called again
	require.Equal(t, "EXCHANGE_ITEM_SHIP_FAILED", slow[0].Code)
	require.Equal(t, Either{true, false}, slow[2].Data[0]["already_done"])
	m.Apply(round[0], 9)
	m.Claims[2].Status = Rejected
	m.free(m.Claims[2])
	require.Equal(t, true, m.Apply(round[2], 10).Data[0]["already_done"])
}

// What happens at the same time as a conversion finds the exchange line as it was, then closed, then canceled. A refusal in
// between shows the state before the cancellation.
func TestPlay_besideConversion(t *testing.T) {
	t.Parallel()
	m := after(t, parse(t, exchanging)[:6])
	round := parse(t, `[
		{"kind":"convert","claim":1,"return":3},
		{"kind":"ship","key":5,"order":1,"items":[2],"parcel":{"carrier":"CJ대한통운","tracking_no":"612345678901"}},
		{"kind":"prepare","key":6,"order":1,"items":[2]}]`)
	closed, ended := m.Play(round, []int{0, 1, 2}, 9, true), m.Play(round, []int{0, 1, 2}, 9, false)
	for _, outcome := range []Outcome{closed, ended} {
		require.Equal(t, notReshipping, outcome.Replies[1].Code)
		require.Equal(t, Either{Paid, Canceled}, outcome.Replies[1].Problem["items"].([]any)[0].(Object)["item_status"])
		require.Equal(t, Canceled, outcome.Model.Orders[1].Lines[1].State)
		require.Equal(t, gateEnded, outcome.Model.Orders[1].Lines[1].Gate)
	}
	require.Equal(t, "EXCHANGE_ITEM_NOT_PREPARABLE", closed.Replies[2].Code)
	require.Equal(t, "ORDER_ITEM_NOT_PREPARABLE", ended.Replies[2].Code)
	round[1].Key = 7
	later := closed.Model.Clone().Apply(round[1], 12)
	require.Equal(t, Canceled, later.Problem["items"].([]any)[0].(Object)["item_status"])
}
