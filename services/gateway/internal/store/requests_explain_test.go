package store

import (
	"crypto/md5" //nolint:gosec // as md5 of PostgreSQL
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/gateway/internal/requestlog"
)

// Every filter reads the index that is meant for it, which begins with the seller, and no other.
func TestListRequests_servedByIndexes(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, Migrations())
	day := requestlog.DayOf(time.Now()).AddDate(0, 0, -1)
	for _, sql := range []string{
		"select add_request_day($1::timestamptz::date - 1)", "select add_request_day($1::timestamptz::date)",
		`insert into requests (seller_id, at, id, key_id, micros, status, row_count, operation, request_id, record, error_code, client)
		select md5((n % 5)::text)::uuid, $1::timestamptz - interval '12 hours' + n * interval '1 second', gen_random_uuid(),
			md5((n / 5 % 3)::text)::uuid, 1, case when n % 4 = 0 then 409 else 200 end, 1,
			case when n % 4 = 0 then 'ship_order' else 'list_orders' end, 'r' || n, case when n % 3 = 0 then 'O-' || n end,
			case when n % 4 = 0 then 'CODE' || n % 7 end, '192.0.2.1'
		from generate_series(1, 86000) n`,
		"analyze requests",
	} {
		args := []any{day}
		if !strings.Contains(sql, "$1") {
			args = nil
		}
		_, err := db.Pool.Exec(t.Context(), sql, args...)
		require.NoError(t, err, sql)
	}
	from, after := day.Add(-time.Hour), paging.Position{UpdatedAt: day, ID: uuid.Max}
	indexes := regexp.MustCompile(day.AddDate(0, 0, -1).Format("requests_20060102_") + `(\w+)`)
	const key = "pkey"
	for name, test := range map[string]struct {
		filter requestlog.Filter
		index  string
	}{
		"all":        {requestlog.Filter{}, key},
		"range":      {requestlog.Filter{From: &from, Until: &day}, key},
		"key":        {requestlog.Filter{KeyID: md5.Sum([]byte("1"))}, key},
		"prefix":     {requestlog.Filter{KeyPrefix: "vpk_test_abc"}, key},
		"operation":  {requestlog.Filter{Operation: "ship_order"}, key},
		"status":     {requestlog.Filter{Status: 409}, key},
		"code":       {requestlog.Filter{Code: "CODE3"}, "seller_id_error_code_at_id_idx"},
		"request id": {requestlog.Filter{RequestID: "r72"}, "seller_id_hashtextextended_idx"},
		"record":     {requestlog.Filter{Record: "O-72"}, "seller_id_record_at_id_idx"},
	} {
		statement, args := listRequests(md5.Sum([]byte("2")), test.filter, &after, 51)
		var plan strings.Builder
		rows, err := db.Pool.Query(t.Context(), "explain "+statement, args...)
		require.NoError(t, err)
		for rows.Next() {
			var line string
			require.NoError(t, rows.Scan(&line))
			plan.WriteString(line + "\n")
		}
		require.NoError(t, rows.Err())
		used := map[string]bool{}
		for _, found := range indexes.FindAllStringSubmatch(plan.String(), -1) {
			used[found[1]] = true
		}
		require.Equal(t, map[string]bool{test.index: true}, used, "%s: %s", name, plan.String())
		require.NotContains(t, plan.String(), "Seq Scan on requests", name)
	}
}

// However many calls a seller has, a page with a key or an operation that few or none have reads no more entries than its bound,
// and the pages together miss nothing.
func TestListRequests_bounded(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, Migrations())
	day, seller := requestlog.DayOf(time.Now()), uuid.New()
	const pages = 4
	exec := func(sql string, args ...any) {
		_, err := db.Pool.Exec(t.Context(), sql, args...)
		require.NoError(t, err, sql)
	}
	exec("select add_request_day($1::timestamptz::date - 1), add_request_day($1::timestamptz::date)", day)
	exec("insert into sellers (seller_id, name) values ($1, 'S')", seller)
	exec(`insert into api_keys (key_id, seller_id, request_id, prefix, hash, sealed_text, seal, scopes, purpose)
		select gen_random_uuid(), $1, gen_random_uuid(), 'vpk_test_00' || n, sha256(n::text::bytea), '', '', '{orders:read}', ''
		from generate_series(1, 2) n`, seller)
	exec(`insert into requests (seller_id, at, id, key_id, micros, status, row_count, operation, request_id, client)
		select $1, $2::timestamptz + (n - $3) * interval '1 second', gen_random_uuid(),
			(select key_id from api_keys where prefix = 'vpk_test_001'), 1, 200, 1,
			case when n % $4 = 77 then 'ship_order' else 'list_orders' end, 'r' || n, '192.0.2.1'
		from generate_series(1, 2 * $3) n`, seller, day, pages*maxLooked/2, 2*maxLooked)
	exec("analyze requests")
	store := New(db.Pool)
	for name, test := range map[string]struct {
		filter requestlog.Filter
		want   int
	}{
		"operation":   {requestlog.Filter{Operation: "ship_order"}, 2},
		"none":        {requestlog.Filter{Operation: "answer_inquiry"}, 0},
		"status":      {requestlog.Filter{Status: 404}, 0},
		"unused key":  {requestlog.Filter{KeyPrefix: "vpk_test_002"}, 0},
		"unknown key": {requestlog.Filter{KeyPrefix: "vpk_test_003"}, 0},
	} {
		found, read := 0, 0
		for after := (*paging.Position)(nil); ; read++ {
			statement, args := listRequests(seller, test.filter, after, 51)
			require.LessOrEqual(t, entriesRead(t, db, statement, args), maxLooked+1, name)
			page, err := store.ListRequests(t.Context(), seller, test.filter, after, 50)
			require.NoError(t, err, name)
			found += len(page.Rows)
			if after = page.Next; after == nil {
				break
			}
		}
		require.Equal(t, test.want, found, name)
		require.Equal(t, pages, read, "%s: pages before the last", name)
	}
}

var readEntries = regexp.MustCompile(`Scan.* on requests_.*rows=(\d+)[.\d]* loops=(\d+)`)

// entriesRead returns how many entries of the log a statement reads.
func entriesRead(t *testing.T, db *pgtest.DB, statement string, args []any) (read int) {
	t.Helper()
	rows, _ := db.Pool.Query(t.Context(), "explain (analyze, timing off) "+statement, args...)
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	scans := readEntries.FindAllStringSubmatch(strings.Join(plan, "\n"), -1)
	require.NotEmpty(t, scans, strings.Join(plan, "\n"))
	for _, scan := range scans {
		entries, err := strconv.Atoi(scan[1])
		require.NoError(t, err)
		read += entries
	}
	return read
}
