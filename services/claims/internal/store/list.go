package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
)

// List returns at most limit of the seller's claims that match the filter, newest change first, starting after the given
// position, or with the newest if it is nil.
func (s *Store) List(ctx context.Context, seller uuid.UUID, filter claim.Filter, after *paging.Position,
	limit int,
) (paging.Page[claim.Listed], error) {
	claims, err := postgres.Page(ctx, s.pool, seller, func(ctx context.Context, db postgres.Querier) ([]claim.Listed, error) {
		if isPlannedForValues(filter) {
			db = postgres.WithCustomPlan(db)
		}
		conditions := listConditions(seller, filter, after, limit+1)
		rows, _ := db.Query(ctx, conditions.Insert(newestFirst), conditions.Args()...)
		return readPage(rows, limit+1)
	})
	return paging.Cut(claims, limit, positionOf), postgres.Classify(err)
}

func positionOf(c *claim.Listed) paging.Position {
	return paging.Position{UpdatedAt: c.UpdatedAt, ID: c.ID}
}

// isPlannedForValues reports whether the list is planned for each request: how far apart the bounds of a range of request times
// are decides whether claims_by_request is better than the order of the list. All other lists are read in the order of an
// index.
func isPlannedForValues(filter claim.Filter) bool { return filter.Requested != claim.Range{} }

// Get returns one claim of the seller. CLAIM_NOT_FOUND.
func (s *Store) Get(ctx context.Context, seller uuid.UUID, no string) (claim.Claim, error) {
	row, err := find(ctx, postgres.OfSeller(s.pool, seller), seller, no)
	return row.Claim, postgres.Classify(err)
}

// find reads one claim. CLAIM_NOT_FOUND.
func find(ctx context.Context, db postgres.Querier, seller uuid.UUID, no string) (Row, error) {
	rows, _ := db.Query(ctx, queries.SQL("FindClaim"), seller, no)
	return readClaim(ctx, rows)
}

// readClaim reads the row of FindClaim. CLAIM_NOT_FOUND.
func readClaim(ctx context.Context, rows pgx.Rows) (Row, error) {
	row, err := pgx.CollectOneRow(rows, scanClaim)
	if err != nil {
		return Row{}, postgres.WrapRow("find claim", err, apierr.ClaimNotFound)
	}
	telemetry.Number(telemetry.OrderNo, row.OrderNo).Note(ctx)
	return row, nil
}

// Seller returns the owner of a claim number, for callers that have only the number. A request has its number before its claim
// exists. CLAIM_NOT_FOUND. A number that a node of a distributed database is just committing is waited for.
func (s *Store) Seller(ctx context.Context, no string) (uuid.UUID, error) {
	seller, absent := s.findSeller(ctx, no)
	if !errors.Is(absent, apierr.ClaimNotFound) {
		return seller, absent
	}
	// Reading does not wait: the number is taken, and given back.
	var taken pgconn.CommandTag
	err := postgres.InTx(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) (err error) {
		if taken, err = tx.Exec(ctx, queries.SQL("TakeNumber"), no, uuid.Nil); err != nil {
			return fmt.Errorf("find the seller of a claim: %w", err)
		}
		return absent
	})
	if errors.Is(err, apierr.ClaimNotFound) && taken.RowsAffected() == 0 {
		return s.findSeller(ctx, no)
	}
	return uuid.Nil, err
}

// findSeller is Seller for a number that is committed.
func (s *Store) findSeller(ctx context.Context, no string) (uuid.UUID, error) {
	var seller uuid.UUID
	err := postgres.AllSellers(s.pool).QueryRow(ctx, queries.SQL("FindSeller"), no).Scan(&seller)
	return seller, postgres.Classify(postgres.WrapRow("find the seller of a claim", err, apierr.ClaimNotFound))
}

// listConditions returns the conditions of a list query. The position is always set, so that only plans in index order are cheap:
// the first page starts after infinity.
//
// The subqueries hide type and state from the planner. If it saw that nearly all claims of all sellers are completed, it would
// scan claims_by_change and filter out the others, of which this seller may have thousands at the top.
func listConditions(seller uuid.UUID, filter claim.Filter, after *paging.Position, rows int) *postgres.Filter {
	conditions := postgres.NewFilter(seller, rows)
	afterTime, afterID := postgres.PageStart(after, filter.Updated.Until)
	conditions.Add("and (c.updated_at, c.claim_id) < ({}, {})", afterTime, afterID)
	if filter.Type != "" {
		conditions.Add("and c.type = (select {}::text)", filter.Type)
	}
	if filter.Status != "" {
		conditions.Add("and c.status = (select {}::text)", filter.Status)
	}
	postgres.AddPresent(conditions, "and c.updated_at >= ", filter.Updated.From)
	if from := filter.Requested.From; from != nil {
		// A claim never changes before it was requested, so the scan can stop there.
		conditions.Add("and c.requested_at >= {} and c.updated_at >= {}", *from, *from)
	}
	postgres.AddPresent(conditions, "and c.requested_at <= ", filter.Requested.Until)
	return conditions
}
