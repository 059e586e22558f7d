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

// maxLooked is how many entries a page looks through: those of a key or an operation have no index, which each call would have to
// be written to. They are some fifty milliseconds when all of them have to be read.
const maxLooked = 5000

// ListRequests returns at most limit calls of a seller, latest first, after the given position, or from the latest on if it is
// nil. A page that finds few has fewer, or none, and a next one.
func (s *Store) ListRequests(
	ctx context.Context, seller uuid.UUID, filter requestlog.Filter, after *paging.Position, limit int,
) (paging.Page[requestlog.Entry], error) {
	statement, args := listRequests(seller, filter, after, limit+1)
	return s.pageOfRequests(ctx, limit, statement, args)
}

func (s *Store) pageOfRequests(
	ctx context.Context, limit int, statement string, args []any,
) (paging.Page[requestlog.Entry], error) {
	rows, err := postgres.Collect(ctx, s.pool, scanRequest, statement, args...)
	if err != nil {
		return paging.Page[requestlog.Entry]{}, postgres.Classify(postgres.Wrap("list requests", err))
	}
	entries, wanted, last := make([]requestlog.Entry, len(rows)), true, false
	for i, row := range rows {
		entries[i], wanted, last = row.Entry, row.wanted, row.last
	}
	return paging.CutWalk(entries, limit, wanted, last, func(e *requestlog.Entry) paging.Position {
		return paging.Position{UpdatedAt: e.At, ID: e.ID}
	}), nil
}

// FindRequest returns a call of a seller; false if the log does not have it.
func (s *Store) FindRequest(ctx context.Context, seller, id uuid.UUID) (requestlog.Entry, bool, error) {
	at, ok := requestlog.TimeOf(id)
	if !ok {
		return requestlog.Entry{}, false, nil
	}
	indexed := newRequestFilter(seller, 1)
	indexed.Add("and r.at = {} and r.id = {}", at, id)
	statement, args := requestStatement(indexed, requestlog.Filter{})
	page, err := s.pageOfRequests(ctx, 1, statement, args)
	if err != nil || len(page.Rows) == 0 {
		return requestlog.Entry{}, false, err
	}
	return page.Rows[0], true, nil
}

// LocateRequest returns whose the latest call with a request id is, and its id in the log; false if the log has none.
func (s *Store) LocateRequest(ctx context.Context, requestID string) (seller, id uuid.UUID, found bool, err error) {
	err = s.pool.QueryRow(ctx, queries.SQL("LocateRequest"), requestID).Scan(&seller, &id)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, uuid.Nil, false, nil
	}
	return seller, id, err == nil, postgres.Classify(postgres.Wrap("locate request", err))
}

// listRequests returns the statement with the conditions that are set, and its arguments. The times are conditions of their own
// beside the position, because only they exclude days.
func listRequests(seller uuid.UUID, filter requestlog.Filter, after *paging.Position, rows int) (string, []any) {
	indexed := newRequestFilter(seller, rows)
	if after != nil {
		indexed.Add("and r.at <= {} and (r.at, r.id) < ({}, {})", after.UpdatedAt, after.UpdatedAt, after.ID)
	}
	postgres.AddPresent(indexed, "and r.at >= ", filter.From)
	postgres.AddPresent(indexed, "and r.at <= ", filter.Until)
	if filter.Code != "" {
		indexed.Add("and r.error_code = ", filter.Code)
	}
	if filter.Record != "" {
		indexed.Add("and r.record = ", filter.Record)
	}
	if filter.RequestID != "" {
		indexed.Add("and hashtextextended(r.request_id, 0) = hashtextextended({}, 0) and r.request_id = {}",
			filter.RequestID, filter.RequestID)
	}
	return requestStatement(indexed, filter)
}

func newRequestFilter(seller uuid.UUID, rows int) *postgres.Filter {
	return postgres.NewFilter(seller, rows, maxLooked)
}

// requestStatement adds the conditions that no index serves: a page looks through the calls that meet the others.
func requestStatement(indexed *postgres.Filter, filter requestlog.Filter) (string, []any) {
	others := postgres.NewFilter(indexed.Args()...)
	if filter.Operation != "" {
		others.Add("and r.operation = ", filter.Operation)
	}
	if filter.KeyPrefix != "" {
		others.Add("and r.key_id is not distinct from (select k.key_id from api_keys k where k.seller_id = $1 and k.prefix = {})",
			filter.KeyPrefix)
	}
	if filter.KeyID != uuid.Nil {
		others.Add("and r.key_id = ", filter.KeyID)
	}
	if filter.Status != 0 {
		others.Add("and r.status = ", filter.Status)
	}
	statement := postgres.Fill(queries.SQL("ListRequests"), "indexed", indexed.SQL())
	return postgres.Fill(statement, "others", others.SQL()), others.Args()
}

// requestRow is a row of ListRequests: a page that ends before the log does has an entry that may be unwanted as its last.
type requestRow struct {
	requestlog.Entry

	wanted, last bool
}

func scanRequest(row pgx.CollectableRow) (requestRow, error) {
	var r requestRow
	e := &r.Entry
	var micros int64
	var record, query, code, idempotency, userAgent *string
	err := row.Scan(&e.At, &e.ID, &e.KeyID, &e.KeyPrefix, &micros, &e.Status, &e.Rows, &e.Operation, &e.RequestID, &e.TraceID,
		&record, &query, &code, &e.Data, &idempotency, &e.KeyDigest, &e.Client, &userAgent, &r.wanted, &r.last)
	e.Took = time.Duration(micros) * time.Microsecond
	e.Record, e.Query, e.Code, e.UserAgent = orEmpty(record), orEmpty(query), orEmpty(code), orEmpty(userAgent)
	e.Idempotency = requestlog.Idempotency(orEmpty(idempotency))
	return r, err
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
