package redis

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// ImpairmentFull names a server without memory for writes in /readyz and the metric.
const ImpairmentFull = "full"

// fullPercent is the percentage of maxmemory from which a server counts as full. It is less than 100 because expiring keys free
// memory for moments, in which some writes succeed and others do not.
const fullPercent = 99

// EvictionError says that a server may evict keys when its memory is used up, and with
// them counters, locks and stored answers.
type EvictionError struct {
	// Policy is the server's maxmemory-policy.
	Policy string
}

// Error implements error.
func (e *EvictionError) Error() string {
	return fmt.Sprintf("the Redis server may drop keys: its maxmemory-policy is %s and must be noeviction", e.Policy)
}

// ProbeClass returns the class for /readyz.
func (*EvictionError) ProbeClass() string { return "evicts" }

// FullError says that a server answers but refuses writes for lack of memory, or is about to.
type FullError struct {
	// Limit is the server's maxmemory in bytes.
	Limit int64
}

// Error implements error. It contains no current usage, so that repeated errors have equal texts.
func (e *FullError) Error() string {
	return fmt.Sprintf("the Redis server is full and refuses writes: its maxmemory is %d bytes", e.Limit)
}

// ProbeImpairment returns the name for /readyz and the metric.
func (*FullError) ProbeImpairment() string { return ImpairmentFull }

// RequireNoEviction returns an error unless every writable server has the policy
// noeviction; an *EvictionError if one reports another policy.
func RequireNoEviction(ctx context.Context, client redis.UniversalClient) error {
	return everyWriter(ctx, client, memory.requireNoEviction)
}

func everyWriter(ctx context.Context, client redis.UniversalClient, require func(memory) error) error {
	ask := func(ctx context.Context, server redis.Cmdable) error {
		m, err := readMemory(ctx, server)
		if err != nil {
			return err
		}
		return require(m)
	}
	if cluster, ok := client.(*redis.ClusterClient); ok {
		return cluster.ForEachMaster(ctx, func(ctx context.Context, master *redis.Client) error { return ask(ctx, master) })
	}
	return ask(ctx, client)
}

// memory is the memory state that a server reports. Sizes are in bytes; a server that leaves one out has 0.
type memory struct {
	policy              string
	limit, used, exempt int64
}

// inUse returns the used part of maxmemory, as the server computes it to refuse writes; 0 without a limit.
func (m memory) inUse() float64 {
	if m.limit == 0 {
		return 0
	}
	return float64(m.used-m.exempt) / float64(m.limit)
}

// fullest is the largest used part of several servers, which may be read concurrently.
type fullest struct {
	mu   sync.Mutex
	part float64
}

func (f *fullest) note(m memory) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.part = max(f.part, m.inUse())
}

// readMemory reads the statistics of one server. It uses INFO, because CONFIG is often not allowed.
func readMemory(ctx context.Context, server redis.Cmdable) (memory, error) {
	info, err := server.Info(ctx, "memory").Result()
	if err != nil {
		return memory{}, fmt.Errorf("read the memory usage of Redis: %w", err)
	}
	var m memory
	sizes := map[string]*int64{"maxmemory": &m.limit, "used_memory": &m.used, "mem_not_counted_for_evict": &m.exempt}
	for line := range strings.Lines(info) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name == "maxmemory_policy" {
			m.policy = value
		}
		if size, wanted := sizes[name]; wanted {
			if *size, err = strconv.ParseInt(value, 10, 64); err != nil {
				return memory{}, fmt.Errorf("the Redis server reports %s as %q: %w", name, value, err)
			}
		}
	}
	return m, nil
}

func (m memory) requireNoEviction() error {
	switch m.policy {
	case "noeviction":
		return nil
	case "":
		return errors.New("the Redis server does not report its eviction policy")
	default:
		return &EvictionError{Policy: m.policy}
	}
}

// requireRoom returns an error when there is no memory left for writes. Replication and AOF buffers count as used memory but do
// not cause the server to refuse writes.
func (m memory) requireRoom() error {
	if m.limit == 0 || m.used-m.exempt < m.limit/100*fullPercent {
		return nil
	}
	return &FullError{Limit: m.limit}
}
