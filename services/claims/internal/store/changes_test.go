package store_test

import (
	"testing"

	"sellerapi.dev/pkg/postgres/pgtest"
)

// Which sellers have changed is read from the index of the clocks, however many sellers there are.
func TestChanged_servedByIndex(t *testing.T) {
	t.Parallel()
	db, recorder := recorded(t)
	pgtest.RequireChangedServed(t, db, recorder)
}
