// Package callers finds the sellers that call the most. Metrics cannot be kept for every seller: each would be a permanent
// series. What an operator wants to know about single sellers is which of them cause the load, and whether a regular caller has
// stopped; the busiest few suffice for both, and their number does not grow with the sellers. All others are reported as one sum.
//
// A Board counts in windows of five minutes and reports the rate over the last and the current window. So a seller that polls
// every five minutes, as clients are advised to, is always included, and one that stops disappears after ten. Every instance
// counts only its own calls.
//
// A seller among the busiest is replaced only by one that calls more than twice as often. Otherwise sellers with similar rates
// would alternate, and each of them would add a series.
package callers

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

const (
	// window is the length of a counting window.
	window = 5 * time.Minute
	// maxCounted limits the memory of a window; sellers beyond it are counted among the others.
	maxCounted = 10_000
	// advantage is the factor by which a seller's rate must exceed that of one among the busiest to replace it.
	advantage = 2
)

type tally struct{ calls, rows int }

func (t tally) plus(more tally) tally { return tally{t.calls + more.calls, t.rows + more.rows} }

// tallies are those of a window: one per seller, and one for all sellers beyond maxCounted.
type tallies struct {
	by   map[uuid.UUID]tally
	late tally
}

// Board counts calls. The zero value is ready for use. It is safe for concurrent use.
type Board struct {
	mu      sync.Mutex
	began   time.Time
	current tallies
	// before is the previous window. It is read-only.
	before tallies
	// busiest are the sellers that were last reported.
	busiest map[uuid.UUID]bool
}

// Called counts a call of a seller, admitted or not.
func (b *Board) Called(seller uuid.UUID, now time.Time) { b.add(seller, tally{calls: 1}, now) }

// Returned counts rows that were returned to a seller.
func (b *Board) Returned(seller uuid.UUID, rows int, now time.Time) {
	b.add(seller, tally{rows: rows}, now)
}

func (b *Board) add(seller uuid.UUID, more tally, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rotate(now)
	so, known := b.current.by[seller]
	if !known && len(b.current.by) >= maxCounted {
		b.current.late = b.current.late.plus(more)
		return
	}
	b.current.by[seller] = so.plus(more)
}

// rotate starts a new window if the current one is over.
func (b *Board) rotate(now time.Time) {
	counting := b.current.by != nil
	switch passed := now.Sub(b.began); {
	case counting && passed < window:
		return
	case counting && passed < 2*window:
		b.before, b.began = b.current, b.began.Add(window)
	default:
		b.before, b.began = tallies{}, now
	}
	b.current = tallies{by: make(map[uuid.UUID]tally, len(b.before.by))}
}

// Caller is a seller with its recent rates.
type Caller struct {
	Seller                        uuid.UUID
	CallsPerSecond, RowsPerSecond float64
}

// Busiest returns the sellers with the most calls, most first, and the sum of all others. It blocks counting only while the
// window is copied.
func (b *Board) Busiest(count int, now time.Time) (busiest []Caller, others Caller) {
	before, current, counted, told := b.copied(now)
	late := before.late.plus(current.late)
	for seller, earlier := range before.by {
		current.by[seller] = current.by[seller].plus(earlier)
	}
	rates := func(seller uuid.UUID, t tally) Caller {
		return Caller{seller, float64(t.calls) / counted.Seconds(), float64(t.rows) / counted.Seconds()}
	}
	ranked := rank(current.by, told)
	for _, seller := range ranked[min(count, len(ranked)):] {
		late = late.plus(current.by[seller])
	}
	ranked = ranked[:min(count, len(ranked))]
	busiest = make([]Caller, len(ranked))
	for n, seller := range ranked {
		busiest[n] = rates(seller, current.by[seller])
	}
	slices.SortStableFunc(busiest, func(x, y Caller) int { return cmp.Compare(y.CallsPerSecond, x.CallsPerSecond) })
	b.tell(ranked)
	return busiest, rates(uuid.Nil, late)
}

// copied returns both windows, the current one as a copy, their total duration, and the sellers that were last reported.
func (b *Board) copied(now time.Time) (before, current tallies, counted time.Duration, told map[uuid.UUID]bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rotate(now)
	counted = max(now.Sub(b.began), time.Second)
	if b.before.by != nil {
		counted += window
	}
	return b.before, tallies{maps.Clone(b.current.by), b.current.late}, counted, b.busiest
}

// rank returns all sellers, ordered by calls. A seller in told has its calls multiplied by advantage.
func rank(by map[uuid.UUID]tally, told map[uuid.UUID]bool) []uuid.UUID {
	weight := func(seller uuid.UUID) int {
		if told[seller] {
			return 2*advantage*by[seller].calls + 1 // before a seller with exactly advantage times as many calls
		}
		return 2 * by[seller].calls
	}
	return slices.SortedFunc(maps.Keys(by), func(x, y uuid.UUID) int {
		return cmp.Or(cmp.Compare(weight(y), weight(x)), slices.Compare(x[:], y[:]))
	})
}

func (b *Board) tell(sellers []uuid.UUID) {
	told := make(map[uuid.UUID]bool, len(sellers))
	for _, seller := range sellers {
		told[seller] = true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busiest = told
}
