//go:build go1.24

package sellerapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	sellerapi "sellerapi.dev/proto/clients/go"
)

func TestNew_invalidAddressOrKey(t *testing.T) {
	t.Parallel()
	for _, base := range []string{
		"", "open-api.example.com", "ftp://open-api.example.com", "https://", "https://a/?b=c",
		"https://a/#b", "http://%zz",
	} {
		_, err := sellerapi.New(base, "vpk_test_secret")
		require.Error(t, err, base)
	}
	_, err := sellerapi.New("https://user:hidden@open-api.example.com?x", "vpk_test_secret")
	require.NotContains(t, err.Error(), "hidden")
	for _, key := range []string{" ", "vpk_test_\nsecret", "vpk_\xb0\xa1"} {
		_, err = sellerapi.New("https://open-api.example.com", key)
		require.Error(t, err)
	}
	_, err = sellerapi.New("https://open-api.example.com/", "vpk_test_secret\n")
	require.NoError(t, err)
}

// A language in which the server has no messages is refused instead of ignored.
func TestNew_languageWithoutMessages(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"kr", "ko-KR", "KO"} {
		_, err := sellerapi.New("https://open-api.example.com", "vpk_test_secret", sellerapi.WithLanguage(language))
		require.EqualError(t, err, `language "`+language+`": the languages are en, ko`)
	}
	for _, language := range []string{"", "en", "ko"} {
		_, err := sellerapi.New("https://open-api.example.com", "vpk_test_secret", sellerapi.WithLanguage(language))
		require.NoError(t, err)
	}
}

// Printing a client does not show its API key.
func TestClient_printedWithoutKey(t *testing.T) {
	t.Parallel()
	c, err := sellerapi.New("https://open-api.example.com", "vpk_test_secret")
	require.NoError(t, err)
	require.NotContains(t, fmt.Sprintf("%v %+v %#v", c, *c, c), "secret")
}

// HTTP clients and proxies normalize such paths, so that the request would reach another resource.
func TestClient_pathChangingIdentifiers(t *testing.T) {
	t.Parallel()
	s := play(t)
	c := client(t, s, newClock())
	for _, id := range []string{"", ".", ".."} {
		_, err := c.GetOrder(t.Context(), id)
		require.ErrorContains(t, err, "order_no")
		_, err = c.AnswerInquiry(t.Context(), id, sellerapi.AnswerRequest{Content: "네"})
		require.ErrorContains(t, err, "qna_id")
	}
	require.Empty(t, s.got())
}

// Such a request can never be sent, so it is not retried.
func TestCallOptions_controlCharacters(t *testing.T) {
	t.Parallel()
	s, c := play(t), newClock()
	for _, option := range []sellerapi.CallOption{sellerapi.Key("a\nb"), sellerapi.RequestID("a\rb")} {
		_, err := client(t, s, c).ApproveClaim(t.Context(), "C-1", option)
		require.ErrorContains(t, err, "control characters")
	}
	require.Empty(t, s.got())
	require.Empty(t, c.waits)
}

// Every call gets a new random UUID as its idempotency key.
func TestIdempotencyKey_newUUIDPerCall(t *testing.T) {
	t.Parallel()
	s := play(t, scripted{}, scripted{})
	c, err := sellerapi.New(s.URL, "vpk_test_secret")
	require.NoError(t, err)
	for range 2 {
		_, err = c.ApproveClaim(t.Context(), "C-1")
		require.NoError(t, err)
	}
	keys := [2]string{s.got()[0].header.Get("Idempotency-Key"), s.got()[1].header.Get("Idempotency-Key")}
	for _, key := range keys {
		require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, key)
	}
	require.NotEqual(t, keys[0], keys[1])
}

// Requests name the calling program and its language, and reads carry no idempotency key.
func TestRequest_namesCallerAndLanguage(t *testing.T) {
	t.Parallel()
	s := play(t, scripted{}, scripted{})
	c := client(t, s, newClock(), sellerapi.WithLanguage("ko"), sellerapi.WithUserAgent("erp/7"))
	_, err := c.GetClaim(t.Context(), "C-1", sellerapi.RequestID("mine-1"), sellerapi.Key("reads have none"))
	require.NoError(t, err)
	_, err = client(t, s, newClock()).GetClaim(t.Context(), "C-1")
	require.NoError(t, err)
	first, second := s.got()[0].header, s.got()[1].header
	require.Equal(t, [3]string{"ko", "erp/7", "mine-1"},
		[3]string{first.Get("Accept-Language"), first.Get("User-Agent"), first.Get("X-Request-Id")})
	require.NotContains(t, first, "Idempotency-Key")
	require.Equal(t, "sellerapi-go/1.0.0", second.Get("User-Agent"))
	require.NotContains(t, second, "Accept-Language")
	require.NotContains(t, second, "X-Request-Id")
}

// Cancelling the context ends a call in the pause between two attempts, and the error includes the last
// response.
func TestContext_endsCallInPause(t *testing.T) {
	t.Parallel()
	s, c := play(t, failing, failing), newClock()
	ctx, cancel := context.WithCancel(t.Context())
	c.end, c.endsWith = 1, cancel
	_, err := client(t, s, c).ApproveClaim(ctx, "C-1")
	require.ErrorIs(t, err, context.Canceled)
	var refused *sellerapi.Error
	require.ErrorAs(t, err, &refused, "the last answer is told as well")
	require.Equal(t, "key-1", refused.IdempotencyKey)
	require.Len(t, s.got(), 1)
}

// Cancelling the context ends a call in progress, and the error contains the key that it was sent with.
func TestContext_endsCallOnItsWay(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	released := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { cancel(); <-released }))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(released) })
	c, err := sellerapi.New(s.URL, "vpk_test_secret")
	require.NoError(t, err)
	var info sellerapi.ResponseInfo
	_, err = c.ApproveClaim(ctx, "C-1", sellerapi.Key("mine"), sellerapi.Capture(&info))
	require.ErrorIs(t, err, context.Canceled)
	var unanswered *sellerapi.UnansweredError
	require.ErrorAs(t, err, &unanswered)
	require.Equal(t, [3]any{"approve_claim", "mine", 1},
		[3]any{unanswered.Operation, unanswered.IdempotencyKey, unanswered.Attempts})
	require.Equal(t, [3]any{0, "mine", -1}, [3]any{info.Status, info.IdempotencyKey, info.Limit})
	require.False(t, sellerapi.Temporary(err))
}

// The outcome of a slow call is unknown; the next attempt, with the same key, gets it.
func TestRetry_slowTryIsRepeated(t *testing.T) {
	t.Parallel()
	released := make(chan struct{})
	var count atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if count.Add(1) == 1 {
			<-released
		}
		scripted{}.write(w)
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(released) })
	c, err := sellerapi.New(s.URL, "vpk_test_secret", sellerapi.WithClock(newClock()),
		sellerapi.WithHTTPClient(&http.Client{Timeout: 500 * time.Millisecond, Transport: &http.Transport{DisableKeepAlives: true}}))
	require.NoError(t, err)
	var info sellerapi.ResponseInfo
	_, err = c.ApproveClaim(t.Context(), "C-1", sellerapi.Capture(&info))
	require.NoError(t, err)
	require.GreaterOrEqual(t, info.Attempts, 2, "more where a machine takes half a second to answer")
}

func TestRetry_untrustedCertificate(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	s.StartTLS()
	t.Cleanup(s.Close)
	c := newClock()
	made, err := sellerapi.New(s.URL, "vpk_test_secret", sellerapi.WithClock(c))
	require.NoError(t, err)
	_, err = made.GetOrder(t.Context(), "A-1")
	var unanswered *sellerapi.UnansweredError
	require.ErrorAs(t, err, &unanswered)
	require.Equal(t, 1, unanswered.Attempts)
	require.Empty(t, c.waits)
}

func TestRetry_unknownAnswerForm(t *testing.T) {
	t.Parallel()
	s := play(t, scripted{Data: json.RawMessage(`{"order_no":7}`)})
	_, err := client(t, s, newClock()).GetOrder(t.Context(), "A-1")
	var unanswered *sellerapi.UnansweredError
	require.ErrorAs(t, err, &unanswered)
	require.ErrorContains(t, err, "get_order: no answer (tries: 1)")
	require.False(t, sellerapi.Temporary(err))
}

// A client still reads the members that it knows when another member has changed its type.
func TestError_detailsOfTheFutureKept(t *testing.T) {
	t.Parallel()
	data := `{"request_id":"r-1","max":"many","depth":12,"reason":"frozen"}`
	s := play(t, scripted{Status: 409, ErrorCode: ptr("CLAIM_NOT_APPROVABLE"), ErrorData: json.RawMessage(data)})
	_, err := client(t, s, newClock()).ApproveClaim(t.Context(), "C-1")
	var refused *sellerapi.Error
	require.ErrorAs(t, err, &refused)
	require.JSONEq(t, data, string(refused.RawData))
	require.Equal(t, "frozen", refused.Data.Reason)
	require.Equal(t, "approve_claim: 409 CLAIM_NOT_APPROVABLE: a text (request r-1)", err.Error())
}

func TestPoliciesBoundTheRepetition(t *testing.T) {
	t.Parallel()
	s, c := play(t, failing, failing, failing, failing), newClock()
	policy := sellerapi.RetryPolicy{Attempts: 4, FirstPause: 2 * time.Second, LongestPause: 5 * time.Second}
	_, err := client(t, s, c, sellerapi.WithRetry(policy)).GetOrder(t.Context(), "A-1")
	require.Error(t, err)
	require.Equal(t, []float64{1.5, 3, 3.75}, c.waits)
}

// An error that did not come from the server has no code and is not temporary.
func TestError_ordinaryHasNoCode(t *testing.T) {
	t.Parallel()
	err := errors.New("disk full")
	require.Empty(t, sellerapi.CodeOf(err))
	require.False(t, sellerapi.Temporary(err))
	require.Equal(t, "ORDER_NOT_FOUND", sellerapi.CodeOrderNotFound.Error())
	refused := &sellerapi.Error{Operation: "get_order", Status: 404, RequestID: "r-1", Message: "a text"}
	require.Equal(t, "get_order: 404 Not Found: a text (request r-1)", refused.Error())
	require.NotErrorIs(t, refused, sellerapi.Code(""))
}

// Times are formatted as the server formats them.
func TestFormatTime_asServerWrites(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 14, 11, 0, 0, 120999, time.FixedZone("KST", 9*3600))
	require.Equal(t, "2026-03-14T02:00:00.000120Z", sellerapi.FormatTime(at))
	require.True(t, strings.HasSuffix(sellerapi.FormatTime(at.Truncate(time.Second)), ":00.000000Z"))
}
