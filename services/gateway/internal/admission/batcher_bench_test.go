package admission

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/keystate"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

// BenchmarkCharge compares the batcher with a command for each call, as a cluster gets it.
func BenchmarkCharge(b *testing.B) {
	const wide = 5000
	server := redistest.Own(b, Scripts()...)
	limits := ratelimit.Config{Window: time.Second, Read: wide, Process: wide, Rows: wide * ratelimit.MaxRows, Timeout: longTimeout}
	for _, callers := range []int{1, 8, 64} {
		for _, batched := range []bool{true, false} {
			b.Run("callers="+strconv.Itoa(callers)+"/batched="+strconv.FormatBool(batched), func(b *testing.B) {
				admitter := New(server.Client, limits, idempotency.Config{})
				if !batched {
					admitter.guard.batcher = nil
				}
				charge(b, admitter, callers)
			})
		}
	}
}

// charge charges so many calls, of many keys, for so many callers at once.
func charge(b *testing.B, admitter *Admitter, callers int) {
	b.Helper()
	const keys = 1500
	calls := make([]Call, keys)
	for i := range calls {
		calls[i] = Call{Caller: Caller{Seller: uuid.New(), Key: uuid.New()}, State: keystate.State{Version: 1}, Class: operation.Read, Reserve: 50}
		require.NoError(b, admitter.PutKey(b.Context(), calls[i].Caller, calls[i].State, time.Time{}))
	}
	b.ResetTimer()
	var charged atomic.Int64
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			for n := int(charged.Add(1)); n <= b.N; n = int(charged.Add(1)) {
				decision, err := admitter.Charge(b.Context(), calls[n%keys])
				if err != nil || decision.Verdict != Admitted {
					b.Errorf("%s: %v", decision.Verdict, err)
					return
				}
			}
		})
	}
	group.Wait()
}
