package rest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

// listed is a service of which a list has nothing until its clock moves.
type listed struct {
	clock atomic.Int64
	calls atomic.Int64
	away  atomic.Bool
}

func (l *listed) clocks(_ context.Context, sellers [][]byte) ([]int64, error) {
	micros := make([]int64, len(sellers))
	for n := range micros {
		micros[n] = l.clock.Load()
	}
	return micros, nil
}

func (l *listed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.calls.Add(1)
	if l.away.Load() {
		panic(http.ErrAbortHandler)
	}
	if r.URL.Query().Has("rows") { // another read, of so many rows
		rows(w, r)
		return
	}
	clock, found := l.clock.Load(), 0
	if clock > 1 {
		found = 3
	} else {
		w.Header().Set(principal.ClockHeader, strconv.FormatInt(clock, 10))
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set(principal.RowsHeader, strconv.Itoa(found))
	_, _ = w.Write([]byte(`{"meta":{},"data":{"rows":` + strconv.Itoa(found) + `}}`))
}

// readTimeout is the time for reading a request; a call that waits is held for longer.
const readTimeout = time.Second

// waiter is a gateway with a number of places for held calls, and a service.
func waiter(t *testing.T, places int) (*fixture, *listed) {
	t.Helper()
	return waiterWithin(t, published, places)
}

func waiterWithin(t *testing.T, limits ratelimit.Config, places int) (*fixture, *listed) {
	t.Helper()
	service := &listed{}
	service.clock.Store(1)
	return begin(t, setting{limits: limits, clocks: service.clocks, places: places, readTimeout: readTimeout}, service), service
}

type sent struct {
	answer
	err error
}

const waitingPath = "/open/v1/orders?after=beginning&limit=10&wait="

// wait sends a call that waits, and returns once it is held.
func (b *fixture) wait(ctx context.Context, t *testing.T, text, seconds string) <-chan sent {
	t.Helper()
	before, answered := b.waitingCalls(), make(chan sent, 1)
	go func() {
		got, err := b.try(ctx, reading(text, waitingPath+seconds))
		answered <- sent{got, err}
	}()
	require.Eventually(t, func() bool { return b.waitingCalls() > before }, waitFor, tick)
	return answered
}

func (b *fixture) waitingCalls() float64 {
	return testutil.ToFloat64(b.tel.Gauge(telemetry.HeldCalls).WithLabelValues())
}

// requireEmpty requires the page without records that a call gets whose list has nothing new.
func requireEmpty(t *testing.T, got sent) {
	t.Helper()
	require.NoError(t, got.err)
	require.Equal(t, http.StatusOK, got.status)
	require.JSONEq(t, `{"meta":{},"data":{"rows":0}}`, string(got.body))
}

// A call that was held counts as one call, and as the rows that it returned. Its limits are those after the answer.
func TestWait_chargedOnce(t *testing.T) {
	t.Parallel()
	b, service := waiter(t, 1)
	_, text := b.key(t)
	answered := b.wait(t.Context(), t, text, "25")
	b.admitter.Drain() // what is settled in the background
	require.Equal(t, left{"60", "58", "3000", "3000"}, leftIn(b.send(t, reading(text, "/open/v1/claims?limit=1"))))
	service.clock.Store(2)
	got := <-answered
	require.NoError(t, got.err)
	require.JSONEq(t, `{"meta":{},"data":{"rows":3}}`, string(got.body))
	require.Equal(t, left{"60", "58", "3000", "2997"}, leftIn(got.answer), "as they are after the answer")
	require.Empty(t, got.header.Get(principal.ClockHeader), "clocks are for the gateway")
	b.admitter.Drain()
	require.Equal(t, left{"60", "57", "3000", "2994"}, leftIn(b.send(t, reading(text, "/open/v1/claims?limit=3"))))
}

// A call whose rows were used up by others while it was held is refused when there is something to return: the budget has no way
// around it. A call that returns rows has reserved them, and its limits are those after the answer.
func TestWait_rowBudget(t *testing.T) {
	t.Parallel()
	limits := published
	limits.Rows = 8
	b, service := waiterWithin(t, limits, 1)
	_, text := b.key(t)
	answered := b.wait(t.Context(), t, text, "25")
	b.send(t, reading(text, "/open/v1/orders?rows=5"))
	service.clock.Store(2)
	require.Equal(t, left{"60", "58", "8", "0"}, leftIn((<-answered).answer), "3 rows were left, and were returned")

	_, text = b.key(t)
	service.clock.Store(1)
	answered = b.wait(t.Context(), t, text, "25")
	b.send(t, reading(text, "/open/v1/orders?rows=8"))
	service.clock.Store(2)
	got := (<-answered).answer
	refused(t, got, http.StatusTooManyRequests, "RATE_LIMITED")
	require.NotEmpty(t, got.header.Get("Retry-After"))
	require.EqualValues(t, 5, service.calls.Load(), "the list was not read again")
}

// A call is held for its whole time, although it takes longer than a request may take to be read.
func TestWait_longerThanReadTimeout(t *testing.T) {
	t.Parallel()
	b, _ := waiter(t, 1)
	_, text := b.key(t)
	began := time.Now()
	requireEmpty(t, <-b.wait(t.Context(), t, text, "2"))
	require.GreaterOrEqual(t, time.Since(began), 2*readTimeout)
}

// Where no place is left a call does not wait, and the answer says so.
func TestWait_noPlaceLeft(t *testing.T) {
	t.Parallel()
	b, _ := waiter(t, 1)
	_, first := b.key(t)
	_, second := b.key(t)
	answered := b.wait(t.Context(), t, first, "25")
	got := b.send(t, reading(second, waitingPath+"25"))
	requireEmpty(t, sent{answer: got})
	require.Equal(t, "0", got.header.Get("X-Wait"))
	b.waiting.Drain()
	requireEmpty(t, <-answered)
}

// An instance that drains answers the calls that it holds at once, with their positions.
func TestWait_drained(t *testing.T) {
	t.Parallel()
	b, _ := waiter(t, 1)
	_, text := b.key(t)
	answered := b.wait(t.Context(), t, text, "25")
	b.waiting.Drain()
	got := <-answered
	requireEmpty(t, got)
	require.Empty(t, got.header.Get("X-Wait"), "the next call waits at another instance")
}

// A second call of a key for a list ends the first with its position.
func TestWait_secondCallOfKey(t *testing.T) {
	t.Parallel()
	b, service := waiter(t, 1)
	_, text := b.key(t)
	first := b.wait(t.Context(), t, text, "25")
	second := make(chan sent, 1)
	go func() {
		got, err := b.try(t.Context(), reading(text, waitingPath+"25"))
		second <- sent{got, err}
	}()
	requireEmpty(t, <-first)
	service.clock.Store(2)
	require.Equal(t, http.StatusOK, (<-second).status)
}

// A client that hangs up frees its place.
func TestWait_clientHangsUp(t *testing.T) {
	t.Parallel()
	b, _ := waiter(t, 1)
	_, text := b.key(t)
	ctx, hangUp := context.WithCancel(t.Context())
	answered := b.wait(ctx, t, text, "25")
	hangUp()
	require.Error(t, (<-answered).err)
	require.Eventually(t, func() bool { return b.waitingCalls() == 0 }, waitFor, tick)
}

// A key that is revoked while its call is held reads nothing any more.
func TestWait_keyRevoked(t *testing.T) {
	t.Parallel()
	b, service := waiter(t, 1)
	key, text := b.key(t)
	answered := b.wait(t.Context(), t, text, "25")
	_, err := b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: b.seller, KeyID: key.ID, Author: kim})
	require.NoError(t, err)
	service.clock.Store(2)
	got := <-answered
	require.NoError(t, got.err)
	refused(t, got.answer, http.StatusUnauthorized, "INVALID_API_KEY")
	require.EqualValues(t, 1, service.calls.Load())
}

// A service that is away when the held call is forwarded again is the usual failure, and the position stays with the client.
func TestWait_serviceAway(t *testing.T) {
	t.Parallel()
	b, service := waiter(t, 1)
	_, text := b.key(t)
	answered := b.wait(t.Context(), t, text, "25")
	service.away.Store(true)
	service.clock.Store(2)
	got := <-answered
	require.NoError(t, got.err)
	require.GreaterOrEqual(t, got.status, http.StatusInternalServerError)
}

// The time for which a call is held is not part of its duration.
func TestWait_notInDuration(t *testing.T) {
	t.Parallel()
	b, _ := waiter(t, 1)
	_, text := b.key(t)
	requireEmpty(t, <-b.wait(t.Context(), t, text, "2"))
	logged := struct {
		Held  float64 `json:"held_ms"`
		Other float64 `json:"duration_ms"`
	}{}
	line := regexp.MustCompile(`(?m)^.*"msg":"request".*$`)
	require.Eventually(t, func() bool { return line.MatchString(b.log.String()) }, waitFor, tick)
	require.NoError(t, json.Unmarshal([]byte(line.FindString(b.log.String())), &logged))
	require.Greater(t, logged.Held, 1000.0, "the rest of the two seconds is the call to the service")
	require.Less(t, logged.Other, 1900.0)
}
