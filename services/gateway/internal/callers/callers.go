// Package callers knows which sellers call the most. Metrics cannot be kept for every seller: each would be a series for
// ever. What an operator wants to know of single sellers is who makes the load, and whether one that always called has
// fallen silent; for both the busiest few are enough, and they are few however many there are. All others are one sum.
//
// A Board counts in windows of five minutes and tells the rate over the last one and the one that has begun. A seller that
// polls every five minutes, as clients are advised to, is therefore always seen, and one that stops is gone after ten.
// Every instance counts the calls that it gets itself.
//
// A seller among the busiest gives its place only to one that calls more than twice as often. Else those who call equally
// often would take turns, and every one of them would leave a series behind.
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
	// window is the time after which counting begins anew.
	window = 5 * time.Minute
	// countedMost bounds the memory of a window; sellers that come later in it are counted among the others.
	countedMost = 10_000
	// advantage is how many times as often one must call to take the place of a seller that is among the busiest.
	advantage = 2
)

// tally is what a seller has asked for in a window.
type tally struct{ calls, rows int }

func (t tally) plus(more tally) tally { return tally{t.calls + more.calls, t.rows + more.rows} }

// tallies are those of a window: of each seller, and of all that came too late to be counted.
type tallies struct {
	by   map[uuid.UUID]tally
	late tally
}

// Board counts calls. The zero value is ready, and it is safe for concurrent use.
type Board struct {
	mu      sync.Mutex
	began   time.Time
	current tallies
	// before is the window before, and never written to.
	before tallies
	// busiest are those that were told last.
	busiest map[uuid.UUID]bool
}

// Called notes a call of a seller, whether it was let through or not.
func (b *Board) Called(seller uuid.UUID, now time.Time) { b.add(seller, tally{calls: 1}, now) }

// Returned notes rows that a seller was given.
func (b *Board) Returned(seller uuid.UUID, rows int, now time.Time) {
	b.add(seller, tally{rows: rows}, now)
}

func (b *Board) add(seller uuid.UUID, more tally, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn(now)
	so, known := b.current.by[seller]
	if !known && len(b.current.by) >= countedMost {
		b.current.late = b.current.late.plus(more)
		return
	}
	b.current.by[seller] = so.plus(more)
}

// turn begins a new window when the last one is over.
func (b *Board) turn(now time.Time) {
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

// Caller is a seller and what it has asked for lately.
type Caller struct {
	Seller                        uuid.UUID
	CallsPerSecond, RowsPerSecond float64
}

// Busiest returns the sellers with the most calls, most first, and the sum of all others. It keeps those that note calls
// waiting only while the window is copied.
func (b *Board) Busiest(most int, now time.Time) (busiest []Caller, others Caller) {
	before, current, counted, told := b.copied(now)
	late := before.late.plus(current.late)
	for seller, earlier := range before.by {
		current.by[seller] = current.by[seller].plus(earlier)
	}
	rates := func(seller uuid.UUID, t tally) Caller {
		return Caller{seller, float64(t.calls) / counted.Seconds(), float64(t.rows) / counted.Seconds()}
	}
	ranked := rank(current.by, told)
	for _, seller := range ranked[min(most, len(ranked)):] {
		late = late.plus(current.by[seller])
	}
	ranked = ranked[:min(most, len(ranked))]
	busiest = make([]Caller, len(ranked))
	for n, seller := range ranked {
		busiest[n] = rates(seller, current.by[seller])
	}
	slices.SortStableFunc(busiest, func(x, y Caller) int { return cmp.Compare(y.CallsPerSecond, x.CallsPerSecond) })
	b.tell(ranked)
	return busiest, rates(uuid.Nil, late)
}

// copied returns both windows, the current one as a copy, how long they have been counted in, and who was told last.
func (b *Board) copied(now time.Time) (before, current tallies, counted time.Duration, told map[uuid.UUID]bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn(now)
	counted = max(now.Sub(b.began), time.Second)
	if b.before.by != nil {
		counted += window
	}
	return b.before, tallies{maps.Clone(b.current.by), b.current.late}, counted, b.busiest
}

// rank returns all sellers, those first that call the most.
func rank(by map[uuid.UUID]tally, told map[uuid.UUID]bool) []uuid.UUID {
	weight := func(seller uuid.UUID) int {
		if told[seller] {
			return 2*advantage*by[seller].calls + 1 // before one that calls just so many times as often
		}
		return 2 * by[seller].calls
	}
	return slices.SortedFunc(maps.Keys(by), func(x, y uuid.UUID) int {
		return cmp.Or(cmp.Compare(weight(y), weight(x)), slices.Compare(x[:], y[:]))
	})
}

// tell remembers who is among the busiest.
func (b *Board) tell(sellers []uuid.UUID) {
	told := make(map[uuid.UUID]bool, len(sellers))
	for _, seller := range sellers {
		told[seller] = true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busiest = told
}
