package rest

import (
	"sync"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/telemetry"
)

const (
	// DefaultBodyMemory is the maximum number of bytes of bodies that a process holds at once.
	DefaultBodyMemory = 64 << 20
	// maxBodiesOfKey is the maximum number of large bodies per key.
	maxBodiesOfKey = 4
	// smallBytes is the size up to which a body is not counted: a key makes too few calls for it to matter.
	smallBytes = 4 << 10
)

// Reasons for refusing the body of an admitted call: values of the metric's label.
const (
	refusedKey    = "key"
	refusedMemory = "memory"
	refusedSlow   = "slow"
)

// budget limits the memory for bodies, from the start of reading until their calls are answered.
type budget struct {
	total    *semaphore.Weighted
	held     prometheus.Gauge
	refusals *prometheus.CounterVec

	mu   sync.Mutex
	keys map[uuid.UUID]int
}

func newBudget(memory int64, tel *telemetry.Telemetry) *budget {
	if memory == 0 {
		memory = DefaultBodyMemory
	}
	refusals := tel.Counter(telemetry.BodyRefusals)
	for _, reason := range []string{refusedKey, refusedMemory, refusedSlow} {
		refusals.WithLabelValues(reason) // so that every label is exported from the start
	}
	return &budget{
		total: semaphore.NewWeighted(memory), held: tel.Gauge(telemetry.BodyMemory).WithLabelValues(),
		refusals: refusals, keys: map[uuid.UUID]int{},
	}
}

// take reserves memory for a body of a key until release is called. Errors: Unavailable.
func (b *budget) take(key uuid.UUID, weight int64) (release func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.keys[key] >= maxBodiesOfKey:
		return nil, b.refuse(refusedKey)
	case !b.total.TryAcquire(weight):
		return nil, b.refuse(refusedMemory)
	}
	b.keys[key]++
	b.held.Add(float64(weight))
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.keys[key]--; b.keys[key] == 0 {
			delete(b.keys, key)
		}
		b.total.Release(weight)
		b.held.Sub(float64(weight))
	}, nil
}

func (b *budget) refuse(reason string) error {
	b.refusals.WithLabelValues(reason).Inc()
	return apierr.Unavailable
}

// weightOf returns the maximum memory of a body: its announced length, or the operation's limit.
func weightOf(announced int64, op *operation.Operation) int64 {
	if announced < 0 {
		return op.MaxBodyBytes
	}
	return announced
}
