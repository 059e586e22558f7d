package store

import (
	"context"
	"encoding/json"
	"iter"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/gateway/internal/audit"
)

type entry struct {
	author   audit.Author
	action   audit.Action
	sellerID *uuid.UUID
	keyID    *uuid.UUID
	detail   map[string]any
}

func refused(r audit.Refusal) entry {
	detail := map[string]any{"cause": r.Cause}
	if r.WebhookID != nil {
		detail["webhook_id"] = r.WebhookID
	}
	return entry{author: r.Author, action: r.Action.Refused(), sellerID: r.SellerID, keyID: r.KeyID, detail: detail}
}

// RecordRefusal appends an entry for a call that was refused before it reached the keys.
func (s *Store) RecordRefusal(ctx context.Context, refusal audit.Refusal) error {
	return postgres.InTx(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error { return record(ctx, tx, refused(refusal)) })
}

// record appends an entry to the audit trail, in the transaction that it records and as its last statement: other appends wait
// from here until the commit.
func record(ctx context.Context, tx pgx.Tx, e entry) error {
	if e.detail == nil {
		e.detail = map[string]any{}
	}
	detail, err := json.Marshal(e.detail)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, queries.SQL("LockAudit")); err != nil {
		return err
	}
	line := audit.Entry{Author: e.author, Action: e.action, SellerID: e.sellerID, KeyID: e.keyID}
	var last int64
	var previous []byte
	head := tx.QueryRow(ctx, queries.SQL("ReadAuditHead"), string(detail))
	if err := head.Scan(&last, &previous, &line.At, &line.Detail); err != nil {
		return err
	}
	line.ID = last + 1
	line.Digest = line.After(audit.Digest(previous))
	_, err = tx.Exec(ctx, queries.SQL("AppendAudit"), line.ID, line.At, line.Author.Caller, line.Author.Actor, line.Action,
		line.SellerID, line.KeyID, line.Detail, line.Digest[:])
	return err
}

const auditPage = 1000

// Trail returns the entries of the audit trail after the given number, in order. It ends at the first error.
func (s *Store) Trail(ctx context.Context, after int64) iter.Seq2[audit.Entry, error] {
	return func(yield func(audit.Entry, error) bool) {
		for {
			entries, err := postgres.Collect(ctx, s.pool, scanEntry, queries.SQL("ReadAudit"), after, auditPage)
			if err != nil {
				yield(audit.Entry{}, postgres.Classify(err))
				return
			}
			for _, e := range entries {
				if !yield(e, nil) {
					return
				}
				after = e.ID
			}
			if len(entries) < auditPage {
				return
			}
		}
	}
}

func scanEntry(row pgx.CollectableRow) (audit.Entry, error) {
	var e audit.Entry
	var digest []byte
	err := row.Scan(&e.ID, &e.At, &e.Author.Caller, &e.Author.Actor, &e.Action, &e.SellerID, &e.KeyID, &e.Detail, &digest)
	copy(e.Digest[:], digest)
	return e, err
}
