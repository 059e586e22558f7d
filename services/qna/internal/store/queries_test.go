package store

import (
	"testing"

	"sellerapi.dev/pkg/postgres/pgtest"
)

// The time of business has one source, which knows whose business it is.
func TestStatements_takeTheTimeFromOneClock(t *testing.T) {
	t.Parallel()
	pgtest.RequireSellerTime(t, queries, map[string]string{
		"EndedInquiries": "bounds an index; what is found is compared with the seller's time",
	})
}
