package inbox_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// cuts are the statements of a call at which its connection is cut.
var cuts = map[string]struct {
	steps      bool
	fail       error
	statements []string
}{
	"one transaction":     {statements: []string{"begin", "InboxTake", "AddEffect", "InboxStore", "commit"}},
	"refused transaction": {fail: apierr.OrderNotFound, statements: []string{"AddEffect", "rollback", "InboxStore", "commit"}},
	"several steps": {steps: true, statements: []string{
		"InboxBegin", "AddEffect", "begin", "InboxTake",
		"InboxStore", "commit",
	}},
	"several steps, refused": {
		steps: true, fail: apierr.OrderNotFound,
		statements: []string{"InboxBegin", "InboxTake", "InboxStore", "commit"},
	},
}

// A failover of the database during a call leaves its outcome unknown to the client: the call fails, the failure is not stored,
// and a retry with the same key gets the outcome that the database recorded.
func TestCutCalls(t *testing.T) {
	t.Parallel()
	for name, test := range cuts {
		for _, statement := range test.statements {
			t.Run(name+"/"+statement, func(t *testing.T) {
				t.Parallel()
				d, cutter := openCut(t, test.steps)
				d.next = order{effect: "warm", fail: test.fail}
				status := d.post(t, headerOf(newKey())).status // statements are prepared now
				for _, way := range pgtest.Ways() {
					d.next.effect = string(way)
					requireHealed(t, d, cutter, statement, way, status)
				}
			})
		}
	}
}

// requireHealed requires that a call whose connection is cut decides nothing, and that a retry with its key gets the status.
func requireHealed(t *testing.T, d *service, cutter *pgtest.Cutter, statement string, way pgtest.Way, status int) {
	t.Helper()
	before, key := d.count(t, "effects"), headerOf(newKey())
	cutter.Cut(statement, way)
	failed := d.post(t, key)
	require.Zero(t, cutter.Pending(), "the statement was reached")
	if statement == "rollback" { // a transaction whose rollback fails is rolled back all the same
		requireKept(t, d, key, status, failed)
		return
	}
	require.Equal(t, http.StatusServiceUnavailable, failed.status, failed.body)
	require.Equal(t, "1", failed.retryAfter)
	require.Equal(t, inbox.Outcome{}, failed.outcome, "nothing is known of the key, %s", way)
	require.Empty(t, failed.replayed)

	first := d.post(t, key)
	last := statement == "InboxStore" || statement == "commit" // both are sent together
	committed := last && way == pgtest.Unanswered
	require.Equal(t, committed, first.replayed == "true", way)
	requireKept(t, d, key, status, first)
	if d.next.fail == nil {
		require.Equal(t, before+1, d.count(t, "effects"), way)
	}
}

// requireKept requires that the first response has the status, and that a repetition gets the same response.
func requireKept(t *testing.T, d *service, key string, status int, first answered) {
	t.Helper()
	require.Equal(t, status, first.status, first.body)
	require.True(t, first.outcome.Stored)
	again := d.post(t, key)
	require.Equal(t, "true", again.replayed)
	require.Equal(t, first.status, again.status)
	require.Equal(t, first.body, again.body)
}

// openCut opens the service with connections that can be cut. A step whose effect exists already does nothing.
func openCut(t *testing.T, steps bool) (*service, *pgtest.Cutter) {
	t.Helper()
	d := &service{fixture: setup(t, inbox.Config{})}
	pool, cutter := d.OpenCut(t)
	d.box = inbox.New(pool, inbox.Config{})
	d.serve(t, steps, func(ctx context.Context, passed inbox.Tx, o order) (any, error) {
		exec := pool.Exec
		if tx := postgres.Statements(passed); tx != nil {
			exec = tx.Exec
		}
		_, err := exec(ctx, "-- name: AddEffect\ninsert into effects (what) select $1 where $1 not in (select what from effects)",
			o.effect)
		if err != nil {
			return nil, fmt.Errorf("add effect: %w", postgres.Classify(err))
		}
		return map[string]string{"did": o.effect}, o.fail
	})
	return d, cutter
}
