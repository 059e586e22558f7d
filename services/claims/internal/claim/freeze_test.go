package claim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
)

// confirmedFreeze carries out what is registered, if anything is.
func confirmedFreeze(tb testing.TB, c claim.Claim, at time.Time) claim.Claim {
	tb.Helper()
	if c.Freeze == nil || c.Freeze.Pending == "" {
		return c
	}
	d := c.ConfirmFreeze(*c.Freeze, at)
	require.Equal(tb, claim.Execute, d.Verdict)
	require.Equal(tb, []claim.Step{claim.TouchOrder}, d.Change.Steps)
	return d.Change.Next
}

// freeze freezes a claim, and thaw ends that, both on the order's side too.
func freeze(tb testing.TB, c claim.Claim, at time.Time) claim.Claim {
	tb.Helper()
	return confirmedFreeze(tb, c.SetFreeze("kim", claim.FreezeDispute, "customer called", at).Change.Next, at)
}

func thaw(tb testing.TB, c claim.Claim, at time.Time) claim.Claim {
	tb.Helper()
	return confirmedFreeze(tb, c.LiftFreeze("kim", at).Change.Next, at)
}

func refusedAs(c *claim.Claim) (apierr.Code, any) {
	err := claim.Decide(c, claim.Command{Action: c.AvailableActions()[0], Values: pass, Actor: seller}, now).Err
	return apierr.From(err).Code, apierr.From(err).Data["reason"]
}

// Nobody is told that an exchange is frozen, or that it is not any more, before the orders service knows: until then nothing is
// decided, and the same call goes on. Claims without a line to ship need no other service.
func TestFreeze_registered(t *testing.T) {
	t.Parallel()
	c := in(t, claim.Exchange, claim.Reshipping)
	set := c.SetFreeze("kim", claim.FreezeDispute, "customer called", now)
	require.Equal(t, []claim.Step{claim.FreezeLines}, set.Change.Steps)
	half := set.Change.Next
	code, _ := refusedAs(&half)
	require.Equal(t, apierr.Unavailable, code)
	require.True(t, half.SetFreeze("lee", claim.FreezeOther, "again", now).Resumed)
	require.ErrorIs(t, half.LiftFreeze("kim", now).Err, apierr.Unavailable)
	require.ErrorIs(t, half.RegisterConversion("C-2", "kim", now).Err, apierr.Unavailable)

	whole := confirmedFreeze(t, half, now)
	code, reason := refusedAs(&whole)
	require.Equal(t, []any{apierr.ClaimNotReshippable, "frozen"}, []any{code, reason})
	require.Equal(t, claim.AlreadyDone, whole.SetFreeze("lee", claim.FreezeOther, "again", now).Verdict)
	require.Equal(t, claim.AlreadyDone, whole.ConfirmFreeze(*half.Freeze, now).Verdict)

	ending := whole.LiftFreeze("kim", now).Change.Next
	code, _ = refusedAs(&ending)
	require.Equal(t, apierr.Unavailable, code, "a key must not keep a refusal that ends now")
	require.True(t, ending.LiftFreeze("lee", now).Resumed)
	require.ErrorIs(t, ending.SetFreeze("kim", claim.FreezeDispute, "again", now).Err, apierr.Unavailable)
	require.Equal(t, claim.AlreadyDone, ending.ConfirmFreeze(*half.Freeze, now).Verdict, "a late answer about the freeze")
	require.Nil(t, confirmedFreeze(t, ending, now).Freeze)

	again := freeze(t, confirmedFreeze(t, ending, now), now.Add(time.Hour))
	again = again.LiftFreeze("kim", now.Add(time.Hour)).Change.Next
	require.Equal(t, claim.AlreadyDone, again.ConfirmFreeze(*ending.Freeze, now).Verdict, "a late answer about an earlier freeze")

	for _, kind := range []claim.Type{claim.Cancel, claim.Return} {
		c := in(t, kind, claim.Requested)
		change := c.SetFreeze("kim", claim.FreezeDispute, "customer called", now).Change
		require.Empty(t, change.Next.Freeze.Pending, kind)
		require.Equal(t, []claim.Step{claim.TouchOrder}, change.Steps, kind)
		require.Nil(t, change.Next.LiftFreeze("kim", now).Change.Next.Freeze, kind)
	}
}

// A claim shows no time at which nothing happens.
func TestDeadlines_nullWhileFrozen(t *testing.T) {
	t.Parallel()
	collected := do(t, in(t, claim.Return, claim.Collecting), claim.CollectDone, claim.Values{})
	inspection, payment := collected.Deadlines()
	require.NotNil(t, inspection)
	require.Nil(t, payment)
	unpaid := pending(t)
	inspection, payment = unpaid.Deadlines()
	require.Nil(t, inspection)
	require.NotNil(t, payment)
	for _, c := range []claim.Claim{collected, unpaid} {
		for _, frozen := range []claim.Claim{c.SetFreeze("kim", claim.FreezeDispute, "called", now).Change.Next, freeze(t, c, now)} {
			inspection, payment := frozen.Deadlines()
			require.Nil(t, inspection)
			require.Nil(t, payment)
			ended := thaw(t, freeze(t, c, now), now)
			inspection, payment = ended.Deadlines()
			require.True(t, inspection != nil || payment != nil)
		}
	}
}

// The return that replaces an exchange needs nothing of the orders service, so nothing of its freeze is left to do.
func TestFreeze_inheritedWithoutRest(t *testing.T) {
	t.Parallel()
	c := in(t, claim.Exchange, claim.Approved)
	half := c.SetFreeze("kim", claim.FreezeDispute, "customer called", now).Change.Next
	whole := freeze(t, c, now)
	for _, row := range []struct {
		c      claim.Claim
		frozen bool
	}{
		{c, false},
		{half, true},
		{whole, true},
		{whole.LiftFreeze("kim", now).Change.Next, false},
	} {
		next := converted(t, row.c, "C-2").New.Next
		require.Equal(t, row.frozen, next.Freeze != nil)
		require.True(t, next.Freeze == nil || next.Freeze.Pending == "")
	}
}

// A deadline is extended by the duration of a freeze, and does not pass during the freeze.
func TestFreeze_extendsDeadlines(t *testing.T) {
	t.Parallel()
	collected := do(t, in(t, claim.Return, claim.Collecting), claim.CollectDone, claim.Values{})
	unpaid, until := in(t, claim.Exchange, claim.PaymentPending), now.Add(time.Hour)
	unpaid.PaymentDueAt = &until
	for name, row := range map[string]struct {
		c   claim.Claim
		due func(*claim.Claim) *time.Time
		end func(*claim.Claim, time.Time) claim.Decision
	}{
		"inspection": {collected, func(c *claim.Claim) *time.Time { return c.InspectionDueAt }, (*claim.Claim).PassUninspected},
		"payment":    {unpaid, func(c *claim.Claim) *time.Time { return c.PaymentDueAt }, (*claim.Claim).ExpirePayment},
	} {
		due := *row.due(&row.c)
		frozen := freeze(t, row.c, now)
		require.Equal(t, claim.AlreadyDone, row.end(&frozen, due.Add(time.Hour)).Verdict, name)
		thawed := thaw(t, frozen, now.Add(5*time.Hour))
		require.Equal(t, due.Add(5*time.Hour), *row.due(&thawed), name)
		require.Equal(t, due, *row.due(&frozen), "the frozen claim is left as it was")
		require.Equal(t, claim.AlreadyDone, row.end(&thawed, due).Verdict, name)
		require.Equal(t, claim.Execute, row.end(&thawed, due.Add(5*time.Hour)).Verdict, name)
	}
}

// A return that replaces a frozen exchange has its deadlines extended only by the part of the freeze since the return exists.
func TestFreeze_extendsSuccessorFromItsBegin(t *testing.T) {
	t.Parallel()
	exchange := in(t, claim.Exchange, claim.Collected)
	exchange = freeze(t, exchange, now.Add(-time.Hour))
	successor := converted(t, exchange, "C-2").New.Next
	thawed := successor.LiftFreeze("kim", now.Add(time.Hour)).Change.Next
	require.Equal(t, successor.InspectionDueAt.Add(now.Add(time.Hour).Sub(successor.RequestedAt)), *thawed.InspectionDueAt)
}
