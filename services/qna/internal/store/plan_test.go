package store

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/qna/internal/inquiry"
)

type plan struct {
	NodeType  string  `json:"Node Type"`
	IndexName string  `json:"Index Name"`
	Rows      float64 `json:"Actual Rows"`
	Removed   float64 `json:"Rows Removed by Filter"`
	Hit       int     `json:"Shared Hit Blocks"`
	Read      int     `json:"Shared Read Blocks"`
	Plans     []plan  `json:"Plans"`
}

func (p plan) nodes() []plan {
	all := []plan{p}
	for _, below := range p.Plans {
		all = append(all, below.nodes()...)
	}
	return all
}

// explain prepares a statement as the pool does, runs it, and returns the plan: the custom plan for these values (plan_cache_mode
// force_custom_plan) or the generic plan that the server uses after a few runs (force_generic_plan).
func explain(t *testing.T, pool postgres.Scoped, mode, statement string, args []any) plan {
	t.Helper()
	tx, err := pool.BeginTx(t.Context(), pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	for _, preparation := range []string{
		"set local plan_cache_mode = " + mode,
		"prepare listing (uuid, bigint, timestamptz, uuid, timestamptz, timestamptz) as " + statement,
	} {
		_, err := tx.Exec(t.Context(), preparation, pgx.QueryExecModeSimpleProtocol)
		require.NoError(t, err)
	}
	literals := []string{"null", "null", "null", "null", "null", "null"}
	for n, arg := range args {
		literals[n] = literal(t, arg)
	}
	var text []byte
	err = tx.QueryRow(t.Context(), "explain (analyze, buffers, format json) execute listing ("+strings.Join(literals, ", ")+")",
		pgx.QueryExecModeSimpleProtocol).Scan(&text)
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "deallocate listing", pgx.QueryExecModeSimpleProtocol)
	require.NoError(t, err)
	var plans []struct{ Plan plan }
	require.NoError(t, json.Unmarshal(text, &plans))
	return plans[0].Plan
}

func literal(t *testing.T, arg any) string {
	t.Helper()
	switch value := arg.(type) {
	case pgtype.Timestamptz:
		if value.InfinityModifier == pgtype.Infinity {
			return "'infinity'"
		}
		return "'" + value.Time.Format(time.RFC3339Nano) + "'"
	case time.Time:
		return "'" + value.Format(time.RFC3339Nano) + "'"
	default:
		return fmt.Sprintf("'%v'", value)
	}
}

// crowd fills a schema with sellers of very different size. The first has 12,000 inquiries, the newest 2,000 of them waiting
// and 1 in 200 of the older ones: a plan that walks from the newest and skips the wrong state reads many rows for nothing.
func crowd(t *testing.T, db *pgtest.DB, big uuid.UUID) {
	t.Helper()
	_, err := db.Pool.Exec(t.Context(), `
		with posted as (
			insert into inquiries (qna_id, seller_id, product_id, product_name, category, body, is_secret, member_display_name,
			                       image_urls, created_at, status, answer_seq, updated_at)
			select gen_random_uuid(), case when n <= 12000 then $1::uuid else md5((n % 400)::text)::uuid end, gen_random_uuid(),
			       'product', 'etc', repeat('text ', 20), false, 'member', '{}', now(),
			       case when n > 2000 and n % 200 <> 0 then 'answered' else 'waiting' end,
			       case when n > 2000 and n % 200 <> 0 then 1 end, now() - (n / 3) * interval '1 minute'
			from generate_series(1, 20000) n
			returning seller_id, qna_id, answer_seq
		)
		insert into answers (seller_id, qna_id, seq, content, answered_at)
		select seller_id, qna_id, answer_seq, 'answer', now() from posted where answer_seq is not null`, big)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), "vacuum analyze inquiries, answers")
	require.NoError(t, err)
}

// A list that is not served by its index costs more the longer a seller has existed. Every combination of filters, from the
// start and from far inside a walk, must find its page in an index, read no row that is not on the page, sort nothing, and
// touch a few blocks for each row.
func TestList_servedByIndex(t *testing.T) {
	t.Parallel()
	// Its position among the other sellers is fixed: at this one the planner is least likely to use an index in the order of the
	// list.
	db, big := pgtest.New(t, Migrations()), uuid.MustParse("a8000000-0000-4000-8000-000000000001")
	db.Config.Settings = postgres.PlannerSettings()
	crowd(t, db, big)
	pool := postgres.OfSeller(db.AsService(t), big)
	ago := func(hours time.Duration) *time.Time { at := time.Now().Add(-hours * time.Hour); return &at }
	filters := map[string]inquiry.Filter{
		"none":                     {},
		"from":                     {Updated: inquiry.Range{From: ago(60)}},
		"to":                       {Updated: inquiry.Range{Until: ago(2)}},
		"range":                    {Updated: inquiry.Range{From: ago(60), Until: ago(2)}},
		"frequent status":          {Status: inquiry.Answered},
		"rare status":              {Status: inquiry.Waiting},
		"status from":              {Status: inquiry.Waiting, Updated: inquiry.Range{From: ago(60)}},
		"status to":                {Status: inquiry.Waiting, Updated: inquiry.Range{Until: ago(2)}},
		"status range":             {Status: inquiry.Waiting, Updated: inquiry.Range{From: ago(60), Until: ago(2)}},
		"frequent status, range":   {Status: inquiry.Answered, Updated: inquiry.Range{From: ago(60), Until: ago(2)}},
		"from, longer than a walk": {Updated: inquiry.Range{From: ago(10000)}},
	}
	positions := map[string]*paging.Position{"start": nil, "inside": {UpdatedAt: *ago(20), ID: uuid.Max}}
	for filterName, filter := range filters {
		for positionName, position := range positions {
			for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
				statement, args := listStatement(big, filter, position, paging.MaxLimit+1)
				requireIndexed(t, filterName+" from "+positionName+", "+mode, explain(t, pool, mode, statement, args), filter.Status)
			}
		}
	}
}

func requireIndexed(t *testing.T, name string, root plan, status inquiry.Status) {
	t.Helper()
	index := "inquiries_by_change"
	if status != "" {
		index = "inquiries_" + string(status)
	}
	found := false
	for _, node := range root.nodes() {
		require.NotContains(t, []string{"Seq Scan", "Sort", "Incremental Sort", "Bitmap Heap Scan", "Hash Join"}, node.NodeType, name)
		require.Zero(t, node.Removed, name)
		if node.IndexName == index {
			found = true
			require.LessOrEqual(t, node.Rows, float64(paging.MaxLimit+1), name)
		}
	}
	require.True(t, found, "%s: %s is not used", name, index)
	require.NotZero(t, root.Rows, "%s finds nothing, so it proves nothing", name)
	// Twice what a page needs: a transaction of another test may prevent vacuum from removing old versions of the rows.
	require.LessOrEqual(t, root.Hit+root.Read, 16*(paging.MaxLimit+1), "%s touches too many blocks", name)
}

// A state without its own index and fragment could not be used as a filter.
func TestList_everyState(t *testing.T) {
	t.Parallel()
	require.Len(t, stateConditions, len(inquiry.StatusNames()))
	for _, status := range inquiry.StatusNames() {
		require.Equal(t, "and i.status = '"+status+"'", stateConditions[inquiry.Status(status)])
	}
}

// Every statement about an inquiry names the seller, so that another seller's inquiry and a missing one have the same result. The
// exceptions are statements of the marketplace and of operators, who name only the inquiry.
func TestStatements_nameTheSeller(t *testing.T) {
	t.Parallel()
	acrossSellers := map[string]string{
		"FindOwner":       "operators name only the inquiry",
		"FindPosted":      "an id may have been used for another seller",
		"ClaimIDs":        "a batch has many sellers; each row names its own",
		"InsertInquiries": "a batch has many sellers; each row names its own",
	}
	for _, name := range queries.Names() {
		if _, ok := acrossSellers[name]; !ok {
			require.Contains(t, queries.SQL(name), "i.seller_id = $1", name)
		}
	}
}
