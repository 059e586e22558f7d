package saga

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/claims/internal/store"
)

// follow tries the pending steps of a claim after a change, and the steps that result from them, even if the caller has gone. It
// returns the error of the step that an action waits for; nil when that step is done or there is none. A sweep tries the
// remaining steps. The order is touched last, once for all changes.
func (s *Saga) follow(ctx context.Context, seller uuid.UUID, no string) error {
	ctx, cancel := s.withinBudget(ctx)
	defer cancel()
	return s.runPending(ctx, seller, no, doneInline)
}

// runPending is follow without the inline time. done is the metric's outcome label for a step that succeeds.
func (s *Saga) runPending(ctx context.Context, seller uuid.UUID, no, done string) error {
	var problem error
	tried := map[uuid.UUID]bool{}
	for again := true; again; {
		again = false
		steps, err := s.claims.PendingSteps(ctx, seller, no)
		if err != nil {
			return err
		}
		first, touches := inOrder(steps)
		for _, step := range first {
			if tried[step.ID] {
				continue
			}
			tried[step.ID] = true
			again = again || leadsOn(step.Name)
			err := s.try(ctx, step, done)
			if err != nil && step.Name.IsAwaited() {
				problem = err
			}
			if err != nil && lines.Refusal(err) == nil {
				return problem // if the service is unavailable now, the next step would fail too
			}
		}
		if !again && len(touches) > 0 {
			s.touch(ctx, touches, done)
		}
	}
	return problem
}

// touch advances the order's updated_at once for all these steps. The last one identifies the call.
func (s *Saga) touch(ctx context.Context, steps []store.Step, done string) {
	last := steps[len(steps)-1]
	err := s.lines.Touch(ctx, last.ClaimNo, last.Ref)
	for _, step := range steps {
		if err == nil {
			err = s.claims.FinishStep(ctx, step)
		}
		s.report(ctx, step.ClaimNo, step.Name, done, err)
	}
}

// leadsOn reports whether a step can change the claim and thereby add further steps.
func leadsOn(name claim.Step) bool {
	return name == claim.PayRefunds || name == claim.FinishClaim || name.IsAwaited()
}

// inOrder returns the steps in the order in which they are tried, and the touches of the order, which come after the last change.
func inOrder(steps []store.Step) (first, touches []store.Step) {
	for _, step := range steps {
		if step.Name == claim.TouchOrder {
			touches = append(touches, step)
		} else {
			first = append(first, step)
		}
	}
	slices.SortStableFunc(first, waitedForFirst)
	return first, touches
}

// waitedForFirst orders the steps that a call waits for before the remaining steps of earlier changes. A freeze is carried out
// even if an action that was registered before it cannot be.
func waitedForFirst(a, b store.Step) int { return cmp.Compare(rank(a.Name), rank(b.Name)) }

func rank(name claim.Step) int {
	switch {
	case name == claim.FreezeLines:
		return 0
	case name.IsAwaited():
		return 1
	default:
		return 2
	}
}

const (
	doneInline = "done_inline"
	doneByJob  = "done_by_job"
	retry      = "retry"
	failed     = "failed"
)

// RunStep tries a due step and then the steps that result from it: a sweep would find each of those too, but their delays would
// add up. A step that is done, or that another process has taken, is skipped.
func (s *Saga) RunStep(ctx context.Context, step store.Step) error {
	switch err := s.claims.TakeStep(ctx, step); {
	case errors.Is(err, store.ErrNoStep):
		return nil
	case err != nil:
		return err
	}
	err := s.try(ctx, step, doneByJob)
	if err == nil || lines.Refusal(err) != nil { // a refusal rolls a registration back
		s.carryOnAfter(ctx, step)
	}
	return err
}

// carryOnAfter tries the steps that result from a step of a sweep, including those of the return that replaced an exchange. The
// next sweep finds the steps that remain.
func (s *Saga) carryOnAfter(ctx context.Context, step store.Step) {
	_ = s.runPending(ctx, step.SellerID, step.ClaimNo, doneByJob)
	if step.Name != claim.ConvertLines {
		return
	}
	if c, err := s.claims.Get(ctx, step.SellerID, step.ClaimNo); err == nil && c.Status == claim.ConvertedToReturn {
		_ = s.runPending(ctx, step.SellerID, c.ReplacedBy, doneByJob)
	}
}

func (s *Saga) try(ctx context.Context, step store.Step, done string) error {
	err := s.run(ctx, step)
	s.report(ctx, step.ClaimNo, step.Name, done, err)
	return err
}

func (s *Saga) report(ctx context.Context, no string, name claim.Step, done string, err error) {
	outcome, level := done, slog.LevelDebug
	switch {
	case err == nil:
	case lines.Refusal(err) != nil:
		outcome, level = failed, slog.LevelWarn
	default:
		outcome, level = retry, slog.LevelInfo
	}
	s.tel.Counter(telemetry.SagaSteps).WithLabelValues(string(name), outcome).Inc()
	s.tel.Logger.LogAttrs(ctx, level, "step", slog.String("step", string(name)), slog.String("claim_no", no),
		slog.String("outcome", outcome), slog.Any("error", err))
}

func (s *Saga) run(ctx context.Context, step store.Step) error {
	if err := s.work(ctx, step); err != nil {
		return err
	}
	return s.claims.FinishStep(ctx, step)
}
