package store

import (
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// Times are read as they were stored, in UTC.
func TestFind_microsecondsAroundEpoch(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	seller := uuid.New()
	for no, paidAt := range map[string]time.Time{
		"OLD": time.Date(1970, 1, 1, 0, 0, 0, 1000, time.UTC), "THEN": time.Date(1999, 12, 31, 23, 59, 59, 999_999_000, time.UTC),
		"NEW": time.Date(2025, 2, 3, 4, 5, 6, 7000, time.UTC),
	} {
		place(t, s, ordertest.New(no, paidAt, seller))
		found, err := s.Find(t.Context(), seller, no)
		require.NoError(t, err)
		require.Equal(t, paidAt, found.PaidAt)
	}
}

// Behind a pooler that gives every transaction another connection, no statement is prepared by name; pages can still be read.
func TestList_behindTransactionPooler(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	seller := uuid.New()
	place(t, s, ordertest.New("A-1", ordertest.Epoch, seller))
	config := db.Config
	address, err := url.Parse(config.URL.Reveal())
	require.NoError(t, err)
	query := address.Query()
	query.Set("search_path", db.Schema)
	address.RawQuery = query.Encode()
	config.URL, config.TransactionPooling = secret.New(address.String()), true
	pool, err := postgres.Open(t.Context(), config, db.Schema, telemetrytest.Discard(t))
	require.NoError(t, err)
	defer pool.Close()
	require.Equal(t, walk(t, s, seller, order.Filter{}, 50), walk(t, New(pool, order.DefaultTerms()), seller, order.Filter{}, 50))
}
