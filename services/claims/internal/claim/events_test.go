package claim_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/services/claims/internal/claim"
)

// The events of claims other than the seller's actions, in every type and state.
func TestEventMatrix(t *testing.T) {
	t.Parallel()
	due := now.Add(-time.Second)
	events := []struct {
		name string
		fire func(c *claim.Claim) claim.Decision
	}{
		{"withdraw", func(c *claim.Claim) claim.Decision { return c.Withdraw(now) }},
		{"pay-shortfall", func(c *claim.Claim) claim.Decision { c.Money.Shortfall = 500; return c.PayShortfall("P-1", 500, now) }},
		{"expire-payment, due", func(c *claim.Claim) claim.Decision {
			if c.Status == claim.PaymentPending {
				c.PaymentDueAt = &due
			}
			return c.ExpirePayment(now)
		}},
		{"hold-inspection", func(c *claim.Claim) claim.Decision { return c.HoldInspection("kim", "look", now) }},
		{"pass-uninspected, due", func(c *claim.Claim) claim.Decision {
			if c.Status == claim.Collected && c.Type == claim.Return {
				c.InspectionDueAt = &due
			}
			return c.PassUninspected(now)
		}},
		{"finish-refund", func(c *claim.Claim) claim.Decision { return c.Finish(nil, now) }},
		{"convert-to-return", func(c *claim.Claim) claim.Decision {
			return c.RegisterConversion("C-2", "kim", now)
		}},
		{"convert-to-return, lines handed over", func(c *claim.Claim) claim.Decision {
			d := c.RegisterConversion("C-2", "kim", now)
			if d.Verdict != claim.Execute {
				return d
			}
			v := d.Change.Next.Convert(claim.DefaultPolicy(claim.Won), around, now)
			return claim.Decision{Verdict: v.Verdict, Change: v.Old, Err: v.Err}
		}},
		{"freeze", func(c *claim.Claim) claim.Decision {
			return c.SetFreeze("kim", claim.FreezeDispute, "customer called", now)
		}},
		{"unfreeze", func(c *claim.Claim) claim.Decision { return c.LiftFreeze("kim", now) }},
	}
	var b strings.Builder
	b.WriteString("type\tstate\tevent\tresult\tsteps\n")
	for _, kind := range claim.Types() {
		for _, state := range kind.Machine().States() {
			for _, event := range events {
				c := in(t, kind, state.Name)
				d := event.fire(&c)
				steps := strings.Join(invalid.Names(d.Change.Steps), ", ")
				fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\n", kind, state.Name, event.name, eventOutcome(d), steps)
			}
		}
	}
	golden(t, "testdata/events.tsv", b.String())
}

func eventOutcome(d claim.Decision) string {
	if d.Verdict == claim.Execute && len(d.Change.Path) == 0 {
		return "state stays"
	}
	return outcome(d)
}

// Only a collected return has an inspection deadline: an inspection and a hold clear it, and an exchange has none.
func TestInspectionDue_collectedReturnsOnly(t *testing.T) {
	t.Parallel()
	c := do(t, in(t, claim.Return, claim.Collecting), claim.CollectDone, claim.Values{})
	require.Equal(t, now.Add(72*time.Hour), *c.InspectionDueAt)
	require.Nil(t, do(t, c, claim.Inspect, pass).InspectionDueAt)
	held := c.HoldInspection("kim", "look", now).Change.Next
	require.Nil(t, held.InspectionDueAt)
	require.Nil(t, do(t, in(t, claim.Exchange, claim.Collecting), claim.CollectDone, claim.Values{}).InspectionDueAt)
}

// A courier's list may arrive a day late; that day must not delay the customer's refund further.
func TestCollectDone_reportedLate(t *testing.T) {
	t.Parallel()
	c := in(t, claim.Return, claim.Collecting)
	c.RequestedAt = now.Add(-100 * time.Hour)
	picked := now.Add(-80 * time.Hour)
	c.Performed = claim.Evidences{{Action: claim.Pickup, At: picked}}
	for at, want := range map[time.Time]time.Time{
		now.Add(-75 * time.Hour): now.Add(-75 * time.Hour), now.Add(time.Hour): now, picked.Add(-time.Hour): picked,
	} {
		d := claim.Decide(&c, claim.Command{Action: claim.CollectDone, Actor: operator, At: &at}, now)
		require.Equal(t, claim.Execute, d.Verdict)
		require.Equal(t, want, d.Change.Next.Performed.Of(claim.CollectDone).At)
		collected := confirmed(t, d.Change.Next).Change
		require.Equal(t, want, collected.At)
		require.Equal(t, want.Add(72*time.Hour), *collected.Next.InspectionDueAt)
	}
	c.Performed = nil
	before := c.RequestedAt.Add(-time.Hour)
	d := claim.Decide(&c, claim.Command{Action: claim.CollectDone, Actor: operator, At: &before}, now)
	require.Equal(t, c.RequestedAt, d.Change.At)
}

// A timer that fires early, late or during a freeze does nothing.
func TestPassUninspected_earlyOrLate(t *testing.T) {
	t.Parallel()
	c := do(t, in(t, claim.Return, claim.Collecting), claim.CollectDone, claim.Values{})
	due := *c.InspectionDueAt
	require.Equal(t, claim.AlreadyDone, c.PassUninspected(due.Add(-time.Microsecond)).Verdict)
	frozen := c.SetFreeze("kim", claim.FreezeDispute, "customer called", now).Change.Next
	require.Equal(t, claim.AlreadyDone, frozen.PassUninspected(due).Verdict, "a frozen claim does not pass")
	thawed := frozen.LiftFreeze("kim", now).Change.Next
	require.Equal(t, claim.Execute, thawed.PassUninspected(due).Verdict)

	d := c.PassUninspected(due)
	require.Equal(t, claim.Execute, d.Verdict)
	c = d.Change.Next
	require.Equal(t, claim.Collected, c.Status)
	require.Equal(t, claim.AlreadyDone, c.PassUninspected(due).Verdict)
	resumed := claim.Decide(&c, claim.Command{Action: claim.Inspect, Values: pass, Actor: seller}, due)
	require.True(t, resumed.Resumed)
	passing := confirmed(t, c).Change
	require.Equal(t, claim.PassUninspected, passing.Trigger)
	c = passing.Next
	require.Equal(t, claim.RefundProcessing, c.Status)
	require.Equal(t, claim.AlreadyDone, c.PassUninspected(due).Verdict)
	again := claim.Decide(&c, claim.Command{Action: claim.Inspect, Values: pass, Actor: seller}, due)
	require.Equal(t, claim.AlreadyDone, again.Verdict, "passing uninspected counts as a passed inspection")
}

// pending returns an exchange with the buyer's fault whose customer first has to pay 6,000.
func pending(t *testing.T) claim.Claim {
	t.Helper()
	change, err := claim.Open(wanted(claim.Exchange, claim.ChangeOfMind), held(), claim.DefaultPolicy(claim.Won),
		claim.DefaultPeriods(), now)
	require.NoError(t, err)
	require.Equal(t, claim.PaymentPending, change.Next.Status)
	require.Equal(t, now.Add(72*time.Hour), *change.Next.PaymentDueAt)
	return change.Next
}

// A shortfall is paid by exactly one payment of exactly its amount.
func TestPayShortfall_wholeAmountOnce(t *testing.T) {
	t.Parallel()
	c := pending(t)
	for _, wrong := range []int64{0, 5999, 6001, -6000} {
		require.ErrorIs(t, c.PayShortfall("P-1", wrong, now).Err, apierr.ValidationError)
	}
	d := c.PayShortfall("P-1", 6000, now)
	require.Equal(t, claim.Requested, d.Change.Next.Status)
	require.Nil(t, d.Change.Next.PaymentDueAt)
	require.Equal(t, []claim.LedgerEntry{{Kind: claim.ShortfallPayment, Amount: 6000, Reference: "P-1"}}, d.Change.Entries)
	paid := d.Change.Next
	require.Equal(t, claim.AlreadyDone, paid.PayShortfall("P-1", 6000, now).Verdict)
	require.ErrorIs(t, paid.PayShortfall("P-2", 6000, now).Err, apierr.IdempotencyUnresolved, "another payment is refused")
	require.ErrorIs(t, c.PayShortfall("", 6000, now).Err, apierr.ValidationError)
}

func TestPrepayment_refundedWithoutEffect(t *testing.T) {
	t.Parallel()
	c := pending(t)
	c = c.PayShortfall("P-1", 6000, now).Change.Next
	for name, d := range map[string]claim.Decision{
		"withdrawn": c.Withdraw(now),
		"rejected":  claim.Decide(&c, claim.Command{Action: claim.Reject, Values: memo, Actor: seller}, now),
	} {
		require.Empty(t, d.Change.Refunds, "refunded only when the claim ends")
		require.Equal(t, []claim.Step{claim.ReleaseLines}, d.Change.Steps, name)
		d = confirmed(t, d.Change.Next)
		require.Len(t, d.Change.Refunds, 1, name)
		require.Equal(t, claim.ShortfallReturn, d.Change.Refunds[0].Kind, name)
		require.Equal(t, int64(6000), d.Change.Refunds[0].Amount, name)
		require.Nil(t, d.Change.Next.Money.Refund, name)
		require.Equal(t, []claim.Step{claim.PayRefunds}, d.Change.Steps, name)
	}
}

// A payment that arrives after the claim has ended is refunded, once.
func TestPayShortfall_afterEndIsRefunded(t *testing.T) {
	t.Parallel()
	c := pending(t)
	require.Equal(t, claim.AlreadyDone, c.ExpirePayment(now).Verdict)
	expired := confirmed(t, c.ExpirePayment(*c.PaymentDueAt).Change.Next)
	require.Equal(t, claim.Expired, expired.Change.Next.Status)
	require.Empty(t, expired.Change.Next.Performed)
	require.Empty(t, expired.Change.Refunds)
	late := expired.Change.Next.PayShortfall("P-1", 6000, now)
	require.Equal(t, claim.Execute, late.Verdict)
	require.Empty(t, late.Change.Path)
	require.Equal(t, int64(6000), late.Change.Refunds[0].Amount)
	require.Equal(t, []claim.Step{claim.PayRefunds, claim.TouchOrder}, late.Change.Steps)
	require.Equal(t, claim.AlreadyDone, late.Change.Next.PayShortfall("P-1", 6000, now).Verdict)
}

// A payment that arrives while the claim is ending must be refunded to the customer and must not advance the claim.
func TestPayShortfall_whileTheClaimEnds(t *testing.T) {
	t.Parallel()
	c := pending(t)
	for name, ending := range map[string]claim.Decision{"withdraw": c.Withdraw(now), "expire": c.ExpirePayment(*c.PaymentDueAt)} {
		half := ending.Change.Next
		require.Equal(t, claim.PaymentPending, half.Status, name)
		require.Equal(t, claim.AlreadyDone, half.ExpirePayment(*c.PaymentDueAt).Verdict, name)
		paid := half.PayShortfall("P-1", 6000, now)
		require.Equal(t, claim.Execute, paid.Verdict, name)
		require.Empty(t, paid.Change.Path, name)
		require.Empty(t, paid.Change.Refunds, name)
		require.Equal(t, []claim.LedgerEntry{{Kind: claim.ShortfallPayment, Amount: 6000, Reference: "P-1"}}, paid.Change.Entries)
		require.Equal(t, claim.AlreadyDone, paid.Change.Next.PayShortfall("P-1", 6000, now).Verdict)
		ended := confirmed(t, paid.Change.Next).Change
		require.True(t, ended.Next.Status.Terminal(), name)
		require.Equal(t, int64(6000), ended.Refunds[0].Amount, name)
		require.Equal(t, claim.AlreadyDone, ended.Next.PayShortfall("P-1", 6000, now).Verdict)
	}
}

// A registered action is completed by its own call only, and is not visible before.
func TestWithdraw_registeredBlocksOthers(t *testing.T) {
	t.Parallel()
	c := opened(t, claim.Return)
	half := c.Withdraw(now).Change.Next
	require.Equal(t, c.AvailableActions(), half.AvailableActions())
	require.True(t, half.Withdraw(now.Add(time.Hour)).Resumed)
	for _, action := range []claim.Trigger{claim.Approve, claim.Reject} {
		d := claim.Decide(&half, claim.Command{Action: action, Values: memo, Actor: seller}, now)
		require.ErrorIs(t, d.Err, apierr.IdempotencyUnresolved)
	}
	frozen := half.SetFreeze("kim", claim.FreezeDispute, "customer called", now).Change.Next
	require.Equal(t, claim.Withdrawn, confirmed(t, frozen).Change.Next.Status, "a freeze does not stop a registered action")
}

// A parcel that was never handed over must not keep the customer waiting, and a shipped one cannot be canceled.
func TestCancelReshipment(t *testing.T) {
	t.Parallel()
	c := in(t, claim.Exchange, claim.Reshipping)
	_, err := c.Reshipment()
	require.ErrorIs(t, err, apierr.IdempotencyUnresolved)
	reship := func(c claim.Claim, at time.Time) claim.Claim {
		return claim.Decide(&c, claim.Command{Action: claim.Reship, Values: hanjin, Actor: seller, At: &now}, at).Change.Next
	}
	half := reship(c, now)
	registered, err := half.Reshipment()
	require.NoError(t, err)
	d := half.CancelReshipment(*registered, operator, "lost", now.Add(time.Second))
	require.Equal(t, []any{claim.CancelReshipment, operator, "lost"}, []any{d.Change.Trigger, d.Change.Actor, d.Change.Memo})
	back := d.Change.Next
	require.Nil(t, back.Performed.Of(claim.Reship))
	require.Equal(t, claim.Reshipping, back.Status)
	again, err := back.Reshipment()
	require.NoError(t, err)
	require.Nil(t, again, "the reshipment is canceled already")
	// Those that read the claim before know the registration, and change nothing.
	for _, late := range []claim.Actor{{Kind: claim.ByService}, operator} {
		require.Equal(t, claim.AlreadyDone, back.CancelReshipment(*registered, late, "", now.Add(2*time.Second)).Verdict, late)
	}

	anew := reship(back, now.Add(time.Minute))
	require.NotEqual(t, registered.Ref(), anew.Performed.Pending().Ref(), "a new registration, despite the same time")
	require.Equal(t, claim.AlreadyDone, anew.CancelReshipment(*registered, operator, "lost", now).Verdict)
	require.Equal(t, claim.AlreadyDone, anew.Confirm(*registered, nil, around, now).Verdict)
	abandoned := anew.Abandon(*anew.Performed.Pending(), now).Change.Next
	again, err = abandoned.Reshipment()
	require.NoError(t, err)
	require.Nil(t, again, "a later one that the orders service refused leaves the cancellation")
	done := confirmed(t, anew).Change.Next
	_, err = done.Reshipment()
	require.ErrorIs(t, err, apierr.IdempotencyUnresolved)

	byService := half.CancelReshipment(*registered, claim.Actor{Kind: claim.ByService}, "", now).Change.Next
	found, err := byService.Reshipment()
	require.NoError(t, err)
	require.Equal(t, operator, byService.CancelReshipment(*found, operator, "lost", now).Change.Actor,
		"the operator is recorded afterwards")
}

// A parcel that has to wait is shown, once and only while it is registered, and then its end is visible too.
func TestShowReshipment(t *testing.T) {
	t.Parallel()
	c := in(t, claim.Exchange, claim.Reshipping)
	hidden := claim.Decide(&c, claim.Command{Action: claim.Reship, Values: hanjin, Actor: seller}, now).Change.Next
	registered := *hidden.Performed.Pending()
	require.True(t, hidden.Abandon(registered, now).Change.Hidden)
	d := hidden.ShowReshipment(registered, now)
	require.Equal(t, claim.Execute, d.Verdict)
	require.False(t, d.Change.Hidden)
	require.Equal(t, []claim.Step{claim.TouchOrder}, d.Change.Steps)
	shown := d.Change.Next
	require.Equal(t, hanjin, shown.Performed.Shown(claim.Reship).Values)
	require.Equal(t, claim.AlreadyDone, shown.ShowReshipment(registered, now).Verdict)
	back := shown.Abandon(registered, now).Change
	require.False(t, back.Hidden)
	require.Equal(t, []claim.Step{claim.TouchOrder}, back.Steps)
	require.Equal(t, claim.AlreadyDone, back.Next.ShowReshipment(registered, now).Verdict)
	done := confirmed(t, shown).Change.Next
	require.Equal(t, claim.AlreadyDone, done.ShowReshipment(registered, now).Verdict)
	require.Equal(t, hanjin, done.Performed.Shown(claim.Reship).Values)
}

// An overdue inspection that the order's side refuses has no caller: an operator's freeze, if there is none, says so.
func TestAbandon_uninspected(t *testing.T) {
	t.Parallel()
	c := do(t, in(t, claim.Return, claim.Collecting), claim.CollectDone, claim.Values{})
	half := c.PassUninspected(*c.InspectionDueAt).Change.Next
	registered := *half.Performed.Pending()
	stopped := half.Abandon(registered, now).Change
	require.Equal(t, claim.FreezeSet, stopped.Trigger)
	require.Equal(t, &claim.Freeze{By: "claims", Code: claim.FreezeOther, Reason: claim.LinesNotHeld, At: now}, stopped.Next.Freeze)
	require.Nil(t, stopped.Next.Performed.Of(claim.Inspect))
	frozen := half.SetFreeze("kim", claim.FreezeDispute, "customer called", now).Change.Next
	back := frozen.Abandon(registered, now).Change
	require.True(t, back.Hidden)
	require.Equal(t, frozen.Freeze, back.Next.Freeze)
	require.Nil(t, back.Next.Performed.Of(claim.Inspect))
}

func TestDecide_registeredActionBlocksOthers(t *testing.T) {
	t.Parallel()
	c := in(t, claim.Exchange, claim.Reshipping)
	d := claim.Decide(&c, claim.Command{Action: claim.Reship, Values: hanjin, Actor: seller}, now)
	require.Equal(t, []claim.Step{claim.ShipExchangeLine}, d.Change.Steps)
	half := d.Change.Next
	require.Equal(t, claim.Reshipping, half.Status)
	require.Equal(t, claim.Refused, half.RegisterConversion("C-2", "kim", now).Verdict)

	other := claim.Decide(&half, claim.Command{Action: claim.Reship, Values: lotte, Actor: seller}, now)
	require.ErrorIs(t, other.Err, apierr.IdempotencyUnresolved)
	same := claim.Decide(&half, claim.Command{Action: claim.Reship, Values: hanjin, Actor: operator}, now)
	require.True(t, same.Resumed)
	frozen := half.SetFreeze("kim", claim.FreezeDispute, "customer called", now).Change.Next
	same = claim.Decide(&frozen, claim.Command{Action: claim.Reship, Values: hanjin, Actor: seller}, now)
	require.True(t, same.Resumed, "the parcel is on its way")

	registered := *half.Performed.Pending()
	done := half.Confirm(registered, []claim.Settled{{ItemID: itemID, SettledItemID: splitID}}, around, now)
	require.Equal(t, claim.Completed, done.Change.Next.Status)
	require.Equal(t, splitID, done.Change.Next.Items[0].CurrentItemID())
	require.Equal(t, itemID, half.Items[0].CurrentItemID())
	require.Equal(t, claim.AlreadyDone, done.Change.Next.Confirm(registered, nil, around, now).Verdict)

	undone := half.Abandon(registered, now).Change.Next
	require.Equal(t, claim.AlreadyDone, undone.Abandon(registered, now).Verdict)
	require.Equal(t, claim.AlreadyDone, undone.Confirm(registered, nil, around, now).Verdict)
	for _, values := range []claim.Values{lotte, hanjin} {
		later := now.Add(time.Second)
		anew := claim.Decide(&undone, claim.Command{Action: claim.Reship, Values: values, Actor: seller}, later).Change.Next
		require.Equal(t, claim.AlreadyDone, anew.Abandon(registered, later).Verdict, "another registration was refused")
	}
	require.Equal(t, claim.Completed, do(t, undone, claim.Reship, lotte).Status)
}
