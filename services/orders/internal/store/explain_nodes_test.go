//go:build citus

package store

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// The numbers of orders of the seller in the test of several nodes. The limits of a page are the same for both. With few, a
// page may be served by another index.
const (
	fewOnNodes  = 1_000
	manyOnNodes = 50_000
)

// A page on several nodes is read from one shard, through the same index and within the same limits as on one node, however
// many orders the seller has.
func TestList_everyFilterServedOnNode(t *testing.T) {
	t.Parallel()
	few, many := fillNodes(t, fewOnNodes), fillNodes(t, manyOnNodes)
	explain := func(f filled, name string) plan {
		c := allServed(f)[name]
		statement, args := f.statement(t, c.filter, c.after)
		return f.explainOnNode(t, statement, args)
	}
	for name, c := range allServed(many) {
		small, large := explain(few, name), explain(many, name)
		requireCheap(t, small, c.most, name)
		requireServed(t, large, c.index, c.most, name)
		t.Logf("%-40s %5.0f blocks with %d orders, %5.0f with %d", name, small.Hit+small.Read, fewOnNodes,
			large.Hit+large.Read, manyOnNodes)
	}
	for _, f := range []filled{few, many} {
		detail := f.explainOnNode(t, page(queries.SQL("FindOrder")), []any{f.seller, "F-1"})
		requireServed(t, detail, "orders_order_no", flatCost, "detail")
		history := f.explainOnNode(t, queries.SQL("OrderHistory"), []any{f.seller, "F-1"})
		for _, index := range historyIndexes {
			require.Contains(t, history.indexes(), index, "history")
		}
		requireCheap(t, history, flatCost, "history")
		for name, after := range map[string]paging.Position{
			"forwards, beginning": paging.Beginning(), "forwards, inside": paging.Since(f.now.Add(-700 * 24 * time.Hour)),
		} {
			statement, args := forwardStatement(f.seller, after, 51)
			requireServed(t, f.explainOnNode(t, statement, args), "seller_orders_latest", flatCost, name)
		}
	}
}

// fillNodes is fill for a database over several nodes.
func fillNodes(tb testing.TB, orders int) filled {
	tb.Helper()
	db := distributedtest.New(tb, Migrations())
	conn, err := pgx.Connect(tb.Context(), db.Config.URL.Reveal())
	require.NoError(tb, err)
	defer func() { require.NoError(tb, conn.Close(context.WithoutCancel(tb.Context()))) }()
	exec := func(statement string, args ...any) {
		_, err := conn.Exec(tb.Context(), statement, args...)
		require.NoError(tb, err)
	}
	for name, value := range postgres.PlannerSettings() {
		if name != "plan_cache_mode" { // a worker plans each execution anew
			// on all nodes: the extension passes it on, and refuses it as a command on the workers
			exec(fmt.Sprintf("alter role current_user in database %s set %s = %s", conn.Config().Database, name, value))
		}
	}
	db.Config.Settings = postgres.PlannerSettings()
	f := filled{
		db: db, secured: db.Open(tb, telemetrytest.Discard(tb)), seller: uuid.New(),
		now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC),
	}
	exec("set search_path = " + db.Schema)
	story, inserts, _ := strings.Cut(fillSQL, ";\n")
	exec(story, orders, f.seller, f.now, 730)
	for insert := range strings.SplitSeq(inserts, ";\n") {
		exec(insert)
	}
	exec("vacuum analyze orders, lines, shipments, seller_orders, status_changes")
	return f
}

// onShard matches the end of the name of a shard's index.
var onShard = regexp.MustCompile(`_\d{6,}$`)

// explainOnNode runs a statement, which must touch one shard, and returns its plan on the node of that shard. Names of indexes
// are those of the table.
func (f filled) explainOnNode(tb testing.TB, statement string, args []any) plan {
	tb.Helper()
	var explained []struct {
		Plan struct {
			Distributed struct {
				Job struct {
					Tasks []struct {
						Remote [][]struct{ Plan plan } `json:"Remote Plan"`
					}
				}
			} `json:"Distributed Query"`
		}
	}
	var text []byte
	require.NoError(tb, f.secured.QueryRow(tb.Context(), "explain (analyze, buffers, format json) "+statement, args...).Scan(&text))
	require.NoError(tb, json.Unmarshal(text, &explained), string(text))
	tasks := explained[0].Plan.Distributed.Job.Tasks
	require.Len(tb, tasks, 1, string(text))
	return ofTable(tasks[0].Remote[0][0].Plan)
}

// ofTable returns a plan on a shard with the names of the table's indexes.
func ofTable(p plan) plan {
	p.Index = onShard.ReplaceAllString(p.Index, "")
	below := p.Plans
	p.Plans = make([]plan, 0, len(below))
	for _, child := range below {
		p.Plans = append(p.Plans, ofTable(child))
	}
	return p
}
