package admission_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

// The most bytes that each thing may take in Redis; the chart's README computes maxmemory with them.
const (
	stateBytes   = 256
	readsBytes   = 1024 // a window of 60 reads
	processBytes = 640  // a window of 30 process calls
	entryBytes   = 256  // an idempotency key
)

// expiryBytes is what MEMORY USAGE leaves out: the key's place in the table of expiries, and one in the buckets of both tables,
// which are up to half empty.
const expiryBytes = 24 + 2*16

// usage is what the one key that matches takes in Redis.
func usage(t *testing.T, server *redistest.Server, pattern string) int64 {
	t.Helper()
	names, err := server.Client.Keys(t.Context(), pattern).Result()
	require.NoError(t, err)
	require.Len(t, names, 1, pattern)
	used, err := server.Client.MemoryUsage(t.Context(), names[0]).Result()
	require.NoError(t, err)
	return used + expiryBytes
}

// A Redis is sized by what an active key and a process call of a day cost at most. An answer that grew into it would fill one
// that was large enough.
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
	_, err = admitter.Finish(t.Context(), call, repetition, request, idempotency.Ending{Outcome: inbox.Outcome{Gone: true}})
	require.NoError(t, err)
	bounded("gone")
}
