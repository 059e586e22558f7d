package saga

import (
	"context"
	"errors"
	"log/slog"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/claims/internal/store"
)

// follow tries the pending steps of a claim after a change, and the steps that result from them, even if the caller has gone. It
// returns the claim afterwards, and as problem the error of the step that an action waits for; nil when that step is done or
// there is none. A sweep tries the remaining steps. The order is touched last, once for all changes.
func (s *Saga) follow(ctx context.Context, seller uuid.UUID, no string) (c claim.Claim, problem, err error) {
	inline, cancel := s.withinBudget(ctx)
	defer cancel()
	if c, problem, err = s.runPending(inline, seller, no, doneInline); err == nil {
		return c, problem, nil
	}
	c, err = s.claims.Get(ctx, seller, no) // the inline time may be over
	return c, problem, err
}

// runPending is follow without the inline time. done is the metric's outcome label for a step that succeeds. err is not nil if
// the claim is not known.
func (s *Saga) runPending(ctx context.Context, seller uuid.UUID, no, done string) (c claim.Claim, problem, err error) {
	tried := map[uuid.UUID]bool{}
	for {
		c, steps, err := s.claims.Pending(ctx, seller, no)
		if err != nil {
			return claim.Claim{}, problem, err
		}
		step, touches := next(steps, tried)
		if step == nil {
			s.touch(ctx, touches, done)
			return c, problem, nil
		}
		tried[step.ID] = true
		err = s.try(ctx, *step, &c, done)
		if err != nil && step.Name.IsAwaited() {
			problem = err
		}
		if err != nil && lines.Refusal(err) == nil {
			return claim.Claim{}, problem, err // if the service is unavailable now, the next step would fail too
		}
	}
}

// touch advances the order's updated_at once for all these steps. The last one identifies the call.
func (s *Saga) touch(ctx context.Context, steps []store.Step, done string) {
	if len(steps) == 0 {
		return
	}
	last := steps[len(steps)-1]
	err := s.lines.Touch(ctx, last.ClaimNo, last.Ref)
	for _, step := range steps {
		if err == nil {
			err = s.claims.FinishStep(ctx, step)
		}
		s.report(ctx, step.ClaimNo, step.Name, done, err)
	}
}

// next returns the step to be tried next, nil if none is left, and the touches of the order, which come after the last change.
func next(steps []store.Step, tried map[uuid.UUID]bool) (first *store.Step, touches []store.Step) {
	for i := range steps {
		step := &steps[i]
		switch {
		case step.Name == claim.TouchOrder:
			touches = append(touches, *step)
		case !tried[step.ID] && (first == nil || rank(step.Name) < rank(first.Name)):
			first = step
		}
	}
	return first, touches
}

// rank orders the steps that a call waits for before the remaining steps of earlier changes. A freeze is carried out even if an
// action that was registered before it cannot be.
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
	err := s.tryAlone(ctx, step)
	if err == nil || lines.Refusal(err) != nil { // a refusal rolls a registration back
		s.runResulting(ctx, step)
	}
	return err
}

// runResulting tries the steps that result from a step of a sweep, including those of the return that replaced an exchange. The
// next sweep finds the steps that remain.
func (s *Saga) runResulting(ctx context.Context, step store.Step) {
	c, _, err := s.runPending(ctx, step.SellerID, step.ClaimNo, doneByJob)
	if err == nil && step.Name == claim.ConvertLines && c.Status == claim.ConvertedToReturn {
		_, _, _ = s.runPending(ctx, step.SellerID, c.ReplacedBy, doneByJob)
	}
}

// tryAlone is try for a step of which only the row is known.
func (s *Saga) tryAlone(ctx context.Context, step store.Step) error {
	if step.Name == claim.OpenLines || step.Name == claim.TouchOrder { // they need nothing of the claim
		return s.try(ctx, step, nil, doneByJob)
	}
	c, err := s.claims.Get(ctx, step.SellerID, step.ClaimNo)
	if err != nil {
		return err
	}
	return s.try(ctx, step, &c, doneByJob)
}

func (s *Saga) try(ctx context.Context, step store.Step, c *claim.Claim, done string) error {
	err := s.work(ctx, step, c)
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
