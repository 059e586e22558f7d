package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

func names(steps []store.Step) []claim.Step {
	list := make([]claim.Step, 0, len(steps))
	for _, step := range steps {
		list = append(list, step.Name)
	}
	return list
}

func (b fixture) pending(t *testing.T, c claim.Claim) []store.Step {
	t.Helper()
	_, steps, err := b.store.Pending(t.Context(), c.SellerID, c.No)
	require.NoError(t, err)
	return steps
}

func freezing(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
	return c.SetFreeze("kim", claim.FreezeFraudCheck, "fraud", now)
}

// frozen returns a return with one step, for its freeze.
func (b fixture) frozen(t *testing.T) claim.Claim {
	t.Helper()
	return b.change(t, b.openOne(t, uuid.New(), claim.Return), freezing)
}

// A step is planned together with its change and deleted when it is done.
func TestStep_plannedWithChangeGoneWhenDone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.openOne(t, uuid.New(), claim.Cancel)
	c = b.change(t, c, freezing)
	c = b.change(t, c, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision { return c.LiftFreeze("kim", now) })
	c = b.act(t, c, claim.Approve, claim.Values{})
	steps := b.pending(t, c)
	require.Equal(t, []claim.Step{claim.TouchOrder, claim.TouchOrder, claim.SealLines, claim.PayRefunds}, names(steps))
	require.NotEqual(t, steps[0].Ref, steps[1].Ref, "each change touches the order once")
	b.letCome(t)
	require.NoError(t, b.store.FinishStep(t.Context(), steps[0]))
	require.ErrorIs(t, b.store.TakeStep(t.Context(), steps[0]), store.ErrNoStep)
	require.Equal(t, names(steps[1:]), names(b.pending(t, c)))
}

// A later attempt of a step belongs to the trace of the request that planned it.
func TestStep_keepsTraceOfRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tel, _ := telemetrytest.Recording(t)
	ctx, span := tel.TracerProvider.Tracer("test").Start(t.Context(), "request")
	defer span.End()
	w := wanted(uuid.New(), claim.Return)
	step, err := b.store.PlanOpening(ctx, w)
	require.NoError(t, err)
	require.Contains(t, step.Traceparent, span.SpanContext().TraceID().String())
	c, err := b.store.Open(ctx, step, claim.Won, func(policy claim.Policy, now time.Time) (claim.Change, error) {
		return claim.Open(w, heldFor(w, now), policy, claim.DefaultPeriods(), now)
	})
	require.NoError(t, err)
	_, err = b.store.Change(ctx, c.SellerID, c.No, freezing)
	require.NoError(t, err)
	require.Equal(t, step.Traceparent, b.pending(t, c)[0].Traceparent)
	require.Empty(t, b.pending(t, b.frozen(t))[0].Traceparent)
}

// Each registration of an action has its own step, because the process that abandoned the first one may record that only later.
func TestStep_ownForEachRegistration(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.openOne(t, uuid.New(), claim.Exchange)
	for _, values := range []claim.Values{{}, hanjin, {}} {
		action := []claim.Trigger{claim.Approve, claim.Pickup, claim.CollectDone}[len(c.Performed)]
		c = b.act(t, c, action, values)
	}
	c = b.change(t, c, deciding(claim.Inspect, pass))
	steps := b.pending(t, c)
	first := steps[len(steps)-1]
	require.Equal(t, claim.AddExchangeLine, first.Name)
	c = b.change(t, c, abandoning)
	c = b.change(t, c, deciding(claim.Inspect, pass))
	require.NoError(t, b.store.FinishStep(t.Context(), first))
	require.Contains(t, names(b.pending(t, c)), claim.AddExchangeLine)
}

// An operator reports the same time for an action that was rolled back: it is another registration, with its own steps.
func TestStep_ownForEachReportOfATime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.openOne(t, uuid.New(), claim.Exchange)
	for _, action := range []claim.Trigger{claim.Approve, claim.Pickup, claim.CollectDone} {
		c = b.act(t, c, action, map[claim.Trigger]claim.Values{claim.Pickup: hanjin}[action])
	}
	happened := time.Now()
	reported := func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		cmd := claim.Command{
			Action: claim.Inspect, Values: pass,
			Actor: claim.Actor{Kind: claim.ByOperator, Name: "kim"}, At: &happened,
		}
		return claim.Decide(c, cmd, now)
	}
	c = b.change(t, c, reported)
	steps := b.pending(t, c)
	c = b.change(t, c, abandoning)
	c = b.change(t, c, reported)
	for _, step := range steps {
		require.NoError(t, b.store.FinishStep(t.Context(), step))
	}
	require.Contains(t, names(b.pending(t, c)), claim.AddExchangeLine)
}

// A step belongs to the call that plans it, then to the first sweep that takes it; the pauses between attempts grow with its
// age up to ten seconds, so that remaining work is done soon after the other service is back.
func TestTakeStep(t *testing.T) {
	t.Parallel()
	b := setup(t)
	step := b.pending(t, b.frozen(t))[0]
	require.ErrorIs(t, b.store.TakeStep(t.Context(), step), store.ErrNoStep, "the planning call has the first attempt")
	for _, age := range []time.Duration{0, 5 * time.Second, 20 * time.Second, 24 * time.Hour} {
		_, err := b.Pool.Exec(t.Context(),
			"update steps set planned_at = clock_timestamp() - $1::interval, next_at = clock_timestamp()", age)
		require.NoError(t, err)
		planned, before, _ := b.stepTimes(t)
		step.PlannedAt = planned
		require.NoError(t, b.store.TakeStep(t.Context(), step))
		_, after, next := b.stepTimes(t)
		require.False(t, next.Before(before.Add(pauseAt(before.Sub(planned)))), "%s old", age)
		require.False(t, next.After(after.Add(pauseAt(after.Sub(planned)))), "%s old", age)
	}
	require.ErrorIs(t, b.store.TakeStep(t.Context(), step), store.ErrNoStep, "the next attempt is due in ten seconds")
}

func pauseAt(age time.Duration) time.Duration {
	return min(10*time.Second, max(time.Second, age/4)).Truncate(time.Microsecond)
}

// stepTimes returns when the only step was planned, the current time, and when the step is due again.
func (b fixture) stepTimes(t *testing.T) (planned, now, next time.Time) {
	t.Helper()
	row := b.Pool.QueryRow(t.Context(), "select planned_at, clock_timestamp(), next_at from steps")
	require.NoError(t, row.Scan(&planned, &now, &next))
	return planned, now, next
}

func TestDueSteps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old := b.frozen(t)
	b.letCome(t)
	young := b.frozen(t)
	due := func(limit int) []store.Step {
		steps, err := b.store.DueSteps(t.Context(), limit)
		require.NoError(t, err)
		return steps
	}
	require.Equal(t, b.pending(t, old), due(10))
	b.letCome(t)
	require.Equal(t, append(b.pending(t, old), b.pending(t, young)...), due(10), "the longest due step first")
	require.Equal(t, b.pending(t, old), due(1))
}

// A request is recorded once, before its claim exists, and its number can only be used for this content.
func TestPlanOpening_notesRequestBeforeClaim(t *testing.T) {
	t.Parallel()
	b, w := setup(t), wanted(uuid.New(), claim.Exchange)
	step, err := b.store.PlanOpening(t.Context(), w)
	require.NoError(t, err)
	require.Equal(t, w, step.Request)
	again, err := b.store.PlanOpening(t.Context(), w)
	require.NoError(t, err)
	require.Equal(t, step, again)
	b.letCome(t)
	found, err := b.store.DueSteps(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, w, found[0].Request)

	other := w
	other.Reason = claim.ChangeOfMind
	_, err = b.store.PlanOpening(t.Context(), other)
	require.ErrorIs(t, err, apierr.IdempotencyKeyReused)
}

// A caller whose request was refused must not find a claim later, because another process was slow.
func TestOpen_givenUpOpensNothing(t *testing.T) {
	t.Parallel()
	b, w := setup(t), wanted(uuid.New(), claim.Exchange)
	step, err := b.store.PlanOpening(t.Context(), w)
	require.NoError(t, err)
	require.NoError(t, b.store.FinishStep(t.Context(), step))
	_, err = b.store.Open(t.Context(), step, claim.Won, nil)
	require.ErrorIs(t, err, store.ErrNoStep)
	require.Empty(t, b.texts(t, "select claim_no from claims"))
}

func TestDueClaims(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	w := wanted(seller, claim.Exchange)
	w.Items[0].ExchangeUnitPrice = 6000
	unpaid := b.open(t, w)
	collected := b.openOne(t, seller, claim.Return)
	for _, step := range []claim.Trigger{claim.Approve, claim.Pickup, claim.CollectDone} {
		collected = b.act(t, collected, step, map[claim.Trigger]claim.Values{claim.Pickup: hanjin}[step])
	}
	due := func() (all []store.DueClaim) {
		inspections, err := b.store.DueInspections(t.Context(), 10)
		require.NoError(t, err)
		payments, err := b.store.DuePayments(t.Context(), 10)
		require.NoError(t, err)
		return append(inspections, payments...)
	}
	require.Empty(t, due())
	_, err := b.Pool.Exec(t.Context(), `update claims set payment_due_at = payment_due_at - interval '73 hours',
		inspection_due_at = inspection_due_at - interval '73 hours'`)
	require.NoError(t, err)
	require.Equal(t, []store.DueClaim{{SellerID: seller, ClaimNo: collected.No}, {SellerID: seller, ClaimNo: unpaid.No}}, due())
	b.change(t, collected, freezing)
	require.Len(t, due(), 1, "a frozen claim waits for its operator")
}

// A success whose order could not be updated in time is not lost: the step that finishes the claim is saved with it.
func TestChangeRefund_successPlansEndOfClaim(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.act(t, b.openOne(t, seller, claim.Cancel), claim.Approve, claim.Values{})
	refunds, err := b.store.Refunds(t.Context(), seller, c.No)
	require.NoError(t, err)
	_, err = b.store.ChangeRefund(t.Context(), seller, c.No, refunds[0].ID, sending)
	require.NoError(t, err)
	_, err = b.store.ChangeRefund(t.Context(), seller, c.No, refunds[0].ID,
		func(r claim.Refund, now time.Time) (claim.Refund, []claim.LedgerEntry, bool, store.Deciding) {
			next, entries, ok := r.RecordResult(claim.Succeed, "", 0, now)
			return next, entries, ok, nil
		})
	require.NoError(t, err)
	require.Contains(t, names(b.pending(t, c)), claim.FinishClaim)
	require.Equal(t, claim.RefundProcessing, b.get(t, c).Status)
}
