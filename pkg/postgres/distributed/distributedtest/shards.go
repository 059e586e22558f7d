package distributedtest

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
)

// Spread states how a statement may touch more than one shard, and why.
type Spread struct {
	// Reason is the reason.
	Reason string
	// Sellers is the number ($n) of the argument that lists sellers: the statement touches at most one shard for each of them. 0
	// means that it may touch all shards.
	Sellers int
	// Index must be used on each shard that the statement touches; empty if none is required.
	Index string
}

// Swept returns the spread of a statement that finds due work of any seller: every node reads its own rows through the index.
func Swept(index string) Spread {
	return Spread{Reason: "what the service looks for by itself is on every node", Index: index}
}

// commonSpreads are those of statements that several services have.
var commonSpreads = map[string]Spread{
	"TickSellers":    {Reason: "the clocks of all sellers that take part", Sellers: 1},
	"ChangedSellers": {Reason: "the marketplace asks which of all sellers have changed", Index: "seller_clock_latest"},
	"Clocks":         {Reason: "the gateway asks for the clocks of many sellers", Sellers: 1, Index: "seller_clock_pkey"},
}

var (
	// taskCount finds in a plan the number of shards on which a part of a statement runs, and shardOf the shard that is shown.
	taskCount = regexp.MustCompile(`Task Count: (\d+)`)
	shardOf   = regexp.MustCompile(`\bon \w+_(\d{6,})\b`)
	// pulled matches an insert whose rows come to the coordinator first, which sends each to its shard; ofOne matches inserts whose
	// rows all belong to the seller of the first argument.
	pulled = regexp.MustCompile(`INSERT/SELECT method: pull to coordinator`)
	ofOne  = regexp.MustCompile(`insert into \w+ \(seller_id, [^)]*\)\s+select \$1,`)
)

// RequireOneShard plans every statement that was recorded, with its arguments, on a database whose tables are distributed, and
// fails unless each of its executions touches one shard, or no distributed table at all. All of names must have been recorded.
// spreads lists those that may touch more; an entry that is not needed fails too, and so does one that does not use its index
// on every shard.
func RequireOneShard(tb testing.TB, migrations fs.FS, recorder *pgtest.Recorder, names []string, spreads map[string]Spread) {
	tb.Helper()
	for _, name := range names {
		require.NotEmpty(tb, recorder.Sent[name], "%s is not walked through", name)
	}
	db := planned(tb, migrations)
	for name, spread := range spreads {
		require.NotEmpty(tb, recorder.Sent[name], "%s may be spread, but was not recorded", name)
		require.NotEmpty(tb, spread.Reason, "the spread of %s needs a reason", name)
	}
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(recorder.Sent)) {
		if slices.Contains(pgtest.Outside, name) {
			continue
		}
		spread, may := spreads[name]
		if !may {
			spread = commonSpreads[name]
		}
		most, plan := mostShards(tb, db, recorder.Sent[name], spread)
		switch {
		case plan != "":
			wrong = append(wrong, name+" touches more shards than it may:\n"+plan)
		case may && spread.Sellers == 0 && most < 2:
			wrong = append(wrong, name+" is on one shard and needs no exemption")
		case spread.Index != "":
			first, touched := recorder.Sent[name][0], shards
			if spread.Sellers > 0 {
				touched, _ = shardsOf(tb, db, first, spread)
			}
			if used, plan := shardsUsing(tb, db, first, spread.Index); used != touched {
				wrong = append(wrong, fmt.Sprintf("%s uses %s on %d of %d shards:\n%s", name, spread.Index, used, touched, plan))
			}
		}
	}
	require.Empty(tb, wrong, strings.Join(wrong, "\n"))
}

// mostShards returns the largest number of shards that an execution of a statement touches, and the plan of the first execution
// that touches more than allowed.
func mostShards(tb testing.TB, db *pgtest.DB, executions []pgtest.Statement, spread Spread) (most int, wrong string) {
	tb.Helper()
	for _, statement := range executions {
		touched, plan := shardsOf(tb, db, statement, spread)
		most = max(most, touched)
		switch allowed := sellersIn(statement.Args, spread.Sellers); {
		case spread.Reason != "" && spread.Sellers == 0:
		case touched > max(allowed, 1):
			return most, plan
		}
	}
	return most, ""
}

// shards returns the number of shards that an execution touches, and its plan. An insert whose rows come to the coordinator
// touches those of the sellers listed for it; one without a list and without a seller in its text may touch all.
func shardsOf(tb testing.TB, db *pgtest.DB, statement pgtest.Statement, spread Spread) (int, string) {
	tb.Helper()
	plan := explain(tb, db.Pool, statement)
	touched := places(tb, db, plan)
	for _, found := range taskCount.FindAllStringSubmatch(plan, -1) {
		count, err := strconv.Atoi(found[1])
		require.NoError(tb, err)
		touched = max(touched, count)
	}
	if len(pulled.FindAllString(plan, -1)) > len(ofOne.FindAllString(statement.SQL, -1)) {
		touched = max(touched, shards)
		if spread.Sellers > 0 {
			touched = sellersIn(statement.Args, spread.Sellers)
		}
	}
	return touched, plan
}

// eachShard are settings that make a plan show every shard and use an index wherever one applies; the tables of tests are too
// small for the planner to use one otherwise.
var eachShard = []string{
	"set local citus.propagate_set_commands = 'local'", "set local enable_seqscan = off", "set local citus.explain_all_tasks = on",
}

// shardsUsing returns the number of shards on which an execution uses an index, and its plan.
func shardsUsing(tb testing.TB, db *pgtest.DB, statement pgtest.Statement, index string) (int, string) {
	tb.Helper()
	tx, err := db.Pool.Begin(tb.Context())
	require.NoError(tb, err)
	for _, setting := range eachShard {
		_, err := tx.Exec(tb.Context(), setting)
		require.NoError(tb, err)
	}
	plan := explain(tb, tx, statement)
	require.NoError(tb, tx.Rollback(tb.Context()))
	used := map[string]bool{}
	for _, found := range regexp.MustCompile(`\b`+index+`_(\d{6,})\b`).FindAllStringSubmatch(plan, -1) {
		used[found[1]] = true
	}
	return len(used), plan
}

func explain(tb testing.TB, db interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}, statement pgtest.Statement,
) string {
	tb.Helper()
	rows, err := db.Query(tb.Context(), "explain "+statement.SQL, statement.Args...)
	require.NoError(tb, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(tb, err, statement.SQL)
	return strings.Join(lines, "\n")
}

// places returns the number of distinct shard groups in a plan. Shards of one group hold the rows of the same sellers.
func places(tb testing.TB, db *pgtest.DB, plan string) (count int) {
	tb.Helper()
	found := shardOf.FindAllStringSubmatch(plan, -1)
	named := make([]int64, 0, len(found))
	for _, found := range found {
		id, err := strconv.ParseInt(found[1], 10, 64)
		require.NoError(tb, err)
		named = append(named, id)
	}
	require.NoError(tb, db.Pool.QueryRow(tb.Context(), `
		select count(distinct (p.colocationid, s.shardminvalue))
		from pg_dist_shard s join pg_dist_partition p using (logicalrelid)
		where s.shardid = any ($1)`, named).Scan(&count))
	return count
}

// sellersIn returns the number of distinct elements of the array argument $n; 0 if n is 0.
func sellersIn(args []any, n int) int {
	if n == 0 {
		return 0
	}
	list, sellers := reflect.ValueOf(args[n-1]), map[any]bool{}
	for i := range list.Len() {
		sellers[list.Index(i).Interface()] = true
	}
	return len(sellers)
}
