package rest_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

// long are limits with a window that is longer than any test.
var long = filled(ratelimit.Config{Window: time.Hour, Read: 10_000, Process: 10_000, Rows: 1_000_000, Timeout: waitFor})

func forwarded(addresses ...string) call {
	sent := with()
	sent.header["X-Forwarded-For"] = addresses
	return sent
}

func exceeded(t *testing.T, got answer, most int) {
	t.Helper()
	meta := refused(t, got, http.StatusTooManyRequests, "RATE_LIMITED")
	text, err := json.Marshal(meta.ErrorData)
	require.NoError(t, err)
	var data struct {
		Limit      string `json:"limit"`
		Max        int    `json:"max"`
		Window     int    `json:"window_seconds"`
		RetryAfter int    `json:"retry_after"`
	}
	require.NoError(t, json.Unmarshal(text, &data))
	require.Equal(t, "address", data.Limit)
	require.Equal(t, most, data.Max)
	require.Equal(t, int(long.Window.Seconds()), data.Window)
	require.Equal(t, strconv.Itoa(data.RetryAfter), got.header.Get("Retry-After"))
	require.Positive(t, data.RetryAfter)
	require.LessOrEqual(t, data.RetryAfter, data.Window)
	for name := range got.header {
		require.NotRegexp(t, "(?i)ratelimit", name, "an address has no key whose limits they are")
	}
}

// A client that tries keys is stopped, and sellers with the same address are not.
func TestAddress_badCallsAreLimited(t *testing.T) {
	t.Parallel()
	const most = 300
	b := begin(t, setting{limits: long, refused: most}, http.HandlerFunc(rows))
	_, good := b.key(t)
	bad := []call{with(), with("malformed"), with(good, good), posting("malformed", "key", prepare("O-1"), "{}")}
	for n := range most {
		require.Equal(t, http.StatusUnauthorized, b.send(t, bad[n%len(bad)]).status)
	}
	for range 2 { // Redis refuses it first, then the gateway remembers
		for _, sent := range bad {
			exceeded(t, b.send(t, sent), most)
		}
	}
	require.Equal(t, http.StatusOK, b.send(t, reading(good, "/open/v1/orders?rows=1")).status)
	require.InDelta(t, 2*len(bad), b.total(telemetry.AddressRefusals), 0)
}

// A flood from one address does not reach Redis, and replicas share one limit.
func TestAddress_rememberedAndShared(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: long, refused: 1}, nil)
	other := b.replica(t)
	require.Equal(t, http.StatusUnauthorized, b.send(t, with()).status)
	exceeded(t, other.send(t, with()), 1)
	require.NoError(t, b.redis.Client.FlushDB(t.Context()).Err())
	exceeded(t, other.send(t, with()), 1)
	require.Equal(t, http.StatusUnauthorized, b.send(t, with()).status, "the address was below its limit")
}

// A call with a revoked or expired key counts as a call with an invalid one.
func TestAddress_endedKeysCount(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: long, refused: 2}, http.HandlerFunc(rows))
	key, text := b.key(t)
	b.expire(t, key, text)
	for range 2 {
		require.Equal(t, http.StatusUnauthorized, b.send(t, reading(text, "/open/v1/orders")).status)
	}
	exceeded(t, b.send(t, reading(text, "/open/v1/orders")), 2)
	require.InDelta(t, 3, b.refusals(apikey.ReasonExpired), 0)
}

// Calls through a trusted proxy count for the last address that is not itself a proxy, and clients cannot forge another one.
func TestAddress_behindATrustedProxy(t *testing.T) {
	t.Parallel()
	for _, step := range []struct {
		name          string
		first, second call
		status        int
	}{
		{"another address", forwarded("203.0.113.1"), forwarded("203.0.113.2"), http.StatusUnauthorized},
		{"same address", forwarded("203.0.113.1"), forwarded("203.0.113.1"), http.StatusTooManyRequests},
		{"invented", forwarded("198.51.100.1, 203.0.113.1"), forwarded("198.51.100.2, 203.0.113.1"), http.StatusTooManyRequests},
		{
			"invented, own line",
			forwarded("198.51.100.1", "203.0.113.1"), forwarded("198.51.100.2", "203.0.113.1"), http.StatusTooManyRequests,
		},
		{"two proxies", forwarded("203.0.113.1, 127.0.0.9"), forwarded("203.0.113.1"), http.StatusTooManyRequests},
		{"one network", forwarded("2001:db8::1"), forwarded("2001:db8::ffff:2"), http.StatusTooManyRequests},
		{"another network", forwarded("2001:db8::1"), forwarded("2001:db8:0:1::1"), http.StatusUnauthorized},
		{"no address", forwarded("me"), with(), http.StatusTooManyRequests},
	} {
		t.Run(step.name, func(t *testing.T) {
			t.Parallel()
			b := begin(t, setting{limits: long, refused: 1, proxies: "127.0.0.0/8"}, nil)
			require.Equal(t, http.StatusUnauthorized, b.send(t, step.first).status)
			require.Equal(t, step.status, b.send(t, step.second).status)
		})
	}
}

// Without a trusted proxy the header is only a claim of the client.
func TestAddress_untrustedHeader(t *testing.T) {
	t.Parallel()
	for _, proxies := range []string{"", "10.0.0.0/8"} {
		b := begin(t, setting{limits: long, refused: 1, proxies: proxies}, nil)
		require.Equal(t, http.StatusUnauthorized, b.send(t, forwarded("203.0.113.1")).status)
		exceeded(t, b.send(t, forwarded("203.0.113.2")), 1)
	}
}

// An invalid key is refused in the same way with and without Redis; only the limit does not apply.
func TestAddress_redisAway(t *testing.T) {
	t.Parallel()
	b, _ := away(t, long)
	b.setting.refused = 1
	limited := b.replica(t)
	require.Equal(t, http.StatusUnauthorized, limited.send(t, with()).status)
	require.NoError(t, b.redis.Process.Kill())
	for range 10 {
		refused(t, limited.send(t, with()), http.StatusUnauthorized, "API_KEY_REQUIRED")
		refused(t, limited.send(t, with("malformed")), http.StatusUnauthorized, "INVALID_API_KEY")
	}
}
