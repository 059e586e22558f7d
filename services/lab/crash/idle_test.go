package crash

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// left counts what remains to be done for all claims: pending steps and unfinished refunds.
const left = `select (select count(*) from claims.steps) + (select count(*) from claims.refunds where status <> 'succeeded')`

func (s *system) awaitIdle(t *testing.T) {
	t.Helper()
	eventually(t, func() bool { return one[int](t, s, left) == 0 }, func() string { return "something is left to be done" })
}

func (s *system) requireEnd(t *testing.T, trials []*trial) {
	t.Helper()
	for _, tr := range trials {
		t.Run(tr.name(), func(t *testing.T) {
			t.Parallel()
			s.requireRest(t, tr)
		})
	}
}

// requireRest checks that all services agree about a trial at rest and that everything in it happened once.
func (s *system) requireRest(t *testing.T, tr *trial) {
	t.Helper()
	tr.requireOneAnswer(t)
	claim := read[stacktest.Claim](t, s, tr, "/open/v1/claims/"+tr.no)
	require.Equal(t, tr.end.status, claim.Status)
	if tr.end.successor != "" {
		claim = read[stacktest.Claim](t, s, tr, "/open/v1/claims/"+tr.successor)
		require.Equal(t, tr.end.successor, claim.Status)
	}
	s.requireLines(t, tr, claim)
	s.requireMoney(t, tr)
	s.requireOnce(t, tr)
}

// requireOneAnswer checks that the client received one answer and, apart from it, only invitations to retry.
func (tr *trial) requireOneAnswer(t *testing.T) {
	t.Helper()
	first := ""
	for _, heard := range tr.heard {
		switch {
		case heard.status == http.StatusOK && first == "":
			first = heard.body
		case heard.status == http.StatusOK && tr.isSellers():
			require.Equal(t, first, heard.body, "always the stored response")
		case heard.status == http.StatusConflict:
			require.Contains(t, heard.body, "EXCHANGE_ITEM_SHIP_FAILED")
		default:
			require.Contains(t, []int{0, http.StatusOK, http.StatusServiceUnavailable, http.StatusGatewayTimeout},
				heard.status, heard.body)
		}
	}
	require.NotEmpty(t, first)
	require.Equal(t, tr.isSellers(), tr.heard[len(tr.heard)-1].replayed)
}

// isSellers reports whether the action is the seller's. Answers to such actions are stored.
func (tr *trial) isSellers() bool { return !strings.HasPrefix(moves[tr.move][0], intake) }

// requireLines checks the lines of the order: that the replacement line is open when it should be, that the claim names the
// line that carries the claimed pieces, and that neither pieces nor money appeared or vanished.
func (s *system) requireLines(t *testing.T, tr *trial, claim stacktest.Claim) {
	t.Helper()
	items := read[stacktest.Order](t, s, tr, "/open/v1/orders/"+tr.order).Items
	lines, carrier := make([]line, 0, len(items)), stacktest.Item{}
	var pieces, paid int64
	for _, item := range items {
		lines = append(lines, line{item.ItemStatus, item.Quantity, item.LinePaidAmount, item.IsExchange, item.HasActiveClaim})
		if item.ItemID == claim.Items[0].ItemID {
			carrier = item
		}
		if !item.IsExchange {
			pieces, paid = pieces+item.Quantity, paid+item.LinePaidAmount
		}
	}
	require.Equal(t, tr.end.lines, lines)
	require.Equal(t, []int64{3, 15000}, []int64{pieces, paid})
	carried := map[bool]int64{true: 2, false: 3}[claim.Status == "completed"]
	require.Equal(t, []any{carried, false}, []any{carrier.Quantity, carrier.IsExchange})
	require.Equal(t, tr.end.gate, one[string](t, s, `select coalesce(string_agg(l.exchange_gate, ' '), '')
		from orders.lines l join orders.orders o using (seller_id, order_id) where o.order_no = $1`, tr.order))
}

// requireMoney checks that provider, claim and ledger agree about the refunds, one of each kind. However often the provider
// was asked, it was under one idempotency key, so that it paid once.
func (s *system) requireMoney(t *testing.T, tr *trial) {
	t.Helper()
	for successor, no := range map[bool]string{false: tr.no, true: tr.successor} {
		want, asked, sum := map[string][]int64{}, map[string][]int64{}, int64(0)
		for refund, amount := range tr.end.refunds {
			if refund.successor == successor {
				want[refund.kind], sum = append(want[refund.kind], amount), sum+amount
			}
		}
		for _, payout := range s.payments.Asked(no) {
			asked[payout.Kind] = append(asked[payout.Kind], payout.Total())
		}
		require.Equal(t, want, asked, no)
		require.Equal(t, sum, one[int64](t, s, `select coalesce(sum(l.amount), 0)::bigint from claims.ledger l
			join claims.claims c using (seller_id, claim_id) where c.claim_no = $1 and l.kind in ('refund_payout', 'points_payout')`, no))
		if amounts := want[main.kind]; amounts != nil {
			shown := read[stacktest.Claim](t, s, tr, "/open/v1/claims/"+no).RefundAmount
			require.Equal(t, &amounts[0], shown)
		}
	}
}

// requireOnce checks that neither claims nor items entered a state twice for one reason: a conversion passes through inspecting
// again.
func (s *system) requireOnce(t *testing.T, tr *trial) {
	t.Helper()
	require.Zero(t, one[int](t, s, `select count(*) from (
		select c.claim_id from claims.history h join claims.claims c using (seller_id, claim_id)
		where c.claim_no in ($1, $2) and h.from_status is distinct from h.to_status
		group by c.claim_id, h.trigger, h.to_status having count(*) > 1) again`, tr.no, tr.successor))
	require.Zero(t, one[int](t, s, `select count(*) from (
		select h.to_status from orders.status_changes h join orders.orders o using (seller_id, order_id), unnest(h.item_ids) item
		where o.order_no = $1 group by h.to_status, item having count(*) > 1) again`, tr.order))
}
