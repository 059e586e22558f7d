package store

import (
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// A column that was moved or has another type must be an error, or a seller would get a wrong amount or time.
func TestReader_columnOfAnotherWidth(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(*reader){
		"bigint": func(r *reader) { r.int64() }, "integer": func(r *reader) { r.int32() }, "boolean": func(r *reader) { r.bool() },
		"uuid": func(r *reader) { r.uuid() }, "time": func(r *reader) { r.time() },
	} {
		r := reader{values: [][]byte{[]byte("abc")}}
		read(&r)
		require.ErrorContains(t, r.err, "column 0 has 3 bytes", name)
		r = reader{values: [][]byte{nil}}
		read(&r)
		require.NoError(t, r.err, "null is the zero value")
		read(&r)
		require.ErrorContains(t, r.err, "no column 1")
	}
}

// Only results in the binary format are read; for another one the error names the column.
func TestReader_binaryResultsOnly(t *testing.T) {
	t.Parallel()
	require.NoError(t, requireBinary([]pgconn.FieldDescription{
		{Name: "a", DataTypeOID: pgtype.Int8OID, Format: pgtype.BinaryFormatCode}, {Name: "b", DataTypeOID: pgtype.TextOID},
	}))
	require.ErrorContains(t, requireBinary([]pgconn.FieldDescription{{Name: "seq", DataTypeOID: pgtype.Int4OID}}), "seq")
}

func TestWireTimes_microsecondsAroundEpoch(t *testing.T) {
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
