package e2e

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// Do checks every response of every test: envelope, media type, no-store, request id. These tests cover what it
// cannot see.
func TestEnvelope_ofListAndDetail(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	order := s.PlaceNew(t, seller.ID)
	list := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders"))
	require.True(t, strings.HasPrefix(string(list.Body),
		`{"meta":{"code":200,"message":"OK","error_code":null,"error_data":null},"data":{"list":[{"order_no":`), "%s", list.Body)
	require.True(t, strings.HasSuffix(string(list.Body), `],"next_cursor":null}}`), "%s", list.Body)
	detail := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders/"+order.GetOrderNo()))
	require.Equal(t, http.StatusOK, detail.Status)
}

// A list without elements is an empty list and the last page.
func TestEmptyList_isLastPage(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	answer := s.Do(t, stacktest.Get(s.Seller(t).Key, "/open/v1/orders"))
	require.JSONEq(t, `{"list":[],"next_cursor":null}`, string(answer.Data))
}

// Messages are English unless the client asks for Korean.
func TestMessages_englishUnlessKoreanAskedFor(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	for language, want := range map[string]string{
		"": "The order was not found.", "en-US,en;q=0.9": "The order was not found.", "fr": "The order was not found.",
		"ko": "주문을 찾을 수 없습니다.", "ko-KR,ko;q=0.9,en;q=0.8": "주문을 찾을 수 없습니다.",
	} {
		call := stacktest.Get(seller.Key, "/open/v1/orders/NOBODY")
		call.Header = http.Header{"Accept-Language": {language}}
		answer := s.Do(t, call)
		stacktest.RequireFailure(t, answer, http.StatusNotFound, "ORDER_NOT_FOUND")
		require.Equal(t, want, answer.Meta.Message, language)
	}
}

// Support asks clients for this id; an id that could break a log line must not be logged.
func TestRequestID_saneOneIsKept(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	send := func(id string) string {
		call := stacktest.Get(seller.Key, "/open/v1/orders/NOBODY")
		call.Header = http.Header{"X-Request-Id": {id}}
		return s.Do(t, call).Header.Get("X-Request-Id")
	}
	for _, id := range []string{"erp-7_round.42", strings.Repeat("a", 64)} {
		require.Equal(t, id, send(id))
	}
	for _, id := range []string{"", "two words", "{json}", "한글", strings.Repeat("a", 65)} {
		require.NotEqual(t, id, send(id))
	}
}

// Pages are compressed in an encoding that the client accepts, or not at all.
func TestCompression_asClientAccepts(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	s.PlaceMany(t, 30, seller.ID)
	plain := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders"))
	require.Empty(t, plain.Header.Get("Content-Encoding"))
	for accepted, encodings := range map[string][]string{
		"gzip": {"gzip"}, "zstd": {"zstd"}, "gzip, deflate, br, zstd": {"gzip", "zstd"}, "zstd;q=0, gzip": {"gzip"},
		"br": {""}, "identity": {""}, "gzip;q=0": {""}, "*;q=0": {""},
	} {
		call := stacktest.Get(seller.Key, "/open/v1/orders")
		call.Header = http.Header{"Accept-Encoding": {accepted}}
		answer := s.Do(t, call)
		require.Contains(t, encodings, answer.Header.Get("Content-Encoding"), accepted)
		require.Equal(t, string(plain.Body), string(answer.Body), accepted)
		require.Contains(t, answer.Header.Get("Vary"), "Accept-Encoding", accepted)
	}
}

// Internal headers would reveal the structure of the system, and what to forge.
func TestInternalHeaders_noneGetsOut(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	published := []string{
		"Allow", "Cache-Control", "Content-Encoding", "Content-Length", "Content-Type", "Date", "Idempotent-Replayed",
		"Retry-After", "Vary", "X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset",
		"X-Ratelimit-Rows-Limit", "X-Ratelimit-Rows-Remaining", "X-Request-Id", "X-Content-Type-Options",
		"Strict-Transport-Security", "Traceparent",
	}
	for _, call := range walk(seller.Key, "NOBODY") {
		answer := s.Raw(t, call)
		for name := range answer.Header {
			require.True(t, slices.Contains(published, name), "%s %s answers with header %s", call.Method, call.Path, name)
		}
	}
}
