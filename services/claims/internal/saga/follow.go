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

// follow tries the steps of a claim right after a change, and those that they lead to, whether or not the caller is still
// there. It returns the order's answer to the step that an action waits for, nil when it is done or there is none. What is
// left is for the sweep.
func (s *Saga) follow(ctx context.Context, seller uuid.UUID, no string) error {
	ctx, cancel := s.withinBudget(ctx)
	defer cancel()
	return s.carryOn(ctx, seller, no, doneInline)
}

// carryOn is follow for as long as the context lasts. done is the metric's word for a step that succeeds.
func (s *Saga) carryOn(ctx context.Context, seller uuid.UUID, no, done string) error {
	var problem error
	tried := map[uuid.UUID]bool{}
	for again := true; again; {
		again = false
		steps, err := s.claims.PendingSteps(ctx, seller, no)
		if err != nil {
			return err
		}
		slices.SortStableFunc(steps, waitedForFirst)
		for _, step := range steps {
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
				return problem // a service that does not answer now will not answer the next step either
			}
		}
	}
	return problem
}

// leadsOn reports whether a step can change the claim and so call for further steps.
func leadsOn(name claim.Step) bool {
	return name == claim.PayRefunds || name == claim.FinishClaim || name.IsAwaited()
}

// waitedForFirst orders steps so that what someone waits for does not stand behind what is left of earlier changes.
func waitedForFirst(a, b store.Step) int {
	rank := map[bool]int{true: 0, false: 1}
	return cmp.Compare(rank[a.Name.IsAwaited()], rank[b.Name.IsAwaited()])
}

// The metric's words for what became of a step.
const (
	doneInline = "done_inline"
	doneByJob  = "done_by_job"
	retry      = "retry"
	failed     = "failed"
)

// RunStep tries a step that is due, and then those that it leads to: each of them is found by itself, but their pauses would
// add up. A step that is done, or that someone else has taken, is left alone.
func (s *Saga) RunStep(ctx context.Context, step store.Step) error {
	switch err := s.claims.TakeStep(ctx, step); {
	case errors.Is(err, store.ErrNoStep):
		return nil
	case err != nil:
		return err
	}
	err := s.try(ctx, step, doneByJob)
	if err == nil || lines.Refusal(err) != nil { // a refusal takes something back
		s.carryOnAfter(ctx, step)
	}
	return err
}

// carryOnAfter tries what a step of a sweep has led to, in the return as well that has taken the place of an exchange. What is
// not done is found by the next sweep.
func (s *Saga) carryOnAfter(ctx context.Context, step store.Step) {
	_ = s.carryOn(ctx, step.SellerID, step.ClaimNo, doneByJob)
	if step.Name != claim.ConvertLines {
		return
	}
	if c, err := s.claims.Get(ctx, step.SellerID, step.ClaimNo); err == nil && c.Status == claim.ConvertedToReturn {
		_ = s.carryOn(ctx, step.SellerID, c.ReplacedBy, doneByJob)
	}
}

// try runs a step and reports what became of it.
func (s *Saga) try(ctx context.Context, step store.Step, done string) error {
	err := s.run(ctx, step)
	s.report(ctx, step.ClaimNo, step.Name, done, err)
	return err
}

// report counts a try of a step, and logs it when it did not succeed.
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

// run does the work of a step and notes that it is done.
func (s *Saga) run(ctx context.Context, step store.Step) error {
	if err := s.work(ctx, step); err != nil {
		return err
	}
	return s.claims.FinishStep(ctx, step)
}
