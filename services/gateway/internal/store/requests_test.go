package store_test

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/requestlog"
	"sellerapi.dev/services/gateway/internal/store"
)

// read returns the entry of a read of a list.
func read(key apikey.Key, at time.Time, number int) requestlog.Entry {
	at = at.UTC().Truncate(time.Microsecond)
	return requestlog.Entry{
		SellerID: key.SellerID, At: at, ID: requestlog.IDAt(at, uint64(number)<<2), KeyID: key.ID, KeyPrefix: key.Prefix,
		Took: 12345 * time.Microsecond, Status: 200, Rows: 50, Operation: "list_orders", RequestID: uuid.NewString(),
		Query: "limit=50&updated_at_gte=2026-03-01T00:00:00Z", Client: netip.MustParseAddr("203.0.113.7"),
		UserAgent: "sellerapi-python/1.0 (Python 3.13)", TraceID: []byte("0123456789abcdef"),
	}
}

// refusal returns the entry of a refused process call.
func refusal(key apikey.Key, at time.Time, number int) requestlog.Entry {
	entry := read(key, at, number)
	entry.Operation, entry.Query, entry.Record = "ship_order", "", fmt.Sprintf("O-20260301-%06d", number)
	entry.Status, entry.Code, entry.Rows = 409, "ORDER_ITEM_NOT_SHIPPABLE", 0
	entry.Data = []byte(`{"items":[{"item_id":"0195a0b1-0000-7000-8000-000000000001","item_status":"delivered"}]}`)
	entry.Idempotency, entry.KeyDigest = requestlog.First, []byte("12345678")
	return entry
}

// list returns what the log has of a seller, without the seller, which a reader knows.
func (b *fixture) list(t *testing.T, filter requestlog.Filter) []requestlog.Entry {
	t.Helper()
	page, err := b.store.ListRequests(t.Context(), b.seller, filter, nil, 1000)
	require.NoError(t, err)
	require.Nil(t, page.Next)
	for i := range page.Rows {
		page.Rows[i].SellerID = b.seller
		if data := page.Rows[i].Data; data != nil {
			var value any
			require.NoError(t, json.Unmarshal(data, &value))
			page.Rows[i].Data, err = json.Marshal(value)
			require.NoError(t, err)
		}
	}
	return page.Rows
}

// Entries are read as they were written, latest first. Days are made when they are missing, and entries whose commit was lost are
// not written twice.
func TestRequests_writtenOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, _ := b.issue(t)
	now := time.Now()
	entries := []requestlog.Entry{read(key, now, 1), refusal(key, now.Add(-time.Second), 2), read(key, now.AddDate(0, 0, -3), 3)}
	for range 2 {
		require.NoError(t, b.store.WriteRequests(t.Context(), entries))
		require.Equal(t, entries, b.list(t, requestlog.Filter{}))
	}
	other, err := b.store.ListRequests(t.Context(), uuid.New(), requestlog.Filter{}, nil, 10)
	require.NoError(t, err)
	require.Empty(t, other.Rows)
	found, ok, err := b.store.FindRequest(t.Context(), b.seller, entries[2].ID)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, entries[2].RequestID, found.RequestID)
	for seller, id := range map[uuid.UUID]uuid.UUID{b.seller: uuid.New(), uuid.New(): entries[2].ID} {
		_, ok, err = b.store.FindRequest(t.Context(), seller, id)
		require.NoError(t, err)
		require.False(t, ok)
	}
}

// Every filter selects what it says, and pages are complete, also among calls of one microsecond.
func TestRequests_filtersAndPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, _ := b.issue(t)
	two, _ := b.issue(t)
	now := time.Now().UTC().Truncate(time.Microsecond)
	entries := make([]requestlog.Entry, 0, 18)
	for n := range 9 {
		at := now.Add(-time.Duration(n/3) * time.Hour)
		entries = append(entries, read(one, at, 3*n), refusal(two, at, 3*n+1))
	}
	require.NoError(t, b.store.WriteRequests(t.Context(), entries))
	hour := now.Add(-time.Hour)
	for name, test := range map[string]struct {
		filter requestlog.Filter
		want   int
	}{
		"all":          {requestlog.Filter{}, 18},
		"from":         {requestlog.Filter{From: &hour}, 12},
		"until":        {requestlog.Filter{Until: &hour}, 12},
		"key":          {requestlog.Filter{KeyID: one.ID}, 9},
		"prefix":       {requestlog.Filter{KeyPrefix: two.Prefix}, 9},
		"other prefix": {requestlog.Filter{KeyPrefix: "vpk_test_zzz"}, 0},
		"operation":    {requestlog.Filter{Operation: "ship_order"}, 9},
		"code":         {requestlog.Filter{Code: "ORDER_ITEM_NOT_SHIPPABLE", From: &hour, Until: &hour}, 3},
		"request id":   {requestlog.Filter{RequestID: entries[4].RequestID}, 1},
		"record":       {requestlog.Filter{Record: entries[3].Record}, 1},
		"status":       {requestlog.Filter{Status: 200}, 9},
		"two":          {requestlog.Filter{Status: 200, Operation: "ship_order"}, 0},
	} {
		require.Len(t, b.list(t, test.filter), test.want, name)
	}
	var walked []uuid.UUID
	for after := (*paging.Position)(nil); ; {
		page, err := b.store.ListRequests(t.Context(), b.seller, requestlog.Filter{}, after, 4)
		require.NoError(t, err)
		for _, entry := range page.Rows {
			walked = append(walked, entry.ID)
		}
		if after = page.Next; after == nil {
			break
		}
	}
	whole := b.list(t, requestlog.Filter{})
	require.Len(t, walked, len(whole))
	for i := range whole {
		require.Equal(t, whole[i].ID, walked[i])
	}
}

// Counts are exact: they are those of the calls, by hour, key, operation and outcome.
func TestRequests_counts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, _ := b.issue(t)
	two, _ := b.issue(t)
	hour := time.Now().UTC().Truncate(time.Hour)
	entries := make([]requestlog.Entry, 0, 7)
	for n := range 5 {
		entries = append(entries, read(one, hour.Add(time.Duration(n)*time.Minute), n))
	}
	entries = append(entries, refusal(one, hour.Add(-time.Second), 5), read(one, hour.Add(-2*time.Hour), 6))
	require.NoError(t, b.store.WriteRequests(t.Context(), entries))
	counts, err := b.store.CountRequests(t.Context(), b.seller, hour.Add(-time.Hour), hour.Add(time.Hour))
	require.NoError(t, err)
	took := 12345 * time.Microsecond
	require.Equal(t, []requestlog.Count{
		{
			Hour: hour.Add(-time.Hour), KeyID: one.ID, Operation: "ship_order", Status: 409, Code: "ORDER_ITEM_NOT_SHIPPABLE",
			Calls: 1, P50: took, P95: took,
		},
		{Hour: hour, KeyID: one.ID, Operation: "list_orders", Status: 200, Calls: 5, Rows: 250, P50: took, P95: took},
	}, counts)
	uses, err := b.store.LastUses(t.Context(), b.seller)
	require.NoError(t, err)
	require.Equal(t, []requestlog.LastUse{
		{KeyID: two.ID, KeyPrefix: two.Prefix}, {KeyID: one.ID, KeyPrefix: one.Prefix, At: &entries[4].At},
	}, uses)
}

// A call takes at most 300 bytes of the table. Indexes come besides.
func TestRequests_bytes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, _ := b.issue(t)
	noon := requestlog.DayOf(time.Now()).Add(12 * time.Hour)
	const calls = 20_000
	entries := make([]requestlog.Entry, calls)
	for n := range entries {
		entries[n] = read(key, noon.Add(time.Duration(n)*time.Millisecond), n)
		if n%5 == 0 {
			entries[n] = refusal(key, entries[n].At, n)
		}
	}
	require.NoError(t, b.store.WriteRequests(t.Context(), entries))
	var table, indexes int64
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select sum(pg_table_size(inhrelid)), sum(pg_indexes_size(inhrelid))
		from pg_inherits where inhparent = 'requests'::regclass`).Scan(&table, &indexes))
	t.Logf("%d bytes a call, and %d of indexes", table/calls, indexes/calls)
	require.LessOrEqual(t, table/calls, int64(300))
}

// The sweep makes the next days and drops old ones, and beyond the bytes the oldest, of which it says so.
func TestRequestDays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, _ := b.issue(t)
	now := time.Now()
	for ago := range 5 {
		require.NoError(t, b.store.WriteRequests(t.Context(), []requestlog.Entry{read(key, now.AddDate(0, 0, -ago), ago)}))
	}
	lines := &telemetrytest.Lines{}
	tel, err := telemetry.New(t.Context(), "gateway", "test", telemetry.Config{}, telemetry.WithLogWriter(lines))
	require.NoError(t, err)
	_, err = sweep.New(b.store.RequestDays(requestlog.Limits{}, tel), tel).Once(t.Context())
	require.NoError(t, err)
	keep := func(limits requestlog.Limits) { // at the time of the entries, so that midnight may pass
		require.NoError(t, store.KeepRequestDays(b.store, t.Context(), limits, now, tel))
	}
	dropped := func(limit string) float64 {
		return testutil.ToFloat64(tel.Counter(telemetry.RequestLogPartitionsDropped).WithLabelValues(limit))
	}
	keep(requestlog.Limits{Days: 3, Bytes: 1 << 30})
	require.Len(t, b.list(t, requestlog.Filter{}), 4)
	require.InDelta(t, 1, dropped("days"), 0)
	require.Len(t, b.days(t), 4+requestlog.Ahead)
	keep(requestlog.Limits{Days: 3, Bytes: 1})
	require.Len(t, b.list(t, requestlog.Filter{}), 1, "today stays")
	require.InDelta(t, 3, dropped("bytes"), 0)
	require.Positive(t, testutil.ToFloat64(tel.Gauge(telemetry.RequestLogBytesOver).WithLabelValues()))
	require.Equal(t, 3, strings.Count(lines.String(), `"limit":"bytes"`))
}

func (b *fixture) days(t *testing.T) []requestlog.Day {
	t.Helper()
	rows, _ := b.db.Pool.Query(t.Context(), "select day, bytes from request_days()")
	days, err := pgx.CollectRows(rows, pgx.RowToStructByPos[requestlog.Day])
	require.NoError(t, err)
	return days
}

// A gateway that may only read and write rows makes and drops days with the rights of the owner.
func TestRequestDays_withoutOwnership(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tx, err := b.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	role := "gateway_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	_, err = tx.Exec(t.Context(), fmt.Sprintf("create role %[1]s; grant usage on schema %[2]s to %[1]s; set local role %[1]s", role,
		pgx.Identifier{b.db.Schema}.Sanitize()))
	require.NoError(t, err)
	for _, statement := range []string{"select add_request_day('2026-03-01')", "select drop_request_day('2026-03-01')"} {
		_, err = tx.Exec(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	_, err = tx.Exec(t.Context(), "create table mine (n int)")
	require.ErrorContains(t, err, "permission denied")
}
