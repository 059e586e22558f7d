package store

import (
	"testing"

	"sellerapi.dev/pkg/postgres/pgtest"
)

// The business time has one source, which depends on the seller.
func TestStatements_takeTheTimeFromOneClock(t *testing.T) {
	t.Parallel()
	pgtest.RequireSellerTime(t, queries, nil)
}
