package store

import (
	"crypto/md5" //nolint:gosec // as md5 of PostgreSQL
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/gateway/internal/requestlog"
)

// Every filter reads an index that begins with the seller, and no other seller's rows.
func TestListRequests_servedByIndexes(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, Migrations())
	day := requestlog.DayOf(time.Now()).AddDate(0, 0, -1)
	for _, sql := range []string{
		"select add_request_day($1::timestamptz::date - 1)", "select add_request_day($1::timestamptz::date)",
		`insert into requests (seller_id, at, id, key_id, micros, status, row_count, operation, request_id, record, error_code, client)
		select md5((n % 50)::text)::uuid, $1::timestamptz - interval '12 hours' + n * interval '1 second', gen_random_uuid(),
			md5((n % 5)::text)::uuid, 1, 200, 1, 'list_orders', 'r' || n, case when n % 3 = 0 then 'O-' || n end,
			case when n % 10 = 0 then 'CODE' || n % 7 end, '192.0.2.1'
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
	const key, code = "requests_DAY_pkey", "requests_DAY_seller_id_error_code_at_id_idx"
	for name, test := range map[string]struct {
		filter requestlog.Filter
		index  string
	}{
		"all":        {requestlog.Filter{}, key},
		"range":      {requestlog.Filter{From: &from, Until: &day}, key},
		"key":        {requestlog.Filter{KeyID: uuid.Max}, key},
		"prefix":     {requestlog.Filter{KeyPrefix: "vpk_test_abc"}, key},
		"operation":  {requestlog.Filter{Operation: "ship_order"}, key},
		"status":     {requestlog.Filter{Status: 409}, key},
		"code":       {requestlog.Filter{Code: "CODE3"}, code},
		"request id": {requestlog.Filter{RequestID: "r77"}, "requests_DAY_seller_id_hashtextextended_idx"},
		"record":     {requestlog.Filter{Record: "O-77"}, "requests_DAY_seller_id_record_at_id_idx"},
	} {
		statement, args := listRequests(md5.Sum([]byte("27")), test.filter, &after, 51)
		var plan strings.Builder
		rows, err := db.Pool.Query(t.Context(), "explain "+statement, args...)
		require.NoError(t, err)
		for rows.Next() {
			var line string
			require.NoError(t, rows.Scan(&line))
			plan.WriteString(line + "\n")
		}
		require.NoError(t, rows.Err())
		require.Contains(t, plan.String(),
			"using "+strings.ReplaceAll(test.index, "DAY", day.AddDate(0, 0, -1).Format("20060102"))+" on", name)
		require.NotContains(t, plan.String(), "Seq Scan on requests", name)
	}
}
