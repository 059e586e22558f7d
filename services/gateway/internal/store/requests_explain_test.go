package store

import (
	"crypto/md5" //nolint:gosec // as md5 of PostgreSQL
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
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
