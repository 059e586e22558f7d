package admission_test

import (
	"net/netip"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

// The largest memory of each thing in Redis, in bytes; the chart's README computes maxmemory with them.
const (
	stateBytes   = 256
	readsBytes   = 1024 // a window of 60 reads
	processBytes = 640  // a window of 30 process calls
	entryBytes   = 256  // an idempotency key
	addressBytes = 4096 // a window of 300 refused calls of an address
	newAddress   = 192  // a window of a single call
)

// expiryBytes is what MEMORY USAGE does not include: the key's entry in the table of expiries, and one in the buckets of both
// tables, which are up to half empty.
const expiryBytes = 24 + 2*16

func usage(t *testing.T, server *redistest.Server, pattern string) int64 {
	t.Helper()
	names, err := server.Client.Keys(t.Context(), pattern).Result()
	require.NoError(t, err)
	require.Len(t, names, 1, pattern)
	used, err := server.Client.MemoryUsage(t.Context(), names[0]).Result()
	require.NoError(t, err)
	return used + expiryBytes
}

// The memory of Redis is planned by the maximum for an active key and for a day's process call. If a stored answer made an entry
// larger, a Redis that was large enough would fill up.
func TestMemory_ofAnActiveKey(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	admitter, call := start(t, server.Client)
	call.Reserve = limits.Rows / limits.Read
	for range limits.Read {
		decision, err := admitter.Charge(t.Context(), call)
		require.NoError(t, err)
		require.Equal(t, admission.Admitted, decision.Verdict)
	}
	for range limits.Process {
		_, err := admitter.Charge(t.Context(), processCall(call))
		require.NoError(t, err)
	}
	for pattern, most := range map[string]int64{"*:k:*": stateBytes, "*:r:*": readsBytes, "*:p:*": processBytes} {
		used := usage(t, server, pattern)
		t.Logf("%s takes %d bytes", pattern, used)
		require.LessOrEqual(t, used, most, pattern)
	}
}

func TestMemory_ofAnAddress(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	admitter, _ := start(t, server.Client)
	from := netip.MustParsePrefix("203.0.113.7/32")
	for call := range refusedCalls {
		wait, err := admitter.CountRefused(t.Context(), from, refusedCalls)
		require.NoError(t, err)
		require.Zero(t, wait)
		if call == 0 {
			require.LessOrEqual(t, usage(t, server, "*:a"), int64(newAddress))
		}
	}
	used := usage(t, server, "*:a")
	t.Logf("a full window takes %d bytes", used)
	require.LessOrEqual(t, used, int64(addressBytes))
}

// refusedCalls is the published limit of calls without a valid key from an address.
const refusedCalls = 300

// Calls without a key from more and more addresses take no memory from sellers: beyond 70 % of it no further address is counted,
// existing ones still are, and a seller's new idempotency key is begun.
func TestMemory_leftToSellers(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t, admission.Scripts()...)
	admitter, call := start(t, server.Client)
	known := netip.MustParsePrefix("203.0.113.7/32")
	count := func(from netip.Prefix, most int) time.Duration {
		t.Helper()
		wait, err := admitter.CountRefused(t.Context(), from, most)
		require.NoError(t, err)
		return wait
	}
	require.Zero(t, count(known, 2))
	used, err := server.Client.InfoMap(t.Context(), "memory").Result()
	require.NoError(t, err)
	now, err := strconv.Atoi(used["Memory"]["used_memory"])
	require.NoError(t, err)
	require.NoError(t, server.Client.ConfigSet(t.Context(), "maxmemory", strconv.Itoa(now*10/8)).Err())
	for n := range 300 {
		require.Zero(t, count(netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 51, byte(n >> 8), byte(n)}), 32), 2)) //nolint:gosec // its bytes
	}
	names, err := server.Client.Keys(t.Context(), "*:a").Result()
	require.NoError(t, err)
	require.Len(t, names, 1, "no window for further addresses")
	require.Zero(t, count(known, 2))
	require.Positive(t, count(known, 2), "a known address is still limited")
	require.Equal(t, idempotency.New, begin(t, admitter, call, newRequest()).Begun.Outcome)
}

func TestMemory_ofAnIdempotencyKey(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	admitter, call := start(t, server.Client)
	request := newRequest()
	bounded := func(state string) {
		t.Helper()
		used := usage(t, server, "*:i:*")
		t.Logf("%s takes %d bytes", state, used)
		require.LessOrEqual(t, used, int64(entryBytes), state)
	}
	owner := begin(t, admitter, call, request)
	bounded("begun")
	_, err := admitter.Finish(t.Context(), call, owner, request, answered(24*time.Hour))
	require.NoError(t, err)
	bounded("answered")
	repetition := begin(t, admitter, call, request)
	_, err = admitter.Finish(t.Context(), call, repetition, request, idempotency.Ending{Outcome: inbox.Outcome{Expired: true}})
	require.NoError(t, err)
	bounded("expired")
}
