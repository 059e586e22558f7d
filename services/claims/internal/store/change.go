package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/claims/internal/claim"
)

// Deciding applies the rules to a locked claim, given what other claims have undone and the time of the change. It must have no
// side effects: it is called again when the transaction is retried after a conflict.
type Deciding func(c *claim.Claim, undone claim.Undone, now time.Time) claim.Decision

// Outcome is a claim after a decision.
type Outcome struct {
	// Claim is the claim as saved, or unchanged if nothing changed.
	Claim    claim.Claim
	Decision claim.Decision
}

// Change locks a claim, applies the rules and saves the result, in one transaction. CLAIM_NOT_FOUND when the seller has no such
// claim; it returns the rules' error for a refusal.
func (s *Store) Change(ctx context.Context, seller uuid.UUID, no string, decide Deciding) (Outcome, error) {
	var outcome Outcome
	err := postgres.InTx(ctx, postgres.OfSeller(s.pool, seller), func(ctx context.Context, tx pgx.Tx) error {
		held, now, err := hold(ctx, tx, seller, no)
		if err != nil {
			return err
		}
		undone, err := sumUndone(ctx, tx, &held.Claim)
		if err != nil {
			return err
		}
		outcome = Outcome{Claim: held.Claim, Decision: decide(&held.Claim, undone, now)}
		if outcome.Decision.Verdict == claim.Refused {
			return outcome.Decision.Err
		}
		if outcome.Decision.Verdict == claim.AlreadyDone || outcome.Decision.Resumed {
			return nil
		}
		outcome.Claim, err = save(ctx, tx, held, outcome.Decision.Change)
		return err
	})
	return outcome, err
}

// hold locks the claims of the same part of the order and returns the named one, with the time of the change.
func hold(ctx context.Context, tx pgx.Tx, seller uuid.UUID, no string) (Row, time.Time, error) {
	var now *time.Time
	if err := tx.QueryRow(ctx, queries.SQL("LockClaims"), seller, no).Scan(&now); err != nil {
		return Row{}, time.Time{}, fmt.Errorf("lock claims: %w", err)
	}
	if now == nil {
		return Row{}, time.Time{}, apierr.ClaimNotFound
	}
	row, err := find(ctx, tx, seller, no)
	return row, *now, err
}

func sumUndone(ctx context.Context, tx pgx.Tx, c *claim.Claim) (claim.Undone, error) {
	var undone claim.Undone
	err := tx.QueryRow(ctx, queries.SQL("SumUndone"), c.SellerID, c.OrderNo, c.No, claim.SellersFault()).
		Scan(&undone.Canceled, &undone.Total, &undone.SellerFault)
	return undone, postgres.Wrap("sum the quantities undone by other claims", err)
}

// save writes a change of a locked claim and returns the claim, with a new updated_at if the change is visible.
func save(ctx context.Context, tx pgx.Tx, held Row, change claim.Change) (claim.Claim, error) {
	batch := &pgx.Batch{}
	queueEvidence(batch, held, change.Next.Performed)
	queueItems(batch, held, change.Next.Items)
	queueTrail(batch, held, change)
	queueLines(batch, held.SellerID, change)
	if err := queueSteps(ctx, batch, &change.Next, change.Steps, refOf(change, held.Changes+1)); err != nil {
		return claim.Claim{}, err
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return claim.Claim{}, fmt.Errorf("save claim: %w", err)
	}
	next := change.Next
	if !change.Hidden {
		at, err := postgres.TickSeller(ctx, tx, next.SellerID)
		if err != nil {
			return claim.Claim{}, err
		}
		next.UpdatedAt = at
	}
	return next, updateClaim(ctx, tx, held.ID, held.Changes+len(entered(held.Status, change)), &next)
}

func updateClaim(ctx context.Context, tx pgx.Tx, id uuid.UUID, changes int, c *claim.Claim) error {
	by, code, reason, frozenAt := frozen(c)
	var pending claim.Trigger
	if c.Freeze != nil {
		pending = c.Freeze.Pending
	}
	_, err := tx.Exec(ctx, queries.SQL("UpdateClaim"), c.SellerID, id, c.Status, c.Money.Refund, c.Money.Shipping,
		c.Money.ShortfallPaid, c.Money.ShortfallPaymentID, c.CompletedAt, c.PaymentDueAt, c.InspectionDueAt,
		by, reason, frozenAt, c.ReplacedBy, c.UpdatedAt, c.Money.RefundPoints, code, changes, pending)
	return postgres.Wrap("update claim", err)
}

func queueEvidence(batch *pgx.Batch, held Row, performed claim.Evidences) {
	for _, e := range performed {
		if before := held.Performed.Of(e.Action); before != nil && *before == e {
			continue
		}
		batch.Queue(queries.SQL("PutEvidence"), held.SellerID, held.ID, e.Action, e.Values.Carrier, e.Values.TrackingNo,
			e.Values.Result, e.Values.Memo, e.Actor.Kind, e.Actor.Name, e.At, e.Pending, e.Hidden)
	}
	for _, e := range held.Performed {
		if performed.Of(e.Action) == nil {
			batch.Queue(queries.SQL("DropEvidence"), held.SellerID, held.ID, e.Action)
		}
	}
}

func queueItems(batch *pgx.Batch, held Row, items []claim.Item) {
	for i := range items {
		if settled := items[i].SettledItemID; settled != nil &&
			(held.Items[i].SettledItemID == nil || *held.Items[i].SettledItemID != *settled) {
			batch.Queue(queries.SQL("SettleItem"), held.SellerID, held.ID, i, *settled)
		}
	}
}

// queueTrail queues the writes to the append-only tables: history, refunds, ledger.
func queueTrail(batch *pgx.Batch, held Row, change claim.Change) {
	from := held.Status
	for i, to := range entered(from, change) {
		batch.Queue(queries.SQL("AddHistory"), held.SellerID, held.ID, held.Changes+1+i, change.At, change.Trigger, from, to,
			change.Actor.Kind, change.Actor.Name, change.Memo)
		from = to
	}
	for _, r := range change.Refunds {
		batch.Queue(queries.SQL("TakeRefundID"), r.ID, held.SellerID, r.ClaimNo)
		batch.Queue(queries.SQL("QueueRefund"), held.SellerID, held.ID, r.Kind, r.ID, r.Amount, r.Points, r.Status,
			r.Failures, r.NextAt,
			r.ProviderReference, r.CreatedAt, r.SucceededAt)
	}
	queueEntries(batch, held, change.Entries, change.At)
}

// entered returns the states of the history rows that a change adds: those that it entered, or the current one if it stays.
func entered(from claim.Status, change claim.Change) []claim.Status {
	if len(change.Path) == 0 {
		return []claim.Status{from}
	}
	return change.Path
}

// queueLines queues the amounts paid for the lines of a new claim, and the amounts that a refund returns for them.
func queueLines(batch *pgx.Batch, seller uuid.UUID, change claim.Change) {
	for _, line := range change.Claimed {
		batch.Queue(queries.SQL("AddLine"), seller, line.ItemID, line.Amount)
	}
	for _, line := range change.GivenBack {
		batch.Queue(queries.SQL("GiveBack"), seller, line.ItemID, line.Amount)
	}
}

func queueEntries(batch *pgx.Batch, held Row, entries []claim.Entry, at time.Time) {
	for _, e := range entries {
		batch.Queue(queries.SQL("AddEntry"), held.SellerID, held.ID, e.Kind, e.Amount, e.Reference, at)
	}
}

func frozen(c *claim.Claim) (by *string, code *claim.FreezeCode, reason *string, at *time.Time) {
	if c.Freeze == nil {
		return nil, nil, nil, nil
	}
	return &c.Freeze.By, &c.Freeze.Code, &c.Freeze.Reason, &c.Freeze.At
}
