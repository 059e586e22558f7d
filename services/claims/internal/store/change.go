package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/actor"
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/claims/internal/claim"
)

// Deciding applies the rules to a locked claim, given what other claims have undone and the time of the change. It must have no
// side effects: it is called again when the transaction is retried after a conflict.
type Deciding func(c *claim.Claim, undone claim.Undone, now time.Time) claim.Decision

// ChangeResult is a claim after a decision.
type ChangeResult struct {
	// Claim is the claim as saved, or unchanged if nothing changed.
	Claim    claim.Claim
	Decision claim.Decision
}

// Change locks a claim, applies the rules and saves the result, in one transaction. CLAIM_NOT_FOUND when the seller has no such
// claim; it returns the rules' error for a refusal.
func (s *Store) Change(ctx context.Context, seller uuid.UUID, no string, decide Deciding) (ChangeResult, error) {
	return s.change(ctx, seller, no, decide, &pgx.Batch{})
}

// Conclude is Change by the result of a step, which ends with it unless the rules refuse.
func (s *Store) Conclude(ctx context.Context, step Step, decide Deciding) (ChangeResult, error) {
	ending := &pgx.Batch{}
	ending.Queue(queries.SQL("FinishStep"), step.SellerID, step.ClaimNo, step.ID)
	return s.change(ctx, step.SellerID, step.ClaimNo, decide, ending)
}

// change is Change with statements that are executed unless the rules refuse.
func (s *Store) change(
	ctx context.Context, seller uuid.UUID, no string, decide Deciding, more *pgx.Batch,
) (outcome ChangeResult, err error) {
	err = postgres.InTx(ctx, postgres.OfSeller(s.pool, seller), func(ctx context.Context, tx pgx.Tx) error {
		held, err := hold(ctx, tx, seller, no, &pgx.Batch{})
		if err != nil {
			return err
		}
		outcome = ChangeResult{Claim: held.Claim, Decision: decide(&held.Claim, held.undone, held.now)}
		if outcome.Decision.Verdict == claim.Refused {
			return outcome.Decision.Err
		}
		batch := &pgx.Batch{QueuedQueries: slices.Clone(more.QueuedQueries)} // once for each attempt
		if outcome.Decision.Saves() {
			outcome.Claim, err = save(ctx, tx, batch, held.Row, outcome.Decision.Change)
			return err
		}
		return send(ctx, tx, batch)
	})
	return outcome, err
}

// held is a claim in a transaction that has locked the claims of the same part of the order.
type held struct {
	Row
	undone claim.Undone
	// now is the time of the change.
	now time.Time
}

// hold locks the claims of the same part of the order and reads the named one. more is executed after it.
func hold(ctx context.Context, tx pgx.Tx, seller uuid.UUID, no string, more *pgx.Batch) (held, error) {
	var h held
	var now *time.Time
	batch := &pgx.Batch{}
	batch.Queue(queries.SQL("LockClaims"), seller, no).QueryRow(func(row pgx.Row) error { return row.Scan(&now) })
	batch.Queue(queries.SQL("FindClaim"), seller, no).Query(func(rows pgx.Rows) (err error) {
		h.Row, err = readClaim(ctx, rows)
		return err
	})
	batch.Queue(queries.SQL("SumUndone"), seller, no, claim.SellersFault()).QueryRow(func(row pgx.Row) error {
		return row.Scan(&h.undone.Canceled, &h.undone.Total, &h.undone.SellerFault)
	})
	batch.QueuedQueries = append(batch.QueuedQueries, more.QueuedQueries...)
	if err := send(ctx, tx, batch); err != nil {
		return held{}, err
	}
	if now == nil {
		return held{}, apierr.ClaimNotFound
	}
	h.now = *now
	return h, nil
}

func send(ctx context.Context, tx pgx.Tx, batch *pgx.Batch) error {
	if batch.Len() == 0 {
		return nil
	}
	return tx.SendBatch(ctx, batch).Close()
}

// save writes a change of a locked claim, after the statements of a batch, and returns the claim, with a new updated_at if the
// change is visible.
func save(ctx context.Context, tx pgx.Tx, batch *pgx.Batch, before Row, change claim.Change) (claim.Claim, error) {
	queueEvidence(batch, before, change.Next.Performed)
	queueItems(batch, before, change.Next.Items)
	queueTrail(ctx, batch, before, change)
	queueLines(batch, before.SellerID, change)
	if err := queueSteps(ctx, batch, &change.Next, change.Steps, refOf(change, before.Changes+1)); err != nil {
		return claim.Claim{}, err
	}
	next, changes := change.Next, before.Changes+len(entered(before.Status, change))
	if change.Hidden {
		queueClaimUpdate(batch, before.ID, changes, &next, &before.UpdatedAt)
		return next, postgres.Wrap("save claim", send(ctx, tx, batch))
	}
	batch.Queue(queries.SQL("TickSeller"), next.SellerID)
	queueClaimUpdate(batch, before.ID, changes, &next, nil)
	err := postgres.SendTick(ctx, tx, batch, []uuid.UUID{next.SellerID}, nil)
	return next, postgres.Wrap("save claim", err)
}

// queueClaimUpdate queues the update of a claim, which sets its UpdatedAt: to the time of the seller's clock unless one is given.
func queueClaimUpdate(batch *pgx.Batch, id uuid.UUID, changes int, c *claim.Claim, updatedAt *time.Time) {
	by, code, reason, frozenAt := frozen(c)
	var pending claim.Trigger
	if c.Freeze != nil {
		pending = c.Freeze.Pending
	}
	batch.Queue(queries.SQL("UpdateClaim"), c.SellerID, id, c.Status, c.Money.Refund, c.Money.Shipping,
		c.Money.ShortfallPaid, c.Money.ShortfallPaymentID, c.CompletedAt, c.PaymentDueAt, c.InspectionDueAt,
		by, reason, frozenAt, c.ReplacedBy, updatedAt, c.Money.RefundPoints, code, changes, pending).
		QueryRow(func(row pgx.Row) error { return row.Scan(&c.UpdatedAt) })
}

func queueEvidence(batch *pgx.Batch, held Row, performed claim.Evidences) {
	for _, e := range performed {
		if before := held.Performed.Of(e.Action); before != nil && *before == e {
			continue
		}
		batch.Queue(queries.SQL("PutEvidence"), held.SellerID, held.ID, e.Action, e.Values.Carrier, e.Values.TrackingNo,
			e.Values.Result, e.Values.Memo, e.Actor.Kind, e.Actor.Name, e.At, e.Pending, e.Hidden,
			e.Actor.KeyPrefix, e.Actor.RequestID)
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
func queueTrail(ctx context.Context, batch *pgx.Batch, held Row, change claim.Change) {
	from, requestID := held.Status, cmp.Or(change.Actor.RequestID, actor.Of(ctx).RequestID)
	for i, to := range entered(from, change) {
		batch.Queue(queries.SQL("AddHistory"), held.SellerID, held.ID, held.Changes+1+i, change.At, change.Trigger, from, to,
			change.Actor.Kind, change.Actor.Name, change.Memo, change.Actor.KeyPrefix, requestID)
		from = to
	}
	for _, r := range change.Refunds {
		batch.Queue(queries.SQL("TakeRefundID"), r.ID, held.SellerID, r.ClaimNo)
		batch.Queue(queries.SQL("QueueRefund"), held.SellerID, held.ID, r.Kind, r.ID, r.Amount, r.Points, r.Status,
			r.Failures, r.NextAt,
			r.ProviderReference, r.CreatedAt, r.SucceededAt)
		batch.Queue(queries.SQL("AddRefundStep"), held.SellerID, held.ID, r.Kind, r.CreatedAt, r.Status)
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

func queueEntries(batch *pgx.Batch, held Row, entries []claim.LedgerEntry, at time.Time) {
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
