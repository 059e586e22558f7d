package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

// names are the names of steps.
func names(steps []store.Step) []claim.Step {
	list := make([]claim.Step, 0, len(steps))
	for _, step := range steps {
		list = append(list, step.Name)
	}
	return list
}

// pending reads the steps of a claim.
func (b bench) pending(t *testing.T, c claim.Claim) []store.Step {
	t.Helper()
	steps, err := b.store.PendingSteps(t.Context(), c.SellerID, c.No)
	require.NoError(t, err)
	return steps
}

// plans makes the store's plans visible.
func (b *bench) plans(t *testing.T) *[]store.Plan {
	t.Helper()
	var plans []store.Plan
	b.store = store.New(b.Pool, func(_ context.Context, _ store.Tx, plan store.Plan) error {
		plans = append(plans, plan)
		return nil
	})
	return &plans
}

func TestAStepIsPlannedWithItsChangeAndGoneWhenItIsDone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	plans := b.plans(t)
	c := b.openOne(t, uuid.New(), claim.Cancel)
	c = b.act(t, c, claim.Approve, claim.Values{})
	steps := b.pending(t, c)
	require.Equal(t, []claim.Step{claim.TouchOrder, claim.PayRefunds, claim.TouchOrder}, names(steps))
	require.NotEqual(t, steps[0].Ref, steps[2].Ref, "each change moves the order once")
	require.Equal(t, steps[1:], (*plans)[2].Steps, "after the request and its opening")

	found, err := b.store.Step(t.Context(), steps[0].ID)
	require.NoError(t, err)
	require.Equal(t, steps[0], found)
	require.NoError(t, b.store.FinishStep(t.Context(), steps[0].ID))
	_, err = b.store.Step(t.Context(), steps[0].ID)
	require.ErrorIs(t, err, store.ErrNoStep)
	require.Equal(t, steps[1:], b.pending(t, c))
}

// Anyone who gave the action up the first time may note that only now.
func TestAnActionThatIsRegisteredAgainHasAStepOfItsOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.openOne(t, uuid.New(), claim.Exchange)
	for _, values := range []claim.Values{{}, hanjin, {}} {
		action := []claim.Trigger{claim.Approve, claim.Pickup, claim.CollectDone}[len(c.Performed)]
		c = b.change(t, c, deciding(action, values))
	}
	c = b.change(t, c, deciding(claim.Inspect, pass))
	steps := b.pending(t, c)
	first := steps[len(steps)-1]
	require.Equal(t, claim.AddExchangeLine, first.Name)
	c = b.change(t, c, abandoning)
	c = b.change(t, c, deciding(claim.Inspect, pass))
	require.NoError(t, b.store.FinishStep(t.Context(), first.ID))
	require.Contains(t, names(b.pending(t, c)), claim.AddExchangeLine)
}

func TestTheOldestStepsAreFoundByTheirAge(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old, young := b.openOne(t, uuid.New(), claim.Return), b.openOne(t, uuid.New(), claim.Return)
	_, err := b.Pool.Exec(t.Context(), "update steps set planned_at = planned_at - interval '1 minute' where claim_no = $1", old.No)
	require.NoError(t, err)
	overdue, err := b.store.OverdueSteps(t.Context(), 30*time.Second, 10)
	require.NoError(t, err)
	require.Equal(t, b.pending(t, old), overdue)
	all, err := b.store.OverdueSteps(t.Context(), 0, 10)
	require.NoError(t, err)
	require.Equal(t, append(b.pending(t, old), b.pending(t, young)...), all)
	first, err := b.store.OverdueSteps(t.Context(), 0, 1)
	require.NoError(t, err)
	require.Equal(t, overdue, first)
	ages, err := b.store.OldestSteps(t.Context())
	require.NoError(t, err)
	require.Len(t, ages, 1)
	require.Greater(t, ages[claim.TouchOrder], time.Minute)
}

func TestARequestIsNotedBeforeItsClaimIsThere(t *testing.T) {
	t.Parallel()
	b, w := setup(t), wanted(uuid.New(), claim.Exchange)
	step, err := b.store.PlanOpening(t.Context(), w)
	require.NoError(t, err)
	require.Equal(t, w, step.Request)
	again, err := b.store.PlanOpening(t.Context(), w)
	require.NoError(t, err)
	require.Equal(t, step, again)
	found, err := b.store.Step(t.Context(), step.ID)
	require.NoError(t, err)
	require.Equal(t, step, found)

	other := w
	other.Reason = claim.ChangeOfMind
	_, err = b.store.PlanOpening(t.Context(), other)
	require.ErrorIs(t, err, apierr.IdempotencyKeyReused)
}

// Anyone who was told that the request is refused must not find a claim later, because someone was slow.
func TestARequestThatWasGivenUpOpensNothing(t *testing.T) {
	t.Parallel()
	b, w := setup(t), wanted(uuid.New(), claim.Exchange)
	step, err := b.store.PlanOpening(t.Context(), w)
	require.NoError(t, err)
	require.NoError(t, b.store.FinishStep(t.Context(), step.ID))
	_, err = b.store.Open(t.Context(), step, nil)
	require.ErrorIs(t, err, store.ErrNoStep)
	require.Empty(t, b.texts(t, "select claim_no from claims"))
}

func TestWhatWaitsForATimeIsPlannedForItAndFoundWhenItHasPassed(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	plans := b.plans(t)
	w := wanted(seller, claim.Exchange)
	w.Items[0].ExchangeUnitPrice = 6000
	unpaid := b.open(t, w)
	require.Equal(t, []store.Alarm{{SellerID: seller, ClaimNo: unpaid.No, Name: claim.WatchPayment, At: *unpaid.PaymentDueAt}}, (*plans)[1].Alarms)
	collected := b.openOne(t, seller, claim.Return)
	for _, step := range []claim.Trigger{claim.Approve, claim.Pickup, claim.CollectDone} {
		collected = b.change(t, collected, deciding(step, map[claim.Trigger]claim.Values{claim.Pickup: hanjin}[step]))
	}
	require.Equal(t, []store.Alarm{{SellerID: seller, ClaimNo: collected.No, Name: claim.WatchInspection, At: *collected.InspectionDueAt}},
		(*plans)[len(*plans)-1].Alarms)

	due := func() (all []store.Alarm) {
		inspections, err := b.store.DueInspections(t.Context(), time.Second, 10)
		require.NoError(t, err)
		payments, err := b.store.DuePayments(t.Context(), time.Second, 10)
		require.NoError(t, err)
		return append(inspections, payments...)
	}
	require.Empty(t, due())
	_, err := b.Pool.Exec(t.Context(), `update claims set payment_due_at = payment_due_at - interval '73 hours',
		inspection_due_at = inspection_due_at - interval '73 hours'`)
	require.NoError(t, err)
	require.Equal(t, []store.Alarm{
		{SellerID: seller, ClaimNo: collected.No, Name: claim.WatchInspection}, {SellerID: seller, ClaimNo: unpaid.No, Name: claim.WatchPayment},
	}, due())
	b.change(t, collected, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.SetFreeze("kim", "fraud", now)
	})
	require.Len(t, due(), 1, "a frozen claim waits for its operator")
}

// A success whose order could not be told in time is not lost: the step that finishes the claim is there with it.
func TestASuccessThatDoesNotCompleteItsClaimPlansTheEnd(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	plans := b.plans(t)
	c := b.act(t, b.openOne(t, seller, claim.Cancel), claim.Approve, claim.Values{})
	age, err := b.store.OldestRefund(t.Context())
	require.NoError(t, err)
	require.Positive(t, age)
	due, err := b.store.DueRefunds(t.Context(), 0, 10)
	require.NoError(t, err)
	sent, err := b.store.ChangeRefund(t.Context(), seller, c.No, due[0].ID, sending)
	require.NoError(t, err)
	last := (*plans)[len(*plans)-1]
	require.Equal(t, []store.DueRefund{{SellerID: seller, ClaimNo: c.No, ID: due[0].ID, At: *sent.Refund.NextAt}}, last.Refunds)
	age, err = b.store.OldestRefund(t.Context())
	require.NoError(t, err)
	require.Zero(t, age)

	_, err = b.store.ChangeRefund(t.Context(), seller, c.No, due[0].ID,
		func(r claim.Refund, now time.Time) (claim.Refund, []claim.Entry, bool, store.Deciding) {
			next, entries, ok := r.Word(claim.Succeed, "", 0, now)
			return next, entries, ok, nil
		})
	require.NoError(t, err)
	require.Equal(t, []claim.Step{claim.FinishClaim}, names((*plans)[len(*plans)-1].Steps))
	require.Equal(t, claim.RefundProcessing, b.get(t, c).Status)
}
