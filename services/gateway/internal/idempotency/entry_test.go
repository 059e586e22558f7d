package idempotency_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

// A lock that ended while a service is still working would let a second request in, which would wait for the first one in the
// database.
func TestLockFor(t *testing.T) {
	t.Parallel()
	require.Equal(t, 40*time.Second, idempotency.LockFor(30*time.Second))
	require.Equal(t, 3*time.Second, idempotency.LockFor(time.Second), "the gateway's own time is included")
	for _, op := range operation.All() {
		require.Less(t, op.Timeout+time.Second, idempotency.Config{}.WithDefaults().Lock, op.Name)
	}
}

// However large the answer is, Redis stores only that there is one: as long as it is replayed, and for one more hour, in which a call
// to another service still gets the right error.
func TestEnding_storedInRedis(t *testing.T) {
	t.Parallel()
	config := idempotency.Config{}.WithDefaults()
	small, large := inbox.Answer{Status: 404, Body: []byte("{}")}, inbox.Answer{Status: 200, Body: make([]byte, 1<<20)}
	stored, replay := inbox.Outcome{Stored: true, Left: time.Hour}, inbox.Outcome{Stored: true, Replayed: true, Left: time.Minute}
	for name, test := range map[string]struct {
		ending idempotency.Ending
		phase  string
		life   time.Duration
	}{
		"small response":                 {idempotency.Ending{Outcome: stored, Answer: small}, "R", time.Hour + config.GoneKept},
		"replay, for the remaining time": {idempotency.Ending{Outcome: replay, Answer: small}, "R", time.Minute + config.GoneKept},
		"large response":                 {idempotency.Ending{Outcome: stored, Answer: large}, "R", time.Hour + config.GoneKept},
		"response past its retention":    {idempotency.Ending{Outcome: inbox.Outcome{Stored: true}, Answer: small}, "F", 0},
		"response that is not stored":    {idempotency.Ending{Answer: large}, "F", 0},
		"expired response":               {idempotency.Ending{Outcome: inbox.Outcome{Gone: true}, Answer: small}, "G", config.GoneKept},
		"no response":                    {idempotency.Ending{}, "F", 0},
		"5xx marked as stored":           {idempotency.Ending{Outcome: stored, Answer: inbox.Answer{Status: 500}}, "F", 0},
		"5xx marked as replayed":         {idempotency.Ending{Outcome: replay, Answer: inbox.Answer{Status: 503}}, "F", 0},
		"5xx marked as expired":          {idempotency.Ending{Outcome: inbox.Outcome{Gone: true}, Answer: inbox.Answer{Status: 500}}, "F", 0},
	} {
		phase, life := test.ending.Entry(config)
		require.Equal(t, test.phase, phase, name)
		require.Equal(t, test.life, life, name)
		require.Equal(t, phase == "G", test.ending.Expired(), name)
	}
}

// A repetition that its service answers holds no lock, and must not end that of another request.
func TestOutcome_endsTheEntryItMet(t *testing.T) {
	t.Parallel()
	require.Equal(t, "B", idempotency.New.Met())
	require.Equal(t, "R", idempotency.Answered.Met())
}

func TestReadBegun_foreignValue(t *testing.T) {
	t.Parallel()
	_, err := idempotency.ReadBegun(string(idempotency.Busy), "soon")
	require.Error(t, err)
	begun, err := idempotency.ReadBegun(string(idempotency.Busy), "1500")
	require.NoError(t, err)
	require.Equal(t, 1500*time.Millisecond, begun.LockLeft)
}
