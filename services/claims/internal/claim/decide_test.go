package claim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/services/claims/internal/claim"
)

type call struct {
	name   string
	action claim.Trigger
	values claim.Values
	other  *claim.Values
}

// calls are the calls of every action, in the order of the API.
var calls = func() []call {
	var all []call
	for _, action := range claim.Actions() {
		name := string(action)
		switch takes, _ := action.Takes(); takes {
		case claim.TakesNothing:
			all = append(all, call{name, action, claim.Values{}, nil})
		case claim.TakesMemo:
			all = append(all, call{name, action, memo, nil})
		case claim.TakesShipment:
			all = append(all, call{name, action, hanjin, &lotte})
		case claim.TakesInspection:
			all = append(all, call{name + " pass", action, pass, &fail}, call{name + " fail", action, fail, &pass})
		}
	}
	return all
}()

func valuesOf(action claim.Trigger) claim.Values {
	return calls[slices.IndexFunc(calls, func(sent call) bool { return sent.action == action })].values
}

// evidence prepares a claim before the call, or returns nil where it does not apply to the call.
type evidence struct {
	name    string
	prepare func(*claim.Claim, call) bool
}

// registrable are the actions that can wait for the orders service.
var registrable = map[claim.Type][]claim.Trigger{
	claim.Cancel:   {claim.Approve, claim.Reject},
	claim.Return:   {claim.Approve, claim.Reject, claim.Pickup, claim.CollectDone, claim.Inspect},
	claim.Exchange: {claim.Approve, claim.Reject, claim.Pickup, claim.CollectDone, claim.Inspect, claim.Reship},
}

func performed(values func(call) *claim.Values, pending bool) func(*claim.Claim, call) bool {
	return func(c *claim.Claim, sent call) bool {
		v := values(sent)
		possible := !pending || slices.Contains(registrable[c.Type], sent.action) && !c.Status.Terminal()
		if v == nil || !possible {
			return false
		}
		c.Performed = claim.Evidences{{Action: sent.action, Values: *v, Actor: operator, At: now, Pending: pending}}
		return true
	}
}

var evidences = []evidence{
	{"none", func(*claim.Claim, call) bool { return true }},
	{"same", performed(func(c call) *claim.Values { return &c.values }, false)},
	{"other", performed(func(c call) *claim.Values { return c.other }, false)},
	{"pending same", performed(func(c call) *claim.Values { return &c.values }, true)},
	{"pending other", performed(func(c call) *claim.Values { return c.other }, true)},
	{"frozen", func(c *claim.Claim, _ call) bool {
		c.Freeze = &claim.Freeze{By: "kim", Code: claim.FreezeDispute, Reason: "customer called", At: now}
		return true
	}},
}

func outcome(d claim.Decision) string {
	switch {
	case d.Verdict == claim.Refused:
		return string(apierr.From(d.Err).Code)
	case d.Verdict == claim.AlreadyDone:
		return "already done"
	case d.Resumed:
		return "resume"
	case len(d.Change.Path) == 0:
		return "register, " + string(d.Change.Steps[0])
	default:
		return "→ " + strings.Join(invalid.Names(d.Change.Path), " → ")
	}
}

// The whole retry rule: every type, state, action, evidence and actor. A changed line changes what sellers' programs see.
func TestDecisionMatrix(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("type\tstate\taction\tevidence\tby the seller\tby an operator, where different\n")
	for _, kind := range claim.Types() {
		for _, state := range kind.Machine().States() {
			for _, sent := range calls {
				for _, before := range evidences {
					c := in(t, kind, state.Name)
					if !before.prepare(&c, sent) {
						continue
					}
					api := outcome(claim.Decide(&c, claim.Command{Action: sent.action, Values: sent.values, Actor: seller}, now))
					op := outcome(claim.Decide(&c, claim.Command{Action: sent.action, Values: sent.values, Actor: operator}, now))
					fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t%s\n", kind, state.Name, sent.name, before.name, api, differing(op, api))
				}
			}
		}
	}
	golden(t, "testdata/decisions.tsv", b.String())
}

func differing(op, api string) string {
	if op == api {
		return ""
	}
	return op
}

// An error names the state and the available actions, and for a frozen claim the reason.
func TestDecide_refusalNamesAvailableActions(t *testing.T) {
	t.Parallel()
	c := in(t, claim.Return, claim.Approved)
	d := claim.Decide(&c, claim.Command{Action: claim.Inspect, Values: pass, Actor: seller}, now)
	require.Equal(t, map[string]any{"status": claim.Approved, "available_actions": []claim.Trigger{claim.Pickup}},
		apierr.From(d.Err).Data)

	c = in(t, claim.Return, claim.Requested)
	c.Freeze = &claim.Freeze{Code: claim.FreezeDispute, Reason: "customer called"}
	d = claim.Decide(&c, claim.Command{Action: claim.Approve, Actor: seller}, now)
	require.ErrorIs(t, d.Err, apierr.ClaimNotApprovable)
	require.Equal(t, []any{"frozen", claim.FreezeDispute}, []any{apierr.From(d.Err).Data["reason"], apierr.From(d.Err).Data["code"]})
	require.Equal(t, apierr.HintFrozen, apierr.From(d.Err).Hint)
	require.Equal(t, c.AvailableActions(), apierr.From(d.Err).Data["available_actions"])
}

// Each action of the API is refused with its own error code.
func TestRefusal_distinctForEachAction(t *testing.T) {
	t.Parallel()
	seen := map[apierr.Code]bool{}
	for _, action := range claim.Actions() {
		require.True(t, strings.HasPrefix(string(action.Refusal()), "CLAIM_NOT_"), action)
		seen[action.Refusal()] = true
	}
	require.Len(t, seen, len(claim.Actions()))
	require.Equal(t, apierr.IdempotencyUnresolved, claim.Withdraw.Refusal())
}

// A failed inspection and a rejection need a memo; other actions do not.
func TestValues_memoRequired(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, claim.Values{Result: claim.Fail}.Check(claim.Inspect), apierr.ClaimMemoRequired)
	require.ErrorIs(t, claim.Values{}.Check(claim.Reject), apierr.ValidationError)
	require.NoError(t, claim.Values{Result: claim.Pass}.Check(claim.Inspect))
	require.NoError(t, fail.Check(claim.Inspect))
	require.NoError(t, memo.Check(claim.Reject))
	require.NoError(t, hanjin.Check(claim.Pickup))
}

// A rejected inspection is not an explicit rejection, and the memo of the first rejection stays.
func TestReject_differsFromFailedInspection(t *testing.T) {
	t.Parallel()
	c := do(t, in(t, claim.Return, claim.Collected), claim.Inspect, fail)
	require.Equal(t, claim.Rejected, c.Status)
	d := claim.Decide(&c, claim.Command{Action: claim.Reject, Values: memo, Actor: seller}, now)
	require.ErrorIs(t, d.Err, apierr.IdempotencyUnresolved)

	c = do(t, in(t, claim.Return, claim.Inspecting), claim.Reject, memo)
	d = claim.Decide(&c, claim.Command{Action: claim.Reject, Values: claim.Values{Memo: "another"}, Actor: seller}, now)
	require.Equal(t, claim.AlreadyDone, d.Verdict)
	require.Equal(t, "no", c.Performed.Of(claim.Reject).Values.Memo)
	require.Nil(t, c.Performed.Of(claim.Inspect))
}

// A completed return still has the values of its actions, so that repetitions are recognised.
func TestDecide_repeatedAfterCompletion(t *testing.T) {
	t.Parallel()
	c := opened(t, claim.Return)
	for _, step := range []struct {
		action claim.Trigger
		values claim.Values
	}{{claim.Approve, claim.Values{}}, {claim.Pickup, hanjin}, {claim.CollectDone, claim.Values{}}, {claim.Inspect, pass}} {
		c = do(t, c, step.action, step.values)
	}
	c = c.Finish(nil, now).Change.Next
	require.Equal(t, claim.Completed, c.Status)
	require.Equal(t, now, *c.CompletedAt)
	for _, repeated := range []struct {
		action  claim.Trigger
		values  claim.Values
		verdict claim.Verdict
	}{
		{claim.Approve, claim.Values{}, claim.AlreadyDone},
		{claim.Pickup, hanjin, claim.AlreadyDone},
		{claim.Pickup, lotte, claim.Refused},
		{claim.CollectDone, claim.Values{}, claim.AlreadyDone},
		{claim.Inspect, pass, claim.AlreadyDone},
		{claim.Inspect, claim.Values{Result: claim.Pass, Memo: "fine"}, claim.AlreadyDone},
		{claim.Inspect, fail, claim.Refused},
		{claim.Reject, memo, claim.Refused},
		{claim.Reship, hanjin, claim.Refused},
	} {
		d := claim.Decide(&c, claim.Command{Action: repeated.action, Values: repeated.values, Actor: seller}, now)
		require.Equal(t, repeated.verdict, d.Verdict, "%s %v", repeated.action, repeated.values)
	}
}

func TestDecide_leavesItsClaimUnchanged(t *testing.T) {
	t.Parallel()
	c := opened(t, claim.Exchange)
	before := opened(t, claim.Exchange)
	d := claim.Decide(&c, claim.Command{Action: claim.Approve, Actor: seller}, now)
	d.Change.Next.Items[0].Quantity = 99
	d.Change.Next.Performed[0].Actor = operator
	require.Equal(t, before, c)
}

// Every action of the API is registered without being visible, with the one step that the order's side can refuse.
func TestDecide_registersOneStep(t *testing.T) {
	t.Parallel()
	for _, kind := range claim.Types() {
		for _, state := range kind.Machine().States() {
			in := in(t, kind, state.Name)
			for _, action := range in.AvailableActions() {
				d := claim.Decide(&in, claim.Command{Action: action, Values: valuesOf(action), Actor: seller}, now)
				require.Equal(t, claim.Execute, d.Verdict)
				require.True(t, d.Change.Hidden)
				require.Empty(t, d.Change.Path)
				require.Nil(t, d.Change.Next.Performed.Shown(action))
				registered, step := d.Change.Next.Awaits()
				require.Equal(t, action, registered.Action)
				require.Equal(t, []claim.Step{step}, d.Change.Steps, "%s %s", kind, action)
				require.True(t, step.IsAwaited())
			}
		}
	}
}
