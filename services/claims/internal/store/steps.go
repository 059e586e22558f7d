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
	ID       uuid.UUID
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
	id, err := uuid.NewV7()
	if err != nil {
		return Step{}, fmt.Errorf("make the id of a step: %w", err)
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
		planning.Queue(queries.SQL("NoteNumber"), w.No, w.SellerID, content).QueryRow(func(row pgx.Row) error { return row.Scan(&noted) })
		planning.Queue(queries.SQL("PlanOpening"), w.SellerID, w.No, id, request, HeadStart, step.Traceparent).QueryRow(func(row pgx.Row) error {
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

// queueSteps writes the steps that follow a change. ref is what tells the change from others of the claim.
func queueSteps(ctx context.Context, batch *pgx.Batch, c *claim.Claim, steps []claim.Step, ref string) error {
	for _, name := range steps {
		id, err := uuid.NewV7()
		if err != nil {
			return fmt.Errorf("make the id of a step: %w", err)
		}
		stepRef := ""
		// A claim can call for many touches, and again for the step of an action that was taken back: these say which change
		// they are for, so that anyone who finishes one does not finish another. Of everything else there is one.
		if name == claim.TouchOrder || name == claim.FreezeLines || name.IsAwaited() {
			stepRef = ref
		}
		batch.Queue(queries.SQL("PlanStep"), c.SellerID, c.No, name, stepRef, id, HeadStart, telemetry.Traceparent(ctx))
	}
	return nil
}

// refOf tells a change of a claim from all others.
func refOf(change claim.Change) string {
	return string(change.Trigger) + "@" + change.At.UTC().Format(time.RFC3339Nano)
}

// The shortest and the longest pause between two tries of a step.
const (
	pauseMin = time.Second
	pauseMax = 10 * time.Second
)

// TakeStep takes a step for a try that is due, and puts the next one off by a quarter of the step's age: what is left is done soon
// after the other side is back. ErrNoStep when it is done, or someone else has taken it.
func (s *Store) TakeStep(ctx context.Context, step Step) error {
	pause := min(pauseMax, max(pauseMin, time.Since(step.PlannedAt)/4))
	taken, err := postgres.OfSeller(s.pool, step.SellerID).Exec(ctx, queries.SQL("TakeStep"), step.SellerID, step.ClaimNo, step.ID, pause)
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

// FinishStep notes that a step is done. A request whose opening ends so, and that has no claim, is given up: its number is free again.
func (s *Store) FinishStep(ctx context.Context, step Step) error {
	seller := postgres.OfSeller(s.pool, step.SellerID)
	if step.Name == claim.OpenLines {
		return postgres.InTx(ctx, seller, func(ctx context.Context, tx pgx.Tx) error { return giveUp(ctx, tx, step) })
	}
	if _, err := seller.Exec(ctx, queries.SQL("FinishStep"), step.SellerID, step.ClaimNo, step.ID); err != nil {
		return postgres.Classify(fmt.Errorf("finish a step: %w", err))
	}
	return nil
}

// giveUp ends an opening. Its number is locked first, as by those who note it, and stays unless this was the last that needed it.
func giveUp(ctx context.Context, tx pgx.Tx, step Step) error {
	if _, err := tx.Exec(ctx, queries.SQL("LockNumber"), step.ClaimNo); err != nil {
		return fmt.Errorf("lock the number of a claim: %w", err)
	}
	done, err := tx.Exec(ctx, queries.SQL("FinishStep"), step.SellerID, step.ClaimNo, step.ID)
	if err != nil || done.RowsAffected() == 0 {
		return err
	}
	var opened bool
	if err := tx.QueryRow(ctx, queries.SQL("IsOpened"), step.SellerID, step.ClaimNo).Scan(&opened); err != nil || opened {
		return err
	}
	_, err = tx.Exec(ctx, queries.SQL("FreeNumber"), step.ClaimNo, step.SellerID)
	return err
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
