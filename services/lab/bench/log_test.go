package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var pageLog = strings.Join([]string{
	"2026-01-31 09:30:00.000 UTC [1] trade/orders LOG:  execute stmtcache_0: -- name: SetSeller",
	"\tselect set_config('app.seller', $1, true)",
	"2026-01-31 09:30:00.000 UTC [1] trade/orders DETAIL:  Parameters: $1 = '0e6c'",
	"2026-01-31 09:30:00.001 UTC [1] trade/orders LOG:  execute stmtcache_2: -- name: List",
	"\tselect * from so where so.seller_id = $1 and so.updated_at < $3 limit $2",
	"2026-01-31 09:30:00.001 UTC [1] trade/orders DETAIL:  Parameters: $1 = '0e6c', $2 = '51', $3 = 'it''s, $9 = ''2'''",
	"2026-01-31 09:30:00.002 UTC [2] trade/gateway LOG:  execute stmtcache_1: select $1",
	"2026-01-31 09:30:00.002 UTC [2] trade/gateway DETAIL:  Parameters: $1 = '0e6c'",
	"2026-01-31 09:30:00.002 UTC [3] sellerapi/ LOG:  statement: select pg_reload_conf()",
}, "\n")

func text(s string) *string { return &s }

// Only the statements of the page's owner are found, not those of other sessions; statements for row-level security are omitted.
func TestOfSeller(t *testing.T) {
	t.Parallel()
	require.Equal(t, []statement{{
		text: "-- name: List\nselect * from so where so.seller_id = $1 and so.updated_at < $3 limit $2",
		args: []*string{text("0e6c"), text("51"), text("it's, $9 = '2'")},
	}}, ofSeller(readLog(pageLog), "0e6c"))
	require.Empty(t, ofSeller(readLog(pageLog), "another seller"))
}

// Requests of a case take turns in one statement per form; a request with an argument that is null has another form.
func TestReadScript(t *testing.T) {
	t.Parallel()
	one := []statement{{text: "select $1, $2, $1;", args: []*string{text("a"), nil}}}
	require.NotEqual(t, formOf(one), formOf([]statement{{text: one[0].text, args: []*string{text("a"), text("b")}}}))
	require.Equal(t, script{
		text: `\if :f7_runs % 16 = 0
\set request random(0, 1)
select value[1] as f7_s0_a1 from bench.arguments where form = 7 and request = :request \gset
\endif
\set f7_runs :f7_runs + 1
select :f7_s0_a1, null, :f7_s0_a1;
`,
		weight: 2, defines: []string{"f7_runs=0"},
	}, readScript(7, [][]statement{one, one}))
}
