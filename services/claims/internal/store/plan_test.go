package store

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/claims/internal/claim"
)

type plan struct {
	NodeType  string  `json:"Node Type"`
	Table     string  `json:"Relation Name"`
	IndexName string  `json:"Index Name"`
	IndexCond string  `json:"Index Cond"`
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

// crowd fills a schema with sellers of very different size. The big one has 20,000 claims, almost all of them completed
// cancels, as most sellers have. The odd one has 5,000 open exchanges in addition to its completed cancels: states that are
// common elsewhere are far down in its lists.
func crowd(t *testing.T, db *pgtest.DB, big, odd uuid.UUID) {
	t.Helper()
	_, err := db.Pool.Exec(t.Context(), `
		with made as (
			insert into claims (claim_id, claim_no, seller_id, order_no, type, status, reason_code, goods_amount, shipping_fee,
			price_difference,
				order_shipping_paid, seller_quantity, requested_at, updated_at, completed_at)
			select gen_random_uuid(), 'C-' || n, case when n <= 20000 then $1::uuid else md5((n % 400)::text)::uuid end, 'O-' || n,
				case when n <= 20000 and n % 211 > 0 then 'cancel' when n % 2 = 0 then 'return' else 'exchange' end,
				case when n % 97 > 0 then 'completed' when n % 2 = 0 then 'requested' else 'refund_processing' end,
				'etc', 1000, 0, 0, 0, 0, now() - n * interval '1 minute', now() - (n / 3) * interval '1 minute',
				case when n % 97 > 0 then now() end
			from generate_series(1, 30000) n
			union all
			select gen_random_uuid(), 'D-' || n, $2, 'P-' || n, case when n < 5000 then 'exchange' else 'cancel' end,
				case when n < 5000 then 'reshipping' else 'completed' end, 'etc', 1000, 0, 0, 0, 0,
				now() - n * interval '1 minute', now() - (n / 3) * interval '1 minute', case when n >= 5000 then now() end
			from generate_series(1, 6000) n
			returning seller_id, claim_id, claim_no
		), items as (
			insert into claim_items (seller_id, claim_id, seq, item_id, item_code, quantity, product_name, option_name, goods_amount,
			price_difference)
			select seller_id, claim_id, seq, gen_random_uuid(), claim_no, 1, 'product', 'option', 1000, 0 from made, generate_series(0,
			1) seq
			returning 1
		)
		insert into evidence (seller_id, claim_id, action, actor, actor_name, done_at, pending)
		select seller_id, claim_id, action, 'api', 'key', now(), false from made, unnest(array['approve', 'pickup', 'collect-done'])
		action`, big, odd)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), "vacuum analyze claims, claim_items, evidence")
	require.NoError(t, err)
}

func explain(t *testing.T, secured *postgres.Pool, seller uuid.UUID, filter claim.Filter, after *paging.Position) plan {
	t.Helper()
	settings := postgres.PlannerSettings()
	if isPlannedForValues(filter) {
		settings["plan_cache_mode"] = "force_custom_plan"
	}
	conditions := listConditions(seller, filter, after, paging.MaxLimit+1)
	text := pgtest.ExplainPrepared(t, postgres.OfSeller(secured, seller), settings,
		conditions.Insert(newestFirst), conditions.Args())
	var plans []struct{ Plan plan }
	require.NoError(t, json.Unmarshal(text, &plans))
	return plans[0].Plan
}

func ago(minutes time.Duration) *time.Time {
	at := time.Now().Add(-minutes * time.Minute)
	return &at
}

type served struct {
	filter claim.Filter
	after  *paging.Position
	index  string
}

// indexed returns every combination of type, state and change time, from the start and from far inside a walk.
func indexed() map[string]served {
	updated := map[string]claim.Range{
		"": {}, ", from": {From: ago(6000)}, ", until": {Until: ago(1100)}, ", range": {From: ago(6000), Until: ago(1100)},
	}
	all := map[string]served{}
	for index, filters := range map[string][]claim.Filter{
		"claims_by_change": {{}},
		"claims_by_type":   {{Type: claim.Cancel}, {Type: claim.Return}, {Type: claim.Exchange}},
		"claims_by_status": {{Status: claim.Completed}, {Status: claim.Requested}, {Status: claim.RefundProcessing}},
		"claims_by_type_status": {
			{Type: claim.Cancel, Status: claim.Completed},
			{Type: claim.Return, Status: claim.Completed},
			{Type: claim.Cancel, Status: claim.Requested},
		},
	} {
		for _, filter := range filters {
			for bounds, interval := range updated {
				for where, after := range map[string]*paging.Position{"start": nil, "inside": {UpdatedAt: *ago(1200), ID: uuid.Max}} {
					filter.Updated = interval
					all[string(filter.Type)+" "+string(filter.Status)+bounds+" from the "+where] = served{filter, after, index}
				}
			}
		}
	}
	return all
}

// A list that is not served by its index costs more the longer a seller has existed. Every combination of type, state and change
// time, from the start and from far inside a walk, must find its page in an index, read no claim that is not on the page, sort
// nothing, and touch a few blocks for each.
func TestList_servedByIndex(t *testing.T) {
	t.Parallel()
	db, big, odd := pgtest.New(t, Migrations()), uuid.New(), uuid.New()
	db.Config.StatementTimeout = time.Minute // on a loaded machine thousands of rows take a while
	db.Pool = db.Open(t, telemetrytest.Discard(t))
	crowd(t, db, big, odd)
	secured := db.AsService(t)
	for name, c := range indexed() {
		requireIndexed(t, name, explain(t, secured, big, c.filter, c.after), c.index)
	}
	requireIndexed(t, "an odd seller's type", explain(t, secured, odd, claim.Filter{Type: claim.Cancel}, nil), "claims_by_type")
	requireIndexed(t, "an odd seller's state", explain(t, secured, odd, claim.Filter{Status: claim.Completed},
		nil), "claims_by_status")
	requireIndexed(t, "an odd seller's type and state",
		explain(t, secured, odd, claim.Filter{Type: claim.Cancel, Status: claim.Completed}, nil), "claims_by_type_status")
}

// A connection may keep the plan of a list that was made for empty tables, so that must be the right one as well.
func TestList_planMadeWhileTablesAreEmpty(t *testing.T) {
	t.Parallel()
	secured := pgtest.New(t, Migrations()).AsService(t)
	for name, c := range indexed() {
		used := map[string]bool{}
		for _, node := range explain(t, secured, uuid.New(), c.filter, c.after).nodes() {
			require.NotContains(t, []string{"Seq Scan", "Sort"}, node.NodeType, name)
			used[node.IndexName] = true
		}
		require.Contains(t, used, c.index, name)
	}
}

func requireIndexed(t *testing.T, name string, root plan, index string) {
	t.Helper()
	found := false
	for _, node := range root.nodes() {
		require.NotContains(t, []string{"Seq Scan", "Sort", "Hash Join"}, node.NodeType, name)
		// A bitmap has no order, so a page of claims cannot end early; for the few rows of one claim it is fine, as all are needed.
		require.NotEqual(t, [2]string{"Bitmap Heap Scan", "claims"}, [2]string{node.NodeType, node.Table}, name)
		require.Zero(t, node.Removed, name)
		if node.IndexName == index {
			found = true
			require.LessOrEqual(t, node.Rows, float64(paging.MaxLimit+1), name)
		}
	}
	require.True(t, found, "%s: %s is not used: %+v", name, index, root.nodes())
	require.NotZero(t, root.Rows, "%s finds nothing, so it proves nothing", name)
	require.LessOrEqual(t, root.Hit+root.Read, 16*(paging.MaxLimit+1), "%s touches too many blocks", name)
}

// A range of request times does not match the order of the list. A narrow one is found by its own index, a wide one by walking;
// neither reads the seller's whole history.
func TestList_requestTimeRangeIsCheap(t *testing.T) {
	t.Parallel()
	db, big := pgtest.New(t, Migrations()), uuid.New()
	crowd(t, db, big, uuid.New())
	secured := db.AsService(t)
	for name, c := range map[string]struct {
		filter claim.Filter
		index  string
	}{
		"an hour long ago": {claim.Filter{Requested: claim.Range{From: ago(15060), Until: ago(15000)}}, "claims_by_request"},
		"the last hours":   {claim.Filter{Requested: claim.Range{From: ago(300)}}, ""},
		"nearly all":       {claim.Filter{Requested: claim.Range{From: ago(19000), Until: ago(60)}}, ""},
		"of a rare type":   {claim.Filter{Type: claim.Exchange, Requested: claim.Range{From: ago(15000)}}, ""},
		"of a common type": {claim.Filter{Type: claim.Cancel, Requested: claim.Range{From: ago(15000)}}, "claims_by_type"},
	} {
		root := explain(t, secured, big, c.filter, nil)
		used := c.index == ""
		for _, node := range root.nodes() {
			require.NotEqual(t, "Seq Scan", node.NodeType, name)
			used = used || node.IndexName == c.index
		}
		require.True(t, used, "%s: %+v", name, root.nodes())
		require.NotZero(t, root.Rows, name)
		require.LessOrEqual(t, root.Hit+root.Read, 20*(paging.MaxLimit+1), "%s touches too many blocks", name)
	}
}

// The statements about one claim have a plan that is made once and suits all arguments: none scans a whole table, and those of
// every action read what they need by its key.
func TestStatements_genericPlans(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, Migrations())
	crowd(t, db, uuid.New(), uuid.New())
	pool := postgres.AllSellers(db.AsService(t))
	used := map[string][]string{}
	for _, name := range queries.Names() {
		switch name {
		case "ListClaims": // without its filters; see TestList_servedByIndex
		case "AgeOfSteps": // a metric over all steps that are pending
		default:
			used[name] = pgtest.GenericIndexes(t, pool, postgres.PlannerSettings(), queries.SQL(name))
		}
	}
	for name, indexes := range map[string][]string{
		"FindClaim":    {"claim_items_pkey", "claims_claim_no", "evidence_pkey"},
		"LockClaims":   {"claims_by_order", "claims_claim_no"},
		"SumUndone":    {"claim_items_pkey", "claims_by_order", "claims_claim_no"},
		"UpdateClaim":  {"claims_pkey", "seller_clock_pkey"},
		"FindRefunds":  {"claims_claim_no", "refunds_pkey"},
		"PendingSteps": {"steps_pkey"},
		"FinishStep":   {"steps_pkey"},
	} {
		require.Equal(t, indexes, used[name], name)
	}
}

// Each connection plans a statement once, but lists with a range of request times for each request.
func TestList_plannedForEachRange(t *testing.T) {
	t.Parallel()
	for _, rowSecurity := range []string{"on", "off"} {
		db, seller := pgtest.New(t, Migrations()), uuid.New()
		db.Config.Settings, db.Config.MaxConns, db.Config.RowSecurity = postgres.PlannerSettings(), 1, rowSecurity
		pool := db.Open(t, telemetrytest.Discard(t))
		s := New(pool)
		for range 3 {
			_, err := s.List(t.Context(), seller, claim.Filter{}, nil, 10)
			require.NoError(t, err)
			_, err = s.List(t.Context(), seller, claim.Filter{Requested: claim.Range{Until: ago(0)}}, nil, 10)
			require.NoError(t, err)
			_, err = s.Get(t.Context(), seller, "C-1")
			require.ErrorIs(t, err, apierr.ClaimNotFound)
		}
		plans := func(name, condition string) (custom, generic int) {
			err := pool.QueryRow(t.Context(), `select sum(custom_plans), sum(generic_plans) from pg_prepared_statements
				where statement like $1`, "-- name: "+name+"%"+condition+"%").Scan(&custom, &generic)
			require.NoError(t, err)
			return custom, generic
		}
		custom, generic := plans("ListClaims", "and c.requested_at <=")
		require.Equal(t, [2]int{3, 0}, [2]int{custom, generic}, rowSecurity)
		custom, generic = plans("ListClaims", "and (c.updated_at, c.claim_id) <")
		require.Equal(t, [2]int{3, 3}, [2]int{custom, generic}, "%s: both lists", rowSecurity)
		custom, generic = plans("FindClaim", "and c.claim_no = ")
		require.Equal(t, [2]int{0, 3}, [2]int{custom, generic}, rowSecurity)
	}
}
