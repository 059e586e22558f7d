package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
)

// Step is work across services that may not be done yet.
type Step struct {
	ID       uuid.UUID
	ClaimNo  string
	SellerID uuid.UUID
	Name     claim.Step
	// Ref distinguishes the changes of a claim that add the same step; empty if there can be only one.
	Ref       string
	PlannedAt time.Time
	// Request is the request of an OpenLines step; zero for other steps.
	Request claim.Wanted
	// Traceparent is the trace of the request that added the step; empty when it was not traced.
	Traceparent string
}

// HeadStart is how long the call that plans a step can try it before a sweep does. A concurrent try by both does no harm.
const HeadStart = 4 * time.Second

// ErrNoStep says that a step cannot be tried: it is done, was given up, or is not due.
var ErrNoStep = errors.New("the step is not pending")

// PlanOpening stores the request for a claim, before any other service is called. A repeated call returns the stored step.
// IDEMPOTENCY_KEY_REUSED when the number is stored for another request.
func (s *Store) PlanOpening(ctx context.Context, w claim.Wanted) (Step, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Step{}, fmt.Errorf("generate the ID of a step: %w", err)
	}
	request, err := json.Marshal(w)
	if err != nil {
		return Step{}, fmt.Errorf("plan an opening: %w", err)
	}
	content := digest(w)
	step := Step{ClaimNo: w.No, SellerID: w.SellerID, Name: claim.OpenLines, Traceparent: telemetry.Traceparent(ctx)}
	err = postgres.InTx(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) error {
		var noted []byte
		planning := &pgx.Batch{}
		planning.Queue(queries.SQL("NoteNumber"), w.No, w.SellerID,
			content).QueryRow(func(row pgx.Row) error { return row.Scan(&noted) })
		planning.Queue(queries.SQL("PlanOpening"), w.SellerID, w.No, id, request, HeadStart,
			step.Traceparent).QueryRow(func(row pgx.Row) error {
			return row.Scan(&step.ID, &step.PlannedAt, &step.Request)
		})
		if err := tx.SendBatch(ctx, planning).Close(); err != nil {
			return fmt.Errorf("plan an opening: %w", err)
		}
		if string(noted) != string(content) {
			return apierr.IdempotencyKeyReused
		}
		return nil
	})
	if err != nil {
		return Step{}, err
	}
	return step, nil
}

// queueSteps queues the steps that follow a change. ref identifies the change among those of the claim.
func queueSteps(ctx context.Context, batch *pgx.Batch, c *claim.Claim, steps []claim.Step, ref string) error {
	for _, name := range steps {
		id, err := uuid.NewV7()
		if err != nil {
			return fmt.Errorf("generate the ID of a step: %w", err)
		}
		stepRef := ""
		// A claim can have many touches, and a second step for an action that was rolled back. The ref says which change a step
		// belongs to, so that finishing one does not finish another. All other steps exist once.
		if name == claim.TouchOrder || name.IsAwaited() {
			stepRef = ref
		}
		batch.Queue(queries.SQL("PlanStep"), c.SellerID, c.No, name, stepRef, id, HeadStart, telemetry.Traceparent(ctx))
	}
	return nil
}

// refOf returns an identifier of a change that is unique within its claim, given the number of its first row in the claim's
// history. Its time would not be unique: the time of an action can be reported, and reported again after the action was rolled
// back.
func refOf(change claim.Change, number int) string {
	return string(change.Trigger) + "#" + strconv.Itoa(number)
}

// The shortest and the longest pause between two attempts at a step.
const (
	pauseMin = time.Second
	pauseMax = 10 * time.Second
)

// TakeStep claims a due step for one attempt, and postpones the next attempt by a quarter of the step's age, so that remaining
// work is done soon after the other service recovers. ErrNoStep when the step is done, or another process has taken it.
func (s *Store) TakeStep(ctx context.Context, step Step) error {
	pause := min(pauseMax, max(pauseMin, time.Since(step.PlannedAt)/4))
	taken, err := postgres.OfSeller(s.pool, step.SellerID).Exec(ctx, queries.SQL("TakeStep"), step.SellerID,
		step.ClaimNo, step.ID, pause)
	if err == nil && taken.RowsAffected() == 0 {
		return ErrNoStep
	}
	return postgres.Classify(postgres.Wrap("claim a step", err))
}

// Pending returns a claim and its unfinished steps in the order in which they were planned. CLAIM_NOT_FOUND.
func (s *Store) Pending(ctx context.Context, seller uuid.UUID, no string) (c claim.Claim, pending []Step, err error) {
	batch := &pgx.Batch{}
	batch.Queue(queries.SQL("FindClaim"), seller, no).Query(func(rows pgx.Rows) error {
		row, err := readClaim(ctx, rows)
		c = row.Claim
		return err
	})
	batch.Queue(queries.SQL("PendingSteps"), seller, no).Query(func(rows pgx.Rows) (err error) {
		pending, err = pgx.CollectRows(rows, scanStep)
		return err
	})
	err = postgres.OfSeller(s.pool, seller).Run(ctx, batch)
	return c, pending, postgres.Classify(postgres.Wrap("find claim and steps", err))
}

// DueSteps returns at most limit due steps, longest overdue first.
func (s *Store) DueSteps(ctx context.Context, limit int) ([]Step, error) {
	return steps(ctx, postgres.AllSellers(s.pool), "DueSteps", limit)
}

// DueStepsOf is DueSteps of one seller. The time of the seller makes no difference: attempts follow one another by the wall
// clock.
func (s *Store) DueStepsOf(ctx context.Context, seller uuid.UUID, _ time.Time, limit int) ([]Step, error) {
	return steps(ctx, postgres.OfSeller(s.pool, seller), "DueStepsOf", seller, limit)
}

// FinishStep records that a step is done. An opening that ends without a claim is given up: its number is free again.
func (s *Store) FinishStep(ctx context.Context, step Step) error {
	if step.Name == claim.OpenLines {
		if err := s.GiveUp(ctx, step); !errors.Is(err, ErrNoStep) {
			return err
		}
		return nil
	}
	_, err := postgres.OfSeller(s.pool, step.SellerID).Exec(ctx, queries.SQL("FinishStep"), step.SellerID, step.ClaimNo, step.ID)
	return postgres.Classify(postgres.Wrap("finish a step", err))
}

// GiveUp ends an opening. It locks the number first, as PlanOpening does, and frees it if no other step or claim needs it.
// ErrNoStep when the opening has already ended.
func (s *Store) GiveUp(ctx context.Context, step Step) error {
	return postgres.InTx(ctx, postgres.OfSeller(s.pool, step.SellerID), func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, queries.SQL("LockNumber"), step.ClaimNo); err != nil {
			return fmt.Errorf("lock the number of a claim: %w", err)
		}
		done, err := tx.Exec(ctx, queries.SQL("FinishStep"), step.SellerID, step.ClaimNo, step.ID)
		if err != nil {
			return fmt.Errorf("finish a step: %w", err)
		}
		if done.RowsAffected() == 0 {
			return ErrNoStep
		}
		var opened bool
		if err := tx.QueryRow(ctx, queries.SQL("IsOpened"), step.SellerID, step.ClaimNo).Scan(&opened); err != nil || opened {
			return err
		}
		_, err = tx.Exec(ctx, queries.SQL("FreeNumber"), step.ClaimNo, step.SellerID)
		return err
	})
}

// WhileFree calls do if the number of an opening was given up and is still free. Until do returns, no request with the number is
// planned, so what do undoes is not that of another request.
func (s *Store) WhileFree(ctx context.Context, step Step, do func(ctx context.Context) error) error {
	return postgres.InTx(ctx, postgres.OfSeller(s.pool, step.SellerID), func(ctx context.Context, tx pgx.Tx) error {
		taken, err := tx.Exec(ctx, queries.SQL("TakeNumber"), step.ClaimNo, step.SellerID)
		if err != nil || taken.RowsAffected() == 0 {
			return err
		}
		if err := do(ctx); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, queries.SQL("FreeNumber"), step.ClaimNo, step.SellerID)
		return err
	})
}

func steps(ctx context.Context, db postgres.Querier, query string, args ...any) ([]Step, error) {
	found, err := postgres.Collect(ctx, db, scanStep, queries.SQL(query), args...)
	return found, postgres.Classify(postgres.Wrap("find steps", err))
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
