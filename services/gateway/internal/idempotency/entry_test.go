package idempotency_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

// The key of a gateway that died is free within five seconds, and a lease outlasts the loss of two renewals in a row.
func TestLease_lifeAndRenewals(t *testing.T) {
	t.Parallel()
	config := idempotency.Config{}.WithDefaults()
	require.Equal(t, 4*time.Second, config.Lease)
	require.Equal(t, time.Second, config.RenewEvery())
}

// A client that waits as it is told spends few calls on a slow request, and few on one whose gateway has died: the call after
// the first second waits for the whole lease. It never waits for so long that it gets its answer late.
func TestRetryAfter_growsWithAge(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ age, left, want time.Duration }{
		{0, 4 * time.Second, time.Second},
		{999 * time.Millisecond, time.Millisecond, time.Second},
		{time.Second, 3100 * time.Millisecond, 3100 * time.Millisecond},
		{1500 * time.Millisecond, time.Millisecond, 1500 * time.Millisecond},
		{5 * time.Second, 4 * time.Second, 5 * time.Second},
		{30 * time.Second, 4 * time.Second, 6 * time.Second},
		{30 * time.Second, time.Hour, 6 * time.Second},
	} {
		require.Equal(t, test.want, idempotency.Begun{Age: test.age, LeaseLeft: test.left}.RetryAfter(), test)
	}
	spent := 0
	for age := time.Duration(0); age < 30*time.Second; spent++ {
		age += idempotency.Begun{Age: age, LeaseLeft: 4 * time.Second}.RetryAfter()
	}
	require.Equal(t, 7, spent, "calls during a request of 30 seconds")
}

// However large the answer is, Redis stores only that there is one: as long as it is replayed, and for one more hour, in which
// a call to another service still gets the right error.
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
		"small response":                 {idempotency.Ending{Outcome: stored, Answer: small}, "R", time.Hour + config.ExpiredKept},
		"replay, for the remaining time": {idempotency.Ending{Outcome: replay, Answer: small}, "R", time.Minute + config.ExpiredKept},
		"large response":                 {idempotency.Ending{Outcome: stored, Answer: large}, "R", time.Hour + config.ExpiredKept},
		"response past its retention":    {idempotency.Ending{Outcome: inbox.Outcome{Stored: true}, Answer: small}, "F", 0},
		"response that is not stored":    {idempotency.Ending{Answer: large}, "F", 0},
		"expired response": {
			idempotency.Ending{Outcome: inbox.Outcome{Expired: true}, Answer: small},
			"E", config.ExpiredKept,
		},
		"no response":            {idempotency.Ending{}, "F", 0},
		"5xx marked as stored":   {idempotency.Ending{Outcome: stored, Answer: inbox.Answer{Status: 500}}, "F", 0},
		"5xx marked as replayed": {idempotency.Ending{Outcome: replay, Answer: inbox.Answer{Status: 503}}, "F", 0},
		"5xx marked as expired": {idempotency.Ending{
			Outcome: inbox.Outcome{Expired: true},
			Answer:  inbox.Answer{Status: 500},
		}, "F", 0},
	} {
		phase, life := test.ending.Entry(config)
		require.Equal(t, test.phase, phase, name)
		require.Equal(t, test.life, life, name)
		require.Equal(t, phase == "E", test.ending.Expired(), name)
	}
}

// A repetition that its service answers holds no lease, and must not end that of another request.
func TestOutcome_endsTheEntryItMet(t *testing.T) {
	t.Parallel()
	require.Equal(t, "B", idempotency.New.Met())
	require.Equal(t, "R", idempotency.Answered.Met())
}
