package bench

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// log is what PostgreSQL writes when it logs statements with their arguments.
var log = strings.Join([]string{
	"2026-01-31 09:30:00.000 UTC [1] LOG:  execute stmtcache_1: -- name: FindOrder",
	"\tselect 1",
	"2026-01-31 09:30:00.000 UTC [1] DETAIL:  Parameters: $1 = 'x'",
	"2026-01-31 09:30:00.001 UTC [1] LOG:  execute stmtcache_2: -- name: ListOrders",
	"\twith page as (",
	"\t  select so.* from so where so.seller_id = $1 and so.updated_at < $3 limit $2",
	"\t)",
	"\tselect $1::uuid from page",
	"2026-01-31 09:30:00.001 UTC [1] DETAIL:  Parameters: $1 = '0e6c', $2 = '51', $3 = 'it''s, $9 = ''2'''",
	"2026-01-31 09:30:00.002 UTC [2] LOG:  statement: select pg_reload_conf()",
}, "\n")

// pgbench must run what the service sent, letter by letter but for the spelling of arguments.
func TestThePagesStatementIsFoundInTheLog(t *testing.T) {
	t.Parallel()
	found, err := findStatement(log)
	require.NoError(t, err)
	require.Equal(t, []string{"0e6c", "51", "it's, $9 = '2'"}, found.args)
	require.Equal(t, `-- name: ListOrders
with page as (
  select so.* from so where so.seller_id = :p1 and so.updated_at < :p3 limit :p2
)
select :p1::uuid from page;
`, found.script())
}

func TestALogWithoutThePageIsAnError(t *testing.T) {
	t.Parallel()
	_, err := findStatement("LOG:  execute stmtcache_1: -- name: FindOrder\nDETAIL:  Parameters: $1 = 'x'\n")
	require.ErrorContains(t, err, "not in PostgreSQL's log")
}

func TestThePasswordOfTheDatabaseTravelsInTheEnvironment(t *testing.T) {
	t.Parallel()
	env, err := connection("postgres://u:p%40w@127.0.0.1:5433/sellerapi?sslmode=disable")
	require.NoError(t, err)
	for _, want := range []string{"PGPASSWORD=p@w", "PGUSER=u", "PGHOST=127.0.0.1", "PGPORT=5433", "PGDATABASE=sellerapi"} {
		require.Contains(t, env, want)
	}
}

func TestTheTableShowsMediansAndWhatIsLeftAtTheLargestSize(t *testing.T) {
	t.Parallel()
	of := func(orders int, rates ...float64) result {
		r := result{name: "first page", orders: orders, rows: 50, alone: []sample{{perSecond: 1000}}}
		for _, rate := range rates {
			r.through = append(r.through, sample{perSecond: rate, cpu: 750 * time.Microsecond, median: 3 * time.Millisecond, p99: 9 * time.Millisecond})
		}
		return r
	}
	var out bytes.Buffer
	require.NoError(t, printTable(&out, Options{Concurrency: 8, Rounds: 3}, []result{of(1000, 900, 100, 600), of(100000, 500)}))
	require.Regexp(t, `1000\s+first page\s+50\s+600\s+1000\s+0.60\s+0.75 ms\s+3.00 ms\s+9.00 ms`, out.String())
	require.Contains(t, out.String(), "first page: 0.83 of the rate at 1000 orders is left at 100000")
}
