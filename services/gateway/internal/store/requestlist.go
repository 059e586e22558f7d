package store

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/requestlog"
)

// ListRequests returns at most limit calls of a seller, latest first, after the given position, or from the latest on if it is
// nil.
func (s *Store) ListRequests(
	ctx context.Context, seller uuid.UUID, filter requestlog.Filter, after *paging.Position, limit int,
) (paging.Page[requestlog.Entry], error) {
	statement, args := listRequests(seller, filter, after, limit+1)
	entries, err := postgres.Collect(ctx, s.pool, scanRequest, statement, args...)
	return paging.Cut(entries, limit, func(e *requestlog.Entry) paging.Position {
		return paging.Position{UpdatedAt: e.At, ID: e.ID}
	}), postgres.Classify(postgres.Wrap("list requests", err))
}

// FindRequest returns a call of a seller; false if the log does not have it.
func (s *Store) FindRequest(ctx context.Context, seller, id uuid.UUID) (requestlog.Entry, bool, error) {
	at, ok := requestlog.TimeOf(id)
	if !ok {
		return requestlog.Entry{}, false, nil
	}
	conditions := postgres.NewFilter(seller, 1)
	conditions.Add("and r.at = {} and r.id = {}", at, id)
	rows, _ := s.pool.Query(ctx, conditions.Insert(queries.SQL("ListRequests")), conditions.Args()...)
	entry, err := pgx.CollectExactlyOneRow(rows, scanRequest)
	if errors.Is(err, pgx.ErrNoRows) {
		return requestlog.Entry{}, false, nil
	}
	return entry, err == nil, postgres.Classify(postgres.Wrap("find a request", err))
}

// listRequests returns the statement with the conditions that are set, and its arguments. The times are conditions of their own
// beside the position, because only they exclude days.
func listRequests(seller uuid.UUID, filter requestlog.Filter, after *paging.Position, rows int) (string, []any) {
	conditions := postgres.NewFilter(seller, rows)
	if after != nil {
		conditions.Add("and r.at <= {} and (r.at, r.id) < ({}, {})", after.UpdatedAt, after.UpdatedAt, after.ID)
	}
	postgres.AddPresent(conditions, "and r.at >= ", filter.From)
	postgres.AddPresent(conditions, "and r.at <= ", filter.Until)
	for fragment, value := range map[string]string{
		"and r.operation = ": filter.Operation, "and r.error_code = ": filter.Code, "and r.record = ": filter.Record,
		"and r.key_id = (select k.key_id from api_keys k where k.seller_id = $1 and k.prefix = {})": filter.KeyPrefix,
	} {
		if value != "" {
			conditions.Add(fragment, value)
		}
	}
	if filter.KeyID != uuid.Nil {
		conditions.Add("and r.key_id = ", filter.KeyID)
	}
	if filter.RequestID != "" {
		conditions.Add("and hashtextextended(r.request_id, 0) = hashtextextended({}, 0) and r.request_id = {}",
			filter.RequestID, filter.RequestID)
	}
	if filter.Status != 0 {
		conditions.Add("and r.status = ", filter.Status)
	}
	return conditions.Insert(queries.SQL("ListRequests")), conditions.Args()
}

func scanRequest(row pgx.CollectableRow) (requestlog.Entry, error) {
	var e requestlog.Entry
	var micros int64
	var record, query, code, idempotency, userAgent *string
	err := row.Scan(&e.At, &e.ID, &e.KeyID, &e.KeyPrefix, &micros, &e.Status, &e.Rows, &e.Operation, &e.RequestID, &record, &query,
		&code, &e.Data, &idempotency, &e.KeyDigest, &e.Client, &userAgent)
	e.Took = time.Duration(micros) * time.Microsecond
	e.Record, e.Query, e.Code, e.UserAgent = orEmpty(record), orEmpty(query), orEmpty(code), orEmpty(userAgent)
	e.Idempotency = requestlog.Idempotency(orEmpty(idempotency))
	return e, err
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// CountRequests returns the numbers of calls of a seller from one time until before another.
func (s *Store) CountRequests(ctx context.Context, seller uuid.UUID, from, until time.Time) ([]requestlog.Count, error) {
	counts, err := postgres.Collect(ctx, s.pool, func(row pgx.CollectableRow) (requestlog.Count, error) {
		var c requestlog.Count
		var p50, p95 int64
		err := row.Scan(&c.Hour, &c.KeyID, &c.Operation, &c.Status, &c.Code, &c.Calls, &c.Rows, &p50, &p95)
		c.P50, c.P95 = time.Duration(p50)*time.Microsecond, time.Duration(p95)*time.Microsecond
		return c, err
	}, queries.SQL("CountRequests"), seller, from, until)
	return counts, postgres.Classify(postgres.Wrap("count requests", err))
}

// LastUses returns when each key of a seller was last used, newest key first.
func (s *Store) LastUses(ctx context.Context, seller uuid.UUID) ([]requestlog.LastUse, error) {
	uses, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByPos[requestlog.LastUse], queries.SQL("LastRequests"), seller)
	return uses, postgres.Classify(postgres.Wrap("find last uses", err))
}

// RecordLook appends an entry for a look at the request log of a seller to the audit trail.
func (s *Store) RecordLook(ctx context.Context, author audit.Author, action audit.Action, seller uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		return record(ctx, tx, entry{author: author, action: action, sellerID: &seller})
	})
}
