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
	require.Equal(t, 3*time.Second, idempotency.LockFor(time.Second), "what the gateway itself takes belongs to it")
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
		"an answer":                       {idempotency.Ending{Outcome: stored, Answer: small}, "R", time.Hour + config.GoneKept},
		"a replay, for what is left":      {idempotency.Ending{Outcome: replay, Answer: small}, "R", time.Minute + config.GoneKept},
		"a large answer":                  {idempotency.Ending{Outcome: stored, Answer: large}, "R", time.Hour + config.GoneKept},
		"one whose time is up":            {idempotency.Ending{Outcome: inbox.Outcome{Stored: true}, Answer: small}, "F", 0},
		"one that is not stored":          {idempotency.Ending{Answer: large}, "F", 0},
		"an expired one":                  {idempotency.Ending{Outcome: inbox.Outcome{Gone: true}, Answer: small}, "G", config.GoneKept},
		"nothing, for there is no answer": {idempotency.Ending{}, "F", 0},
		"a fault that is said stored":     {idempotency.Ending{Outcome: stored, Answer: inbox.Answer{Status: 500}}, "F", 0},
		"a fault that is said replayed":   {idempotency.Ending{Outcome: replay, Answer: inbox.Answer{Status: 503}}, "F", 0},
		"a fault that is said expired":    {idempotency.Ending{Outcome: inbox.Outcome{Gone: true}, Answer: inbox.Answer{Status: 500}}, "F", 0},
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
