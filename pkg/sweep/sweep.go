package sweep

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/telemetry"
)

const (
	// batch is the most rows that one search returns. After a full batch the next search follows at once.
	batch = 500
	// workers is how many items of a sweep run concurrently, so that a slow one does not delay all others.
	workers = 4
	// failuresMost is how many items of a batch may fail before the rest waits for the next search.
	failuresMost = 5
	// itemTimeout bounds one item, and one search.
	itemTimeout = 10 * time.Second
	// stopTimeout is how long items in progress may take when the service stops.
	stopTimeout = 3 * time.Second
)

// Item is a row that is due, or several that are done together.
type Item struct {
	// Key names the row in the log.
	Key string
	// Rows is how many rows it is, if it is several.
	Rows int
	// About is the order, claim or inquiry of the row, for its span; none if it belongs to no single one.
	About telemetry.Numbers
	// Traceparent is what [telemetry.Traceparent] returned for the request that caused the work; empty when none did.
	Traceparent string
	// Do does the work. It must be idempotent; after an error the item is still due.
	Do func(ctx context.Context) error
}

// Sweep is one kind of work.
type Sweep struct {
	// Name is the kind in metrics, spans and logs.
	Name string
	// Interval is the longest time between two searches.
	Interval time.Duration
	// Find returns items that are due, of about limit rows together.
	Find func(ctx context.Context, limit int) ([]Item, error)
	// FindOf, when set, is Find for the rows of one seller that are due at now, the time of that seller; see Due.
	FindOf func(ctx context.Context, seller uuid.UUID, now time.Time, limit int) ([]Item, error)
}

// Each makes a Find of a function that finds rows and one that returns the item for a row.
func Each[T any](find func(ctx context.Context, limit int) ([]T, error), item func(T) Item) func(context.Context,
	int) ([]Item, error) {
	return func(ctx context.Context, limit int) ([]Item, error) {
		rows, err := find(ctx, limit)
		items := make([]Item, 0, len(rows))
		for _, row := range rows {
			items = append(items, item(row))
		}
		return items, err
	}
}

// EachOf makes a FindOf as Each makes a Find.
func EachOf[T any](
	find func(ctx context.Context, seller uuid.UUID, now time.Time, limit int) ([]T, error), item func(T) Item,
) func(context.Context, uuid.UUID, time.Time, int) ([]Item, error) {
	return func(ctx context.Context, seller uuid.UUID, now time.Time, limit int) ([]Item, error) {
		return Each(func(ctx context.Context, limit int) ([]T, error) { return find(ctx, seller, now, limit) }, item)(ctx, limit)
	}
}

// Always returns a sweep of items that are due in each run.
func Always(name string, interval time.Duration, items ...Item) Sweep {
	return Sweep{Name: name, Interval: interval, Find: func(context.Context, int) ([]Item,
		error,
	) {
		return slices.Clone(items), nil
	}}
}

// Sweeper runs a sweep.
type Sweeper struct {
	Sweep

	tel *telemetry.Telemetry
}

// New returns the sweeper of a sweep and registers its metrics.
func New(s Sweep, tel *telemetry.Telemetry) *Sweeper {
	for _, outcome := range []string{outcomeDone, outcomeRetry, outcomePanic} {
		tel.Counter(telemetry.JobRuns).WithLabelValues(s.Name, outcome)
	}
	return &Sweeper{Sweep: s, tel: tel}
}

// Keep sweeps until ctx ends, and returns when the items in progress are done. Intervals are randomised, so that replicas do
// not all search at once.
func (s *Sweeper) Keep(ctx context.Context) {
	for ctx.Err() == nil {
		more, err := s.Once(ctx)
		if err != nil && ctx.Err() == nil {
			s.log(ctx, err)
		}
		if more {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(s.Interval/2 + rand.N(s.Interval/2+1)):
		}
	}
}

// log reports failures. A panic is a programming error; other errors may be transient.
func (s *Sweeper) log(ctx context.Context, err error) {
	level := slog.LevelWarn
	if errors.Is(err, errPanic) {
		level = slog.LevelError
	}
	s.tel.Logger.LogAttrs(ctx, level, "sweep failed", slog.String("kind", s.Name), slog.Any("error", err))
}

// Once finds items and does them. more reports whether there are probably others, so that the next search should follow at once.
func (s *Sweeper) Once(ctx context.Context) (more bool, err error) {
	items, err := find(ctx, s.Find)
	if err != nil {
		return false, fmt.Errorf("find: %w", err)
	}
	failed := s.do(ctx, items)
	return rowsOf(items) >= batch && len(failed) == 0, errors.Join(failed...)
}

// do does the items, and returns the errors of those that failed.
func (s *Sweeper) do(ctx context.Context, items []Item) []error {
	rand.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	var group errgroup.Group
	group.SetLimit(workers)
	var failed failures
	for _, item := range items {
		group.Go(func() error {
			if ctx.Err() == nil && failed.count() < failuresMost {
				if err := s.run(ctx, item); err != nil {
					failed.add(item.Key, err)
				}
			}
			return nil
		})
	}
	_ = group.Wait() // failures are collected separately, because one does not stop the others
	return failed.list
}

func rowsOf(items []Item) int {
	rows := 0
	for _, item := range items {
		rows += max(item.Rows, 1)
	}
	return rows
}

func find(ctx context.Context, due func(context.Context, int) ([]Item, error)) (items []Item, err error) {
	ctx, cancel := context.WithTimeout(ctx, itemTimeout)
	defer cancel()
	err = guard(func() (err error) { items, err = due(ctx, batch); return err })
	return items, err
}

type failures struct {
	mu   sync.Mutex
	list []error
}

func (f *failures) add(key string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, fmt.Errorf("%s: %w", key, err))
}

func (f *failures) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.list)
}

var errPanic = errors.New("panic")

func guard(do func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%w: %v\n%s", errPanic, cause, debug.Stack())
		}
	}()
	return do()
}
