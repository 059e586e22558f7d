package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
)

// Step is work across services that is not known to be done.
type Step struct {
	ID       int64
	ClaimNo  string
	SellerID uuid.UUID
	Name     claim.Step
	// Ref tells the changes of the claim apart that call for the same step; empty where there can be one only.
	Ref       string
	PlannedAt time.Time
	// Request is what OpenLines is for; zero for every other step.
	Request claim.Wanted
	// Traceparent is the trace of the request that called for the step; empty when it was not traced.
	Traceparent string
}

// HeadStart is how long the call that plans a step has it to itself. A sweep takes up what is left then; that both try a step
// at once does no harm.
const HeadStart = 4 * time.Second

// ErrNoStep says that a step is not there to be tried: it is done, was given up, or is not due.
var ErrNoStep = errors.New("there is no such step to be tried")

// PlanOpening notes that a claim was asked for, before anybody else is told. A repetition returns what was noted first.
// IDEMPOTENCY_KEY_REUSED when the number is noted for another request.
func (s *Store) PlanOpening(ctx context.Context, w claim.Wanted) (Step, error) {
	step := Step{ClaimNo: w.No, SellerID: w.SellerID, Name: claim.OpenLines, Traceparent: telemetry.Traceparent(ctx)}
	request, err := json.Marshal(w)
	if err != nil {
		return Step{}, fmt.Errorf("plan an opening: %w", err)
	}
	row := postgres.AllSellers(s.pool).QueryRow(ctx, queries.SQL("PlanOpening"), w.No, w.SellerID, request, HeadStart, step.Traceparent)
	if err := row.Scan(&step.ID, &step.PlannedAt, &step.Request); err != nil {
		return Step{}, postgres.Classify(fmt.Errorf("plan an opening: %w", err))
	}
	if string(digest(step.Request)) != string(digest(w)) {
		return Step{}, apierr.IdempotencyKeyReused
	}
	return step, nil
}

// queueSteps writes the steps that follow a change. ref is what tells the change from others of the claim.
func queueSteps(ctx context.Context, batch *pgx.Batch, c *claim.Claim, steps []claim.Step, ref string) {
	if len(steps) == 0 {
		return
	}
	refs := make([]string, len(steps))
	for i, name := range steps {
		// A claim can call for many touches, and again for the step of an action that was taken back: these say which change
		// they are for, so that anyone who finishes one does not finish another. Of everything else there is one.
		if name == claim.TouchOrder || name == claim.FreezeLines || name.IsAwaited() {
			refs[i] = ref
		}
	}
	batch.Queue(queries.SQL("PlanSteps"), c.No, c.SellerID, steps, refs, HeadStart, telemetry.Traceparent(ctx))
}

// refOf tells a change of a claim from all others.
func refOf(change claim.Change) string {
	return string(change.Trigger) + "@" + change.At.UTC().Format(time.RFC3339Nano)
}

// TakeStep takes a step for a try that is due, and puts the next one off. ErrNoStep when it is done, or someone else has
// taken it.
func (s *Store) TakeStep(ctx context.Context, id int64) error {
	taken, err := postgres.AllSellers(s.pool).Exec(ctx, queries.SQL("TakeStep"), id)
	if err == nil && taken.RowsAffected() == 0 {
		return ErrNoStep
	}
	if err != nil {
		return postgres.Classify(fmt.Errorf("take a step: %w", err))
	}
	return nil
}

// PendingSteps returns the steps of a claim that are not done, in the order in which they were planned.
func (s *Store) PendingSteps(ctx context.Context, seller uuid.UUID, no string) ([]Step, error) {
	return steps(ctx, postgres.OfSeller(s.pool, seller), "PendingSteps", seller, no)
}

// DueSteps returns at most limit steps that are to be tried, the longest due first.
func (s *Store) DueSteps(ctx context.Context, limit int) ([]Step, error) {
	return steps(ctx, postgres.AllSellers(s.pool), "DueSteps", limit)
}

// FinishStep notes that a step is done.
func (s *Store) FinishStep(ctx context.Context, id int64) error {
	if _, err := postgres.AllSellers(s.pool).Exec(ctx, queries.SQL("FinishStep"), id); err != nil {
		return postgres.Classify(fmt.Errorf("finish a step: %w", err))
	}
	return nil
}

// steps runs a statement that selects steps.
func steps(ctx context.Context, db querier, query string, args ...any) ([]Step, error) {
	rows, err := db.Query(ctx, queries.SQL(query), args...)
	if err != nil {
		return nil, postgres.Classify(fmt.Errorf("find steps: %w", err))
	}
	found, err := pgx.CollectRows(rows, scanStep)
	if err != nil {
		return nil, postgres.Classify(fmt.Errorf("find steps: %w", err))
	}
	return found, nil
}

func scanStep(row pgx.CollectableRow) (Step, error) {
	var step Step
	var request *claim.Wanted
	err := row.Scan(&step.ID, &step.ClaimNo, &step.SellerID, &step.Name, &step.Ref, &step.PlannedAt, &request, &step.Traceparent)
	if request != nil {
		step.Request = *request
	}
	return step, err
}
