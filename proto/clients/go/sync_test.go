//go:build go1.24

package sellerapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	sellerapi "sellerapi.dev/proto/clients/go"
)

type upserted struct {
	Orders []string            `json:"orders"`
	State  sellerapi.SyncState `json:"state"`
}

type syncScenario struct {
	Name   string              `json:"name"`
	State  sellerapi.SyncState `json:"state"`
	Rounds []struct {
		Answers  []scripted     `json:"answers"`
		Requests []expected     `json:"requests"`
		Upserts  []upserted     `json:"upserts"`
		Round    map[string]any `json:"round"`
		Error    string         `json:"error"`
	} `json:"rounds"`
}

type copyOf struct {
	state   sellerapi.SyncState
	upserts []upserted
	refuse  error
}

func (c *copyOf) load(context.Context) (sellerapi.SyncState, error) { return c.state, nil }

func (c *copyOf) upsert(_ context.Context, orders []sellerapi.Order, state sellerapi.SyncState) error {
	if c.refuse != nil {
		return c.refuse
	}
	one := upserted{Orders: []string{}, State: state}
	for _, order := range orders {
		one.Orders = append(one.Orders, order.OrderNo)
	}
	c.state, c.upserts = state, append(c.upserts, one)
	return nil
}

// Every round keeps the promise of its scenario.
func TestRounds(t *testing.T) {
	t.Parallel()
	for _, scenario := range load[syncScenario](t, "sync.json") {
		t.Run(scenario.Name, func(t *testing.T) {
			t.Parallel()
			mine := &copyOf{state: scenario.State}
			for _, round := range scenario.Rounds {
				s := play(t, round.Answers...)
				mine.upserts = nil
				sync := client(t, s, newClock()).SyncOrders(mine.load, mine.upsert)
				done, err := sync.Round(t.Context())
				requireRequests(t, round.Requests, s)
				require.Equal(t, round.Error, string(sellerapi.CodeOf(err)))
				require.Equal(t, err, done.Err)
				if round.Upserts != nil {
					require.Equal(t, round.Upserts, append([]upserted{}, mine.upserts...))
				}
				requireRound(t, round.Round, done)
			}
		})
	}
}

func requireRound(t *testing.T, want map[string]any, got sellerapi.Round) {
	t.Helper()
	if want == nil {
		return
	}
	since, _ := want["since"].(string)
	require.Equal(t, since, rfc3339(got.Since))
	require.Equal(t, [3]any{want["pages"], want["records"], want["resumed"]},
		[3]any{float64(got.Pages), float64(got.Records), got.Resumed})
}

func rfc3339(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format(time.RFC3339)
}

var (
	noPositions = scripted{
		Status: 422, ErrorCode: ptr("VALIDATION_ERROR"), ErrorData: json.RawMessage(`{"errors":[{"field":"query.after","code":"unknown"}]}`),
	}
	emptyPage = scripted{Data: json.RawMessage(`{"list":[],"next_cursor":null}`)}
	failing   = scripted{Status: 500}
	wrongKey  = scripted{Status: 401, ErrorCode: ptr("INVALID_API_KEY")}
)

func ptr[T any](value T) *T { return &value }

func TestRun_intervalAndTransientFailures(t *testing.T) {
	t.Parallel()
	s := play(t, noPositions, emptyPage, noPositions, failing, noPositions, emptyPage, wrongKey)
	c, mine := newClock(), &copyOf{}
	var rounds []sellerapi.Round
	sync := client(t, s, c, sellerapi.WithRetry(sellerapi.RetryPolicy{Attempts: 1})).SyncOrders(mine.load, mine.upsert)
	sync.AfterRound = func(round sellerapi.Round) { rounds = append(rounds, round) }
	err := sync.Run(t.Context())
	require.ErrorIs(t, err, sellerapi.CodeInvalidAPIKey)
	require.Equal(t, []float64{300, 300, 300}, c.waits)
	require.Len(t, rounds, 4)
	failures := make([]bool, 0, len(rounds))
	for _, round := range rounds {
		failures = append(failures, round.Err != nil)
	}
	require.Equal(t, []bool{false, true, false, true}, failures)
	require.Equal(t, rounds[1].Since, rounds[2].Since, "a round that failed is made up for")
}

// The interval between two rounds counts from the beginning of the first.
func TestRun_intervalFromBeginningOfRound(t *testing.T) {
	t.Parallel()
	slow := scripted{Status: 429, Headers: map[string]*string{"Retry-After": ptr("60")}}
	s, c, mine := play(t, slow, noPositions, emptyPage, wrongKey), newClock(), &copyOf{}
	sync := client(t, s, c).SyncOrders(mine.load, mine.upsert)
	sync.Every = 2 * time.Minute
	require.ErrorIs(t, sync.Run(t.Context()), sellerapi.CodeInvalidAPIKey)
	require.Equal(t, []float64{60.25, 120 - 60.25}, c.waits)
}

// A run ends with its context and sends nothing more.
func TestRun_endsWithContext(t *testing.T) {
	t.Parallel()
	s, c, mine := play(t, noPositions, emptyPage), newClock(), &copyOf{}
	ctx, cancel := context.WithCancel(t.Context())
	c.end, c.endsWith = 1, cancel
	require.ErrorIs(t, client(t, s, c).SyncOrders(mine.load, mine.upsert).Run(ctx), context.Canceled)
	require.Len(t, s.got(), 2)
}

// Where the server holds calls, the next round follows at once, but no two rounds begin within five seconds. A call that
// could not be held is followed by a pause as without positions. A failure changes neither, so that an outage costs seconds.
func TestRun_callsAreHeld(t *testing.T) {
	t.Parallel()
	after := func(position string, headers map[string]*string) scripted {
		return scripted{Data: json.RawMessage(`{"list":[],"next_cursor":null,"after":"` + position + `"}`), Headers: headers}
	}
	full := map[string]*string{"X-Wait": ptr("0")}
	s, c, mine := play(t, failing, after("p-1", nil), failing, after("p-2", full), failing, after("p-3", nil), wrongKey), newClock(),
		&copyOf{}
	sync := client(t, s, c, sellerapi.WithRetry(sellerapi.RetryPolicy{Attempts: 1})).SyncOrders(mine.load, mine.upsert)
	require.ErrorIs(t, sync.Run(t.Context()), sellerapi.CodeInvalidAPIKey)
	require.Equal(t, []float64{5, 5, 5, 300, 300, 5}, c.waits)
	require.Equal(t, []string{
		"after=beginning&limit=100&wait=25", "after=beginning&limit=100&wait=25", "after=p-1&limit=100&wait=25",
		"after=p-1&limit=100&wait=25", "after=p-2&limit=100&wait=25", "after=p-2&limit=100&wait=25", "after=p-3&limit=100&wait=25",
	}, queriesOf(s))
}

// A call is held no longer than its answer can be waited for.
func TestRun_timeoutLimitsWait(t *testing.T) {
	t.Parallel()
	for timeout, query := range map[time.Duration]string{
		0: "&wait=25", 45 * time.Second: "&wait=25", 30 * time.Second: "&wait=10", 20 * time.Second: "", time.Second: "",
	} {
		s, c, mine := play(t, wrongKey), newClock(), &copyOf{}
		options := sellerapi.WithHTTPClient(&http.Client{Timeout: timeout})
		require.Error(t, client(t, s, c, options).SyncOrders(mine.load, mine.upsert).Run(t.Context()))
		require.Equal(t, []string{"after=beginning&limit=100" + query}, queriesOf(s))
	}
}

func queriesOf(s *server) []string {
	queries := make([]string, 0, len(s.got()))
	for _, request := range s.got() {
		queries = append(queries, request.query)
	}
	return queries
}

func TestRun_failedWriteLosesNothing(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	s, mine := play(t, noPositions, emptyPage), &copyOf{refuse: full}
	require.ErrorIs(t, client(t, s, newClock()).SyncOrders(mine.load, mine.upsert).Run(t.Context()), full)
	require.Zero(t, mine.state)
}

// Claims and inquiries are collected in the same way as orders.
func TestRound_claimsAndInquiries(t *testing.T) {
	t.Parallel()
	s := play(t,
		scripted{Data: json.RawMessage(`{"list":[{"claim_no":"C-1"}],"next_cursor":null,"after":"p"}`)},
		noPositions, scripted{Data: json.RawMessage(`{"list":[{"qna_id":"q-1"}],"next_cursor":null}`)})
	began := time.Date(2026, 3, 14, 1, 0, 0, 0, time.UTC)
	load := func(context.Context) (sellerapi.SyncState, error) {
		return sellerapi.SyncState{CollectedAt: began}, nil
	}
	c := client(t, s, newClock())
	var got []string
	_, err := c.SyncClaims(load, func(_ context.Context, claims []sellerapi.Claim, _ sellerapi.SyncState) error {
		got = append(got, claims[0].ClaimNo)
		return nil
	}).Round(t.Context())
	require.NoError(t, err)
	inquiries := c.SyncInquiries(load, func(_ context.Context, inquiries []sellerapi.Inquiry, _ sellerapi.SyncState) error {
		got = append(got, inquiries[0].QnAID)
		return nil
	})
	inquiries.Overlap = time.Hour
	_, err = inquiries.Round(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"C-1", "q-1"}, got)
	require.Equal(t, []string{
		"after=2026-03-14T00%3A50%3A00.000000Z&limit=100", "after=2026-03-14T00%3A00%3A00.000000Z&limit=100",
		"limit=100&updated_at_gte=2026-03-14T00%3A00%3A00.000000Z",
	}, queriesOf(s))
}

// Iterators follow the cursor from page to page, also from an empty one, and end with the error that they encounter.
func TestIterators_followCursorUntilError(t *testing.T) {
	t.Parallel()
	first := scripted{Data: json.RawMessage(`{"list":[{"order_no":"A-3"},{"order_no":"A-2"}],"next_cursor":"c-1"}`)}
	empty := scripted{Data: json.RawMessage(`{"list":[],"next_cursor":"c-e"}`)}
	second := scripted{Data: json.RawMessage(`{"list":[{"order_no":"A-1"}],"next_cursor":"c-2"}`)}
	invalid := scripted{Status: 422, ErrorCode: ptr("INVALID_CURSOR")}
	s := play(t, first, empty, second, invalid, first)
	c := client(t, s, newClock())
	var numbers []string
	var last error
	for order, err := range c.Orders(t.Context(), sellerapi.OrderFilter{ItemStatus: sellerapi.ItemPaid}) {
		numbers, last = append(numbers, order.OrderNo), err
	}
	require.Equal(t, []string{"A-3", "A-2", "A-1", ""}, numbers)
	require.ErrorIs(t, last, sellerapi.CodeInvalidCursor)
	for _, err := range c.Orders(t.Context(), sellerapi.OrderFilter{}) {
		require.NoError(t, err)
		break
	}
	require.Equal(t, []string{
		"item_status=paid", "cursor=c-1&item_status=paid", "cursor=c-e&item_status=paid", "cursor=c-2&item_status=paid", "",
	}, queriesOf(s))
}

// Iterators over claims and inquiries can start at a cursor.
func TestIterators_startAtCursor(t *testing.T) {
	t.Parallel()
	s := play(t,
		scripted{Data: json.RawMessage(`{"list":[{"claim_no":"C-1"}],"next_cursor":null}`)},
		scripted{Data: json.RawMessage(`{"list":[{"qna_id":"q-1"}],"next_cursor":null}`)})
	c := client(t, s, newClock())
	var got []string
	for claim, err := range c.Claims(t.Context(), sellerapi.ClaimFilter{Cursor: "c"}) {
		require.NoError(t, err)
		got = append(got, claim.ClaimNo)
	}
	for inquiry, err := range c.Inquiries(t.Context(), sellerapi.InquiryFilter{Cursor: "q"}) {
		require.NoError(t, err)
		got = append(got, inquiry.QnAID)
	}
	require.Equal(t, []string{"C-1", "q-1"}, got)
	require.Equal(t, []string{"cursor=c", "cursor=q"}, queriesOf(s))
}

// Iterators that begin at a position go on with positions.
func TestIterators_goOnForwards(t *testing.T) {
	t.Parallel()
	s := play(t,
		scripted{Data: json.RawMessage(`{"list":[{"order_no":"A-1"}],"next_cursor":"p-1","after":"p-1"}`)},
		scripted{Data: json.RawMessage(`{"list":[{"order_no":"A-2"}],"next_cursor":null,"after":"p-2"}`)})
	var numbers []string
	for order, err := range client(t, s, newClock()).Orders(t.Context(), sellerapi.OrderFilter{After: "beginning"}) {
		require.NoError(t, err)
		numbers = append(numbers, order.OrderNo)
	}
	require.Equal(t, []string{"A-1", "A-2"}, numbers)
	require.Equal(t, []string{"after=beginning", "after=p-1"}, queriesOf(s))
}
