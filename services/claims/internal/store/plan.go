package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/services/claims/internal/claim"
)

// Tx is the transaction of a change: anyone who follows it passes it on without knowing what it is.
type Tx = pgx.Tx

// Plan is what is to follow a commit.
type Plan struct {
	// Steps are rows of the schema; each is to be tried until its row is gone.
	Steps []Step
	// Refunds and Alarms are due at a time that a column holds; anyone who wakes up looks at the column again.
	Refunds []DueRefund
	Alarms  []Alarm
}

// DueRefund is a refund that the provider is to be asked for, at a time or since then.
type DueRefund struct {
	SellerID uuid.UUID
	ClaimNo  string
	ID       uuid.UUID
	At       time.Time
}

// Alarm is a claim that waits for a time: that of WatchInspection or WatchPayment.
type Alarm struct {
	SellerID uuid.UUID
	ClaimNo  string
	Name     claim.Step
	At       time.Time
}

// Follow makes sure that a plan is carried out, in the transaction of the change that called for it, so that both are there
// or neither. It is called again when the transaction meets a conflict.
type Follow func(ctx context.Context, tx Tx, plan Plan) error

// plan writes the steps of a change and has everything followed that it calls for.
func (s *Store) plan(ctx context.Context, tx pgx.Tx, change claim.Change) error {
	next := &change.Next
	names, refs := stepRows(change.Steps, string(change.Trigger)+"@"+change.At.UTC().Format(time.RFC3339Nano))
	steps, err := planSteps(ctx, tx, next, names, refs)
	if err != nil {
		return err
	}
	plan := Plan{Steps: steps}
	for _, name := range change.Steps {
		if at := dueAt(next, name); at != nil {
			plan.Alarms = append(plan.Alarms, Alarm{SellerID: next.SellerID, ClaimNo: next.No, Name: name, At: *at})
		}
	}
	return s.followed(ctx, tx, plan)
}

// followed passes a plan on when there is anything in it.
func (s *Store) followed(ctx context.Context, tx pgx.Tx, plan Plan) error {
	if len(plan.Steps)+len(plan.Refunds)+len(plan.Alarms) == 0 {
		return nil
	}
	if err := s.follow(ctx, tx, plan); err != nil {
		return fmt.Errorf("plan what follows: %w", err)
	}
	return nil
}

// dueAt is the time that a watching step waits for; nil for every other step.
func dueAt(c *claim.Claim, name claim.Step) *time.Time {
	switch name {
	case claim.WatchInspection:
		return c.InspectionDueAt
	case claim.WatchPayment:
		return c.PaymentDueAt
	default:
		return nil
	}
}

// stepRows are the steps that get a row. A claim can call for many touches, and again for the step of an action that was taken
// back: these say which change they are for, so that anyone who finishes one does not finish another. Of everything else there is
// one.
func stepRows(steps []claim.Step, change string) (names, refs []string) {
	for _, name := range steps {
		switch name {
		case claim.WatchInspection, claim.WatchPayment:
			continue
		case claim.TouchOrder, claim.AddExchangeLine, claim.ShipExchangeLine, claim.ConvertLines:
			refs = append(refs, change)
		default:
			refs = append(refs, "")
		}
		names = append(names, string(name))
	}
	return names, refs
}

func planSteps(ctx context.Context, tx pgx.Tx, c *claim.Claim, names, refs []string) ([]Step, error) {
	if len(names) == 0 {
		return nil, nil
	}
	rows, err := tx.Query(ctx, queries.SQL("PlanSteps"), c.No, c.SellerID, names, refs)
	if err != nil {
		return nil, fmt.Errorf("plan steps: %w", err)
	}
	steps, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Step, error) {
		step := Step{ClaimNo: c.No, SellerID: c.SellerID}
		err := row.Scan(&step.ID, &step.Name, &step.Ref, &step.PlannedAt)
		return step, err
	})
	if err != nil {
		return nil, fmt.Errorf("plan steps: %w", err)
	}
	return steps, nil
}
