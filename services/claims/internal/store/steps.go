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
}

// ErrNoStep says that a step is done, or was given up.
var ErrNoStep = errors.New("the step is not planned any more")

// PlanOpening notes that a claim was asked for, before anybody else is told. A repetition returns what was noted first.
// IDEMPOTENCY_KEY_REUSED when the number is noted for another request.
func (s *Store) PlanOpening(ctx context.Context, w claim.Wanted) (Step, error) {
	step := Step{ClaimNo: w.No, SellerID: w.SellerID, Name: claim.OpenLines}
	request, err := json.Marshal(w)
	if err != nil {
		return Step{}, fmt.Errorf("plan an opening: %w", err)
	}
	err = postgres.InTx(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		row := tx.QueryRow(ctx, queries.SQL("PlanOpening"), w.No, w.SellerID, request)
		if err := row.Scan(&step.ID, &step.PlannedAt, &step.Request); err != nil {
			return fmt.Errorf("plan an opening: %w", err)
		}
		if string(digest(step.Request)) != string(digest(w)) {
			return apierr.IdempotencyKeyReused
		}
		return s.followed(ctx, tx, Plan{Steps: []Step{step}})
	})
	return step, err
}

// Step returns a step that is not done. ErrNoStep when there is no such.
func (s *Store) Step(ctx context.Context, id int64) (Step, error) {
	steps, err := s.steps(ctx, "FindStep", id)
	if err == nil && len(steps) == 0 {
		return Step{}, ErrNoStep
	}
	if err != nil {
		return Step{}, err
	}
	return steps[0], nil
}

// PendingSteps returns the steps of a claim that are not done, in the order in which they were planned.
func (s *Store) PendingSteps(ctx context.Context, seller uuid.UUID, no string) ([]Step, error) {
	return s.steps(ctx, "PendingSteps", seller, no)
}

// OverdueSteps returns at most limit steps that were planned so long ago, the longest waiting first.
func (s *Store) OverdueSteps(ctx context.Context, age time.Duration, limit int) ([]Step, error) {
	return s.steps(ctx, "OverdueSteps", age, limit)
}

// FinishStep notes that a step is done.
func (s *Store) FinishStep(ctx context.Context, id int64) error {
	if _, err := s.pool.Exec(ctx, queries.SQL("FinishStep"), id); err != nil {
		return postgres.Classify(fmt.Errorf("finish a step: %w", err))
	}
	return nil
}

// OldestSteps returns for each step that someone waits for how long the oldest has waited.
func (s *Store) OldestSteps(ctx context.Context) (map[claim.Step]time.Duration, error) {
	rows, err := s.pool.Query(ctx, queries.SQL("OldestSteps"))
	if err != nil {
		return nil, postgres.Classify(fmt.Errorf("find the oldest steps: %w", err))
	}
	ages := map[claim.Step]time.Duration{}
	var name claim.Step
	var seconds float64
	_, err = pgx.ForEachRow(rows, []any{&name, &seconds}, func() error {
		ages[name] = time.Duration(seconds * float64(time.Second))
		return nil
	})
	if err != nil {
		return nil, postgres.Classify(fmt.Errorf("find the oldest steps: %w", err))
	}
	return ages, nil
}

// steps runs a statement that selects steps.
func (s *Store) steps(ctx context.Context, query string, args ...any) ([]Step, error) {
	rows, err := s.pool.Query(ctx, queries.SQL(query), args...)
	if err != nil {
		return nil, postgres.Classify(fmt.Errorf("find steps: %w", err))
	}
	steps, err := pgx.CollectRows(rows, scanStep)
	if err != nil {
		return nil, postgres.Classify(fmt.Errorf("find steps: %w", err))
	}
	return steps, nil
}

func scanStep(row pgx.CollectableRow) (Step, error) {
	var step Step
	var request *claim.Wanted
	err := row.Scan(&step.ID, &step.ClaimNo, &step.SellerID, &step.Name, &step.Ref, &step.PlannedAt, &request)
	if request != nil {
		step.Request = *request
	}
	return step, err
}
