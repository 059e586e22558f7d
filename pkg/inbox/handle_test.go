package inbox_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/web"
)

type order struct {
	fail   error
	effect string
}

type answered struct {
	status     int
	body       string
	outcome    inbox.Outcome
	replayed   string
	retryAfter string
}

type service struct {
	fixture
	server *httptest.Server
	next   order
	parse  error
}

func open(t *testing.T, config inbox.Config, steps bool) *service {
	t.Helper()
	d := &service{fixture: setup(t, config)}
	d.serve(t, steps, d.run)
	return d
}

func (d *service) serve(t *testing.T, steps bool, run func(context.Context, inbox.Tx, order) (any, error)) {
	t.Helper()
	engine := web.NewEngine(web.Options{Service: "service", Telemetry: telemetrytest.Discard(t)})
	key := newKey()
	engine.Use(func(c *gin.Context) {
		c.Request = c.Request.WithContext(principal.NewContext(c.Request.Context(), principal.Principal{SellerID: key.Seller}))
	})
	parse := func(*gin.Context) (order, error) { return d.next, d.parse }
	handler := inbox.Handle(d.box, parse, run)
	if steps {
		handler = inbox.HandleSteps(d.box, parse, func(ctx context.Context, o order) (any, error) { return run(ctx, inbox.Tx{}, o) })
	}
	engine.POST("/do", handler)
	d.server = httptest.NewServer(engine)
	t.Cleanup(d.server.Close)
}

func (d *service) run(ctx context.Context, passed inbox.Tx, o order) (any, error) {
	exec := d.Pool.Exec
	if tx := postgres.Statements(passed); tx != nil {
		exec = tx.Exec
	}
	if _, err := exec(ctx, "insert into effects (what) values ($1)", o.effect); err != nil {
		return nil, err
	}
	if errors.Is(o.fail, http.ErrAbortHandler) {
		panic(o.fail) // cuts the connection, like a process that dies
	}
	return map[string]string{"did": o.effect}, o.fail
}

func (d *service) post(t *testing.T, header string) answered {
	t.Helper()
	got, err := d.try(t, header)
	require.NoError(t, err)
	return got
}

// try is post for a request that may get no response.
func (d *service) try(t *testing.T, header string) (answered, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.server.URL+"/do", nil)
	require.NoError(t, err)
	request.Header.Set(inbox.Header, header)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answered{}, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	got := response.Header
	return answered{
		response.StatusCode, string(bytes.TrimSpace(body)),
		inbox.ParseOutcome(got.Get(inbox.Header)), got.Get(inbox.ReplayedHeader), got.Get("Retry-After"),
	}, nil
}

func headerOf(key inbox.Key) string { return inbox.FormatHeader(key.Digest, key.Fingerprint) }

// Successes and stored refusals are replayed byte for byte, in one step or in several.
func TestHandle_replaysByteForByte(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steps bool
		next  order
	}{
		"success":          {next: order{effect: "a"}},
		"refusal":          {next: order{fail: apierr.OrderNotFound}},
		"success in steps": {steps: true, next: order{effect: "a"}},
		"refusal in steps": {steps: true, next: order{fail: apierr.OrderNotFound}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, header := open(t, inbox.Config{}, test.steps), headerOf(newKey())
			d.next = test.next
			first := d.post(t, header)
			require.Equal(t, inbox.Outcome{Stored: true, Left: 24 * time.Hour}, first.outcome)
			require.Empty(t, first.replayed)
			d.next, d.parse = order{effect: "other"}, apierr.Invalid()
			again := d.post(t, header)
			require.Equal(t, first.status, again.status)
			require.Equal(t, first.body, again.body)
			require.Equal(t, "true", again.replayed)
			require.InDelta(t, (24 * time.Hour).Seconds(), again.outcome.Left.Seconds(), 60)
			require.Equal(t, test.steps || test.next.fail == nil, d.count(t, "effects") == 1, "a refusal rolls back")
		})
	}
}

func TestHandle_usedKeyBeforeInvalidInput(t *testing.T) {
	t.Parallel()
	for _, steps := range []bool{false, true} {
		d, key := open(t, inbox.Config{}, steps), newKey()
		require.Equal(t, 200, d.post(t, headerOf(key)).status)
		key.Fingerprint[0]++
		d.parse = apierr.Invalid(apierr.FieldError{Field: "memo"})
		require.Contains(t, d.post(t, headerOf(key)).body, "IDEMPOTENCY_KEY_REUSED")
	}
}

// The first step may have had its effect when the process dies, and there is no stored response to compare with.
func TestHandleSteps_interruptedKeepsContent(t *testing.T) {
	t.Parallel()
	d, key := open(t, inbox.Config{}, true), newKey()
	d.next = order{effect: "a", fail: http.ErrAbortHandler}
	_, err := d.try(t, headerOf(key))
	require.Error(t, err, "the connection is cut after the effect")
	other := key
	other.Fingerprint[0]++
	d.next = order{effect: "other"}
	require.Contains(t, d.post(t, headerOf(other)).body, "IDEMPOTENCY_KEY_REUSED")
	d.next = order{effect: "a"}
	first := d.post(t, headerOf(key))
	require.Equal(t, inbox.Outcome{Stored: true, Left: 24 * time.Hour}, first.outcome)
	require.Equal(t, "true", d.post(t, headerOf(key)).replayed)
	require.Contains(t, d.post(t, headerOf(other)).body, "IDEMPOTENCY_KEY_REUSED")
	require.Equal(t, 2, d.count(t, "effects"), "both effects have the same content")
}

// Invalid input and what is not decided have no effect, are not stored, and leave the key free for other content.
func TestHandle_undecidedFreesKey(t *testing.T) {
	t.Parallel()
	for _, steps := range []bool{false, true} {
		d, key := open(t, inbox.Config{}, steps), newKey()
		d.parse = apierr.Invalid(apierr.FieldError{Field: "memo"})
		require.Equal(t, 422, d.post(t, headerOf(key)).status)
		d.parse = nil
		for _, undecided := range []error{apierr.IdempotencyUnresolved, apierr.Unavailable} {
			d.next.fail = undecided
			require.Equal(t, inbox.Outcome{}, d.post(t, headerOf(key)).outcome)
			require.Zero(t, d.count(t, "inbox"))
			key.Fingerprint[0]++
		}
		require.True(t, steps || d.count(t, "effects") == 0)
		d.next = order{effect: "a"}
		require.Equal(t, 200, d.post(t, headerOf(key)).status)
	}
}

// A repetition after the retention gets the error that the response is gone.
func TestHandle_expiredAnswerIsGone(t *testing.T) {
	t.Parallel()
	for _, steps := range []bool{false, true} {
		d, header := open(t, inbox.Config{Retention: time.Microsecond}, steps), headerOf(newKey())
		require.Equal(t, 200, d.post(t, header).status)
		gone := d.post(t, header)
		require.Equal(t, 410, gone.status)
		require.True(t, gone.outcome.Expired)
	}
}

// A request that did not pass the gateway is refused and has no effect.
func TestHandle_bypassedGateway(t *testing.T) {
	t.Parallel()
	d := open(t, inbox.Config{}, false)
	require.Equal(t, 500, d.post(t, "").status)
	require.Zero(t, d.count(t, "effects"))
}

// A request whose body the gateway did not sign gets no stored response of the key in its header.
func TestHandle_bodyOfAnother(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string]bool{"one transaction": false, "steps": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, key := open(t, inbox.Config{}, steps), headerOf(newKey())
			require.Equal(t, http.StatusOK, d.post(t, key).status)
			d.parse = apierr.Unauthenticated.Because(principal.ErrBody)
			refused := d.post(t, key)
			require.Equal(t, http.StatusUnauthorized, refused.status)
			require.Empty(t, refused.replayed)
			d.parse = nil
			require.Equal(t, "true", d.post(t, key).replayed)
		})
	}
}
