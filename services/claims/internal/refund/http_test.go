package refund_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/refund"
)

var key = []byte(strings.Repeat("k", 32))

// payments is a payment system that responds as configured and pays once for each idempotency key.
type payments struct {
	mu    sync.Mutex
	asked int
	// paid is what was paid under each key, in money and in points.
	paid   map[string][2]int64
	answer func(asked int, w http.ResponseWriter, r *http.Request)
}

// ServeHTTP checks what every request must have, pays and responds.
func (p *payments) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	var sent struct {
		RefundID string `json:"refund_id"`
		Amount   int64  `json:"amount"`
		Points   int64  `json:"points"`
	}
	signature := "v1=" + refund.Sign(key, r.Header.Get("X-Refund-Timestamp"), body)
	if json.Unmarshal(body, &sent) != nil || r.Header.Get("X-Refund-Signature") != signature ||
		r.Header.Get("Idempotency-Key") != sent.RefundID {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	p.mu.Lock()
	p.asked++
	asked := p.asked
	p.paid[sent.RefundID] = [2]int64{sent.Amount, sent.Points}
	p.mu.Unlock()
	p.answer(asked, w, r)
}

func (p *payments) count() (asked, paid int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked, len(p.paid)
}

func say(status int, body string) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func serve(t *testing.T, timeout time.Duration, answer func(asked int, w http.ResponseWriter,
	r *http.Request),
) (*payments, refund.Provider) {
	t.Helper()
	system := &payments{paid: map[string][2]int64{}, answer: answer}
	server := httptest.NewServer(system)
	t.Cleanup(server.Close)
	return system, open(t, server.URL+"/refunds", timeout)
}

func open(t *testing.T, url string, timeout time.Duration) refund.Provider {
	t.Helper()
	keys, err := secret.NewKeys(key)
	require.NoError(t, err)
	provider, err := refund.Open(refund.Config{URL: url, Keys: keys, Timeout: timeout})
	require.NoError(t, err)
	t.Cleanup(provider.Close)
	return provider
}

func request() refund.Request {
	return refund.Request{
		ID: uuid.New(), ClaimNo: "C-1", OrderNo: "O-1", SellerID: uuid.New(), Kind: claim.MainRefund, Amount: 12000,
	}
}

// Every response that the provider may send is understood, by its status and its body.
func TestAsk_understandsEveryAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		body   string
		want   refund.Result
	}{
		{200, `{"status":"succeeded","reference":"R-1"}`, refund.Result{Trigger: claim.Succeed, Reference: "R-1"}},
		{201, `{"status":"succeeded"}`, refund.Result{Trigger: claim.Succeed}},
		{202, `{"status":"accepted","reference":"R-2","eta":"soon"}`, refund.Result{Trigger: refund.Accepted, Reference: "R-2"}},
		{200, `{"status":"needs_account"}`, refund.Result{Trigger: claim.NeedAccount}},
		{200, `{"status":"failed"}`, refund.Result{Trigger: claim.Failure}},
		{402, `{"reference":"R-3"}`, refund.Result{Trigger: claim.Failure, Reference: "R-3"}},
		{422, `no JSON at all`, refund.Result{Trigger: claim.Failure}},
		{400, ``, refund.Result{Trigger: claim.Failure}},
	} {
		system, provider := serve(t, time.Minute, say(c.status, c.body))
		result, err := provider.Refund(t.Context(), request())
		require.NoError(t, err, c.body)
		require.Equal(t, c.want, result, c.body)
		asked, _ := system.count()
		require.Equal(t, 1, asked, "a definite response is not repeated")
	}
}

// Points are sent beside the money, and are requested even without money.
func TestAsk_moneyAndPoints(t *testing.T) {
	t.Parallel()
	system, provider := serve(t, time.Minute, say(200, `{"status":"succeeded"}`))
	for _, amounts := range [][2]int64{{6000, 4000}, {0, 4000}, {6000, 0}} {
		r := request()
		r.Amount, r.Points = amounts[0], amounts[1]
		_, err := provider.Refund(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, amounts, system.paid[r.ID.String()])
	}
}

// An unreadable response must not be taken to mean that the customer has the money, or does not have it.
func TestAsk_unreadableAnswer(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(int, http.ResponseWriter, *http.Request){
		"down":        say(500, `{"status":"succeeded"}`),
		"busy":        say(429, `{"status":"failed"}`),
		"in progress": say(409, `{"status":"failed"}`),
		"not allowed": say(403, `{"status":"failed"}`),
		"elsewhere": func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/x")
			w.WriteHeader(http.StatusFound)
		},
		"unknown status":    say(200, `{"status":"Succeeded"}`),
		"no status":         say(200, `{}`),
		"not JSON":          say(200, `<html>`),
		"truncated JSON":    say(200, `{"status":"succeeded"`),
		"endless":           say(200, `{"status":"succeeded","reference":"`+strings.Repeat("a", 70<<10)+`"}`),
		"broken connection": func(int, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		system, provider := serve(t, time.Second, answer)
		r := request()
		_, err := provider.Refund(t.Context(), r)
		require.Error(t, err, name)
		asked, paid := system.count()
		require.GreaterOrEqual(t, asked, 3, "%s: silence is questioned", name)
		require.Equal(t, 1, paid, "%s: always under the same key", name)
	}
}

func TestAsk_repeatedUntilAnswered(t *testing.T) {
	t.Parallel()
	_, provider := serve(t, 500*time.Millisecond, func(asked int, w http.ResponseWriter, r *http.Request) {
		switch asked {
		case 1:
			say(503, "")(asked, w, r)
		case 2: // paid, but the response takes longer than the provider waits
			<-r.Context().Done()
		default:
			say(200, `{"status":"succeeded","reference":"R-1"}`)(asked, w, r)
		}
	})
	result, err := provider.Refund(t.Context(), request())
	require.NoError(t, err)
	require.Equal(t, refund.Result{Trigger: claim.Succeed, Reference: "R-1"}, result)
}

// A caller whose deadline has passed does not wait for a provider that hangs; an unreachable provider is an error.
func TestAsk_obeysCallerDeadline(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	_, provider := serve(t, time.Minute, func(int, http.ResponseWriter, *http.Request) { <-release })
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := provider.Refund(ctx, request())
	close(release)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Less(t, time.Since(start), 30*time.Second)

	away := httptest.NewServer(nil)
	away.Close()
	_, err = open(t, away.URL, time.Second).Refund(t.Context(), request())
	require.Error(t, err)
}

// A provider that cannot be called, because of a bad URL or missing keys, is detected at the start.
func TestOpen_unusableConfig(t *testing.T) {
	t.Parallel()
	keys, err := secret.NewKeys(key)
	require.NoError(t, err)
	for _, url := range []string{"pay.example", "ftp://pay.example", "http://"} {
		_, err := refund.Open(refund.Config{URL: url, Keys: keys})
		require.ErrorContains(t, err, "REFUND_PROVIDER_URL", url)
	}
	_, err = refund.Open(refund.Config{URL: "https://pay.example"})
	require.ErrorContains(t, err, "REFUND_PROVIDER_KEYS")
}
