package pgtest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
)

// RequireChangedServed fails unless the statement of postgres.ChangedSellers, as recorded, reads the index of the clocks alone,
// in its order and no further than the page, among many sellers.
func RequireChangedServed(tb testing.TB, db *DB, recorder *Recorder) {
	tb.Helper()
	const sellers, wanted = 20_000, 50
	for _, statement := range []string{
		"insert into seller_clock select gen_random_uuid(), now() - n * interval '1 second' from generate_series(1, 20000) n",
		"vacuum analyze seller_clock",
	} {
		_, err := db.Pool.Exec(tb.Context(), statement)
		require.NoError(tb, err)
	}
	require.NotEmpty(tb, recorder.Sent["ChangedSellers"])
	sent := recorder.Sent["ChangedSellers"][0]
	sent.Args[0], sent.Args[2] = time.Now().Add(-sellers/2*time.Second), wanted
	var explained []struct{ Plan clockPlan }
	text := ExplainPrepared(tb, postgres.AllSellers(db.AsService(tb)), postgres.PlannerSettings(), sent.SQL, sent.Args)
	require.NoError(tb, json.Unmarshal(text, &explained))
	steps := explained[0].Plan.Plans // the first reads the setting of the policy
	require.Len(tb, steps, 2)
	scan := steps[1]
	require.Equal(tb, "Index Only Scan seller_clock_latest", scan.Type+" "+scan.Index)
	require.InDelta(tb, wanted, scan.Rows, 0)
	require.Less(tb, scan.Hit+scan.Read, 100.)
}

type clockPlan struct {
	Type  string      `json:"Node Type"`
	Index string      `json:"Index Name"`
	Rows  float64     `json:"Actual Rows"`
	Hit   float64     `json:"Shared Hit Blocks"`
	Read  float64     `json:"Shared Read Blocks"`
	Plans []clockPlan `json:"Plans"`
}
