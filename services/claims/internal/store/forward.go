package store

import (
	"context"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/claims/internal/claim"
)

// The statement of the list in both orders. The same indexes serve both.
var (
	newestFirst = postgres.Fill(queries.SQL("ListClaims"), "order", "desc")
	oldestFirst = postgres.Named("ForwardClaims", postgres.Fill(queries.Text("ListClaims"), "order", "asc"))
)

// Forward returns at most limit of the seller's claims that changed after the position, in the order of their changes.
func (s *Store) Forward(ctx context.Context, seller uuid.UUID, after paging.Position,
	limit int,
) (paging.ForwardPage[claim.Listed], error) {
	statement, args := forwardStatement(seller, after, limit+1)
	read := func(ctx context.Context, db postgres.Querier) ([]claim.Listed, error) {
		rows, _ := db.Query(ctx, statement, args...)
		return readPage(rows, limit+1)
	}
	claims, clock, err := postgres.PageForward(ctx, s.pool, seller, read)
	return paging.CutForward(claims, limit, after, clock, positionOf), postgres.Classify(err)
}

func forwardStatement(seller uuid.UUID, after paging.Position, rows int) (string, []any) {
	conditions := postgres.NewFilter(seller, rows)
	conditions.Add("and (c.updated_at, c.claim_id) > ({}, {})", after.UpdatedAt, after.ID)
	return conditions.Insert(oldestFirst), conditions.Args()
}
