package rest_test

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// The database fails over in the middle of a call: the client is asked to retry, no failure is ever replayed, and the retries
// of the key have one effect and one response.
func TestCutDatabase(t *testing.T) {
	t.Parallel()
	for _, kind := range []struct {
		name       string
		steps      bool
		statements []string
	}{
		{"one transaction", false, []string{"begin", "InboxTake", "AddEffect", "InboxStore", "commit"}},
		{"steps", true, []string{"InboxBegin", "AddEffect", "begin", "InboxTake", "InboxStore", "commit"}},
	} {
		for _, statement := range kind.statements {
			t.Run(kind.name+" "+statement, func(t *testing.T) {
				t.Parallel()
				b, o, cutter := ownedCut(t, kind.steps, nil)
				_, text := b.key(t)
				effectIn(t, b.post(t, text, "warm", prepare("warm"), "{}"))
				for i, way := range pgtest.Ways() {
					key := uuid.NewString()
					cutter.Cut(statement, way)
					failed := b.post(t, text, key, prepare(string(way)), "{}")
					require.Zero(t, cutter.Pending(), way)
					refused(t, failed, http.StatusServiceUnavailable, "")
					require.Equal(t, "1", failed.header.Get("Retry-After"))
					require.Empty(t, failed.header.Get(inbox.ReplayedHeader))

					first := b.post(t, text, key, prepare(string(way)), "{}")
					last := statement == "InboxStore" || statement == "commit" // both are sent together
					committed := last && way == pgtest.Unanswered
					require.Equal(t, committed, first.header.Get(inbox.ReplayedHeader) == "true", way)
					effect := effectIn(t, first)
					arrived := len(o.Arrived())
					again := b.post(t, text, key, prepare(string(way)), "{}")
					require.Equal(t, string(first.body), string(again.body))
					require.Equal(t, effect, effectIn(t, again))
					require.Len(t, o.Arrived(), arrived+1, "the service responds")
					require.Equal(t, i+2, o.effects(t), way)
				}
			})
		}
	}
}

// A service's error about itself is not stored as a first response.
func TestFaultsAreNotKept(t *testing.T) {
	t.Parallel()
	for _, outcome := range []string{"stored 86400", "replayed 86400", "expired"} {
		for _, status := range []int{http.StatusInternalServerError, http.StatusServiceUnavailable, 599} {
			var calls atomic.Int64
			b := before(t, func(w http.ResponseWriter, _ *http.Request) {
				calls.Add(1)
				w.Header().Set("Content-Type", "application/json; charset=utf-8")
				w.Header().Set(inbox.Header, outcome)
				w.Header().Set(inbox.ReplayedHeader, "true")
				w.WriteHeader(status)
				_, _ = w.Write([]byte(`{"meta":{},"data":null}`))
			})
			_, text := b.key(t)
			for range 3 {
				got := b.post(t, text, "key", prepare("x"), "{}")
				require.Equal(t, status, got.status)
				require.Empty(t, got.header.Get(inbox.ReplayedHeader))
			}
			require.Equal(t, int64(3), calls.Load(), "%s %d: the service is asked every time", outcome, status)
		}
	}
}
