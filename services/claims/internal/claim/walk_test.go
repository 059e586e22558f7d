package claim_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/machine/machinetest"
	"sellerapi.dev/services/claims/internal/claim"
)

type walk struct {
	c        claim.Claim
	now      time.Time
	refunds  map[claim.RefundKind]int64
	prepaid  int64
	executed int
}

// take applies a decision and checks what must hold for every change.
func (w *walk) take(t *rapid.T, d claim.Decision) {
	before := w.c
	if d.Verdict != claim.Execute {
		if d.Verdict == claim.Refused {
			waits := w.c.Freeze != nil && w.c.Freeze.Pending != ""
			require.True(t, waits || apierr.From(d.Err).Code.Status() < 500, "%v", d.Err)
		}
		return
	}
	w.executed++
	ch := d.Change
	at := before.Status
	for _, next := range ch.Path {
		require.False(t, at.Terminal(), "%s → %s", at, next)
		require.Contains(t, machinetest.Reachable(before.Type.Machine(), at), next)
		at = next
	}
	require.Equal(t, at, ch.Next.Status)
	if at != before.Status && firstOf(ch.Trigger, at) {
		require.NotNil(t, before.Performed.Pending(), "%s → %s before the order's side has agreed", before.Status, at)
	}
	require.Equal(t, at.Terminal(), ch.Next.CompletedAt != nil)
	require.Equal(t, at == claim.PaymentPending, ch.Next.PaymentDueAt != nil)
	require.Equal(t, at == claim.Collected && ch.Next.Type == claim.Return, ch.Next.InspectionDueAt != nil)
	if before.Money.Refund != nil {
		require.Equal(t, before.Money.Refund, ch.Next.Money.Refund, "a refund is fixed once")
	}
	for _, refund := range ch.Refunds {
		require.NotContains(t, w.refunds, refund.Kind, "one refund of each kind")
		require.Positive(t, refund.Amount)
		w.refunds[refund.Kind] = refund.Amount
	}
	for _, entry := range ch.Entries {
		w.prepaid += entry.Amount
	}
	w.c = ch.Next
}

// firstOf reports whether the orders service must have agreed to a state, whatever leads there.
func firstOf(trigger claim.Trigger, to claim.Status) bool {
	promising := []claim.Status{
		claim.Approved, claim.Collecting, claim.Collected, claim.RefundProcessing, claim.Reshipping, claim.Completed, claim.Rejected,
		claim.Withdrawn, claim.Expired, claim.ConvertedToReturn,
	}
	return slices.Contains(promising, to) && trigger != claim.FinishRefund
}

func (w *walk) command(t *rapid.T) claim.Command {
	sent := rapid.SampledFrom(calls).Draw(t, "call")
	values := sent.values
	if sent.other != nil && rapid.Bool().Draw(t, "other values") {
		values = *sent.other
	}
	return claim.Command{
		Action: sent.action, Values: values,
		Actor: rapid.SampledFrom([]claim.Actor{seller, operator}).Draw(t, "actor"),
	}
}

func (w *walk) act(t *rapid.T) {
	cmd := w.command(t)
	d := claim.Decide(&w.c, cmd, w.now)
	w.take(t, d)
	if d.Verdict == claim.Refused || w.c.Freeze != nil {
		return
	}
	again := claim.Decide(&w.c, cmd, w.now)
	require.True(t, again.Verdict == claim.AlreadyDone || again.Resumed, "%s repeated in %s", cmd.Action, w.c.Status)
}

func (w *walk) happen(t *rapid.T) {
	events := []func() claim.Decision{
		func() claim.Decision { return w.c.Withdraw(w.now) },
		func() claim.Decision { return w.c.PayShortfall("P-1", w.c.Money.Shortfall, w.now) },
		func() claim.Decision { return w.c.ExpirePayment(w.now) },
		func() claim.Decision { return w.c.PassUninspected(w.now) },
		func() claim.Decision { return w.c.HoldInspection("kim", "look", w.now) },
		func() claim.Decision { return w.c.Finish(nil, w.now) },
		func() claim.Decision { return w.c.SetFreeze("kim", claim.FreezeDispute, "customer called", w.now) },
		func() claim.Decision { return w.c.LiftFreeze("kim", w.now) },
		func() claim.Decision {
			if w.c.Freeze == nil {
				return claim.Decision{Verdict: claim.AlreadyDone}
			}
			return w.c.ConfirmFreeze(*w.c.Freeze, w.now)
		},
		func() claim.Decision { return w.c.LeaveReshipping(w.c.ReplacedBy, w.now) },
		func() claim.Decision { return w.c.RegisterConversion("C-2", "kim", w.now) },
		func() claim.Decision {
			v := w.c.Convert(claim.DefaultPolicy(claim.Won), around, w.now)
			return claim.Decision{Verdict: v.Verdict, Change: v.Old, Err: v.Err}
		},
		w.confirm,
		w.confirm,
		func() claim.Decision {
			// The orders service never refuses to release lines.
			if pending, step := w.c.Awaits(); pending != nil && step != claim.ReleaseLines {
				return w.c.Abandon(*pending, w.now)
			}
			return claim.Decision{Verdict: claim.AlreadyDone}
		},
		func() claim.Decision {
			reship, err := w.c.Reshipment()
			if err != nil || reship == nil {
				return claim.Decision{Verdict: claim.AlreadyDone}
			}
			return w.c.CancelReshipment(*reship, operator, "lost", w.now)
		},
	}
	w.take(t, events[rapid.IntRange(0, len(events)-1).Draw(t, "event")]())
}

func (w *walk) confirm() claim.Decision {
	pending, step := w.c.Awaits()
	if pending == nil || step == claim.ConvertLines {
		return claim.Decision{Verdict: claim.AlreadyDone}
	}
	return w.c.Confirm(*pending, nil, around, w.now)
}

// Whatever sellers, customers, operators and timers do, and in whatever order: states change only along arrows of the table, none
// leaves a terminal state, available actions succeed, completed ones can be repeated, and a payment for nothing is refunded.
func TestClaim_randomLivesKeepTheRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := wanted(rapid.SampledFrom(claim.Types()).Draw(t, "type"), rapid.SampledFrom(claim.Reasons()).Draw(t, "reason"))
		w.Items[0].ExchangeUnitPrice = rapid.Int64Range(0, 9000).Draw(t, "new unit")
		opened, err := claim.Open(w, held(), claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), now)
		require.NoError(t, err)
		life := &walk{c: opened.Next, now: now, refunds: map[claim.RefundKind]int64{}}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			life.now = life.now.Add(time.Duration(rapid.IntRange(0, 40).Draw(t, "hours")) * time.Hour)
			if rapid.IntRange(0, 2).Draw(t, "who") > 0 {
				life.act(t)
			} else {
				life.happen(t)
			}
			life.check(t)
		}
	})
}

func (w *walk) check(t *rapid.T) {
	free := w.c
	free.Freeze = nil
	if free.Performed.Pending() == nil {
		for _, action := range w.c.AvailableActions() {
			d := claim.Decide(&free, claim.Command{Action: action, Values: valuesOf(action), Actor: seller}, w.now)
			if keeps := free.Type.Machine().Find(free.Status, action)[0].To == free.Status; keeps && free.Performed.Done(action) != nil {
				require.Equal(t, claim.AlreadyDone, d.Verdict, "%s keeps the state and was performed", action)
				continue
			}
			require.Equal(t, claim.Execute, d.Verdict, "%s is offered in %s", action, w.c.Status)
		}
	}
	switch w.c.Status {
	case claim.Rejected, claim.Withdrawn, claim.Expired, claim.ConvertedToReturn:
		require.Equal(t, w.prepaid, w.refunds[claim.ShortfallReturn])
	default:
		require.Zero(t, w.refunds[claim.ShortfallReturn])
	}
}
