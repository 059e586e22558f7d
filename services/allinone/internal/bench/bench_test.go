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
	found, err := findPage(log)
	require.NoError(t, err)
	require.Equal(t, script{
		text: `-- name: ListOrders
with page as (
  select so.* from so where so.seller_id = :p1 and so.updated_at < :p3 limit :p2
)
select :p1::uuid from page;
`,
		defines: []string{"p1=0e6c", "p2=51", "p3=it's, $9 = '2'"},
	}, found.script())
}

func TestALogWithoutThePageIsAnError(t *testing.T) {
	t.Parallel()
	_, err := findPage("[1] LOG:  execute stmtcache_1: -- name: FindOrder\n[1] DETAIL:  Parameters: $1 = 'x'\n")
	require.ErrorContains(t, err, "not in PostgreSQL's log")
}

// shipping is the log of a shipment beside which another process works.
var shipping = strings.Join([]string{
	"[1] LOG:  statement: begin isolation level read committed",
	"[1] LOG:  execute stmtcache_1: -- name: InboxTake",
	"\tinsert into inbox values ($1, $2)",
	"[1] DETAIL:  Parameters: $1 = 'seller', $2 = '\\x0102'",
	"[2] LOG:  statement: commit",
	"[1] LOG:  execute stmtcache_2: -- name: LockHome",
	"\tselect from orders where order_no = $1 for update",
	"[1] DETAIL:  Parameters: $1 = '1000000000000007'",
	"[1] LOG:  execute stmtcache_3: -- name: ReadPart",
	"\tselect order_id, item_id from orders where order_no = $1;",
	"[1] DETAIL:  Parameters: $1 = '1000000000000007'",
	"[2] LOG:  statement: begin isolation level read committed",
	"[1] LOG:  execute stmtcache_4: -- name: SaveItem",
	"\tupdate lines set amount = $2, company = $3, gate = $5 where order_id = $1 and item_id = any($4)",
	"[1] DETAIL:  Parameters: $1 = 'o-7', $2 = '42', $3 = NULL, $4 = '{i-7}', $5 = ''",
	"[1] LOG:  statement: commit",
}, "\n")

// Every run of the script ships another order: a second run on the same one would find its work done.
func TestShipScript_anotherOrderEachRun(t *testing.T) {
	t.Parallel()
	found, ok := findShipment(readLog(shipping), "1000000000000007")
	require.True(t, ok)
	require.Equal(t, script{
		text: nextOrder + `\startpipeline
begin isolation level read committed;
-- name: InboxTake
insert into inbox values (:s1_1, :no);
-- name: LockHome
select from orders where order_no = :no for update;
\endpipeline
-- name: ReadPart
select order_id, item_id from orders where order_no = :no \gset
\startpipeline
-- name: SaveItem
update lines set amount = :s4_2, company = null, gate = '' where order_id = :order_id and item_id = any(array[:item_id]);
commit;
\endpipeline
`,
		defines: []string{"taken=0", "s1_1=seller", "s4_2=42"},
	}, found.script(shippable{no: "1000000000000007", itemID: "i-7"}, "o-7"))
}

func TestAShipmentThatWasNotLoggedAsAWholeIsNotTaken(t *testing.T) {
	t.Parallel()
	for name, log := range map[string]string{
		"the beginning is missing": shipping[strings.Index(shipping, "\n")+1:],
		"the end is missing":       strings.TrimSuffix(shipping, "[1] LOG:  statement: commit"),
		"another order":            strings.ReplaceAll(shipping, "0007", "0008"),
	} {
		_, ok := findShipment(readLog(log), "1000000000000007")
		require.False(t, ok, name)
	}
}

// A transaction that failed did nothing, and quickly.
func TestAReportWithFailedTransactionsIsAnError(t *testing.T) {
	t.Parallel()
	read, err := readReport("number of failed transactions: 0 (0.000%)\ntps = 812.5 (without initial connection time)\n")
	require.NoError(t, err)
	require.InDelta(t, 812.5, read.perSecond, 0)
	for _, report := range []string{"number of failed transactions: 3 (1.000%)\ntps = 812.5", "number of failed transactions: 0 (0.000%)\n"} {
		_, err = readReport(report)
		require.Error(t, err)
	}
}

func TestDatabasePassword_passedInEnvironment(t *testing.T) {
	t.Parallel()
	env, err := connection("postgres://u:p%40w@127.0.0.1:5433/sellerapi?sslmode=disable")
	require.NoError(t, err)
	for _, want := range []string{"PGPASSWORD=p@w", "PGUSER=u", "PGHOST=127.0.0.1", "PGPORT=5433", "PGDATABASE=sellerapi"} {
		require.Contains(t, env, want)
	}
}

func TestTable_mediansAndLargestSize(t *testing.T) {
	t.Parallel()
	of := func(orders int, rates ...float64) result {
		r := result{name: "first page", orders: orders, atOnce: 8, rows: 50, alone: []sample{{perSecond: 1000}}}
		for _, rate := range rates {
			r.through = append(r.through, sample{perSecond: rate, cpu: 750 * time.Microsecond, median: 3 * time.Millisecond, p99: 9 * time.Millisecond})
		}
		return r
	}
	var out bytes.Buffer
	require.NoError(t, printTable(&out, Options{Rounds: 3}, []result{of(1000, 900, 100, 600), of(100000, 500)}))
	require.Regexp(t, `1000\s+first page\s+8\s+50\s+600\s+1000\s+0.60\s+0.75 ms\s+3.00 ms\s+9.00 ms`, out.String())
	require.Contains(t, out.String(), "first page: 0.83 of the rate at 1000 orders is left at 100000")
}

func TestTheWaysToShipAreComparedWithTheBatch(t *testing.T) {
	t.Parallel()
	of := func(name string, taken ...time.Duration) batchResult {
		r := batchResult{name: name, connections: 1}
		for _, took := range taken {
			r.taken = append(r.taken, sample{took: took})
		}
		return r
	}
	var out bytes.Buffer
	require.NoError(t, printBatches(&out, []batchResult{
		of("one batch", 90*time.Millisecond, 100*time.Millisecond, time.Second), of("500 calls", 750*time.Millisecond),
	}))
	require.Regexp(t, `one batch\s+1\s+100.00 ms\s+1.0`, out.String())
	require.Regexp(t, `500 calls\s+1\s+750.00 ms\s+7.5`, out.String())
}
