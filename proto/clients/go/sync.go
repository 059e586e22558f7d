package sellerapi

import (
	"context"
	"errors"
	"time"
)

// The values that the interface description recommends to clients that collect changes.
const (
	DefaultEvery   = 5 * time.Minute
	DefaultOverlap = 10 * time.Minute
)

const (
	// syncPage is the page size: the maximum, because calls are limited as well as rows.
	syncPage = 100
	// restartsPerRound limits how often a round restarts because the server refuses its position or cursor.
	restartsPerRound = 3
	// longestWait is how long the server may hold a call, and answerMargin is what remains of the timeout for its answer.
	longestWait, answerMargin = 25 * time.Second, 20 * time.Second
	// heldInterval is the least time between the beginnings of two rounds whose calls are held: frequent changes must not
	// use up the limits of the key.
	heldInterval = 5 * time.Second
	// beginning is the position before the first change.
	beginning = "beginning"
)

// SyncState is the progress of a synchronization. Store it as JSON; its members are internal to this package. The zero
// value stands for an empty copy.
type SyncState struct {
	// CollectedAt is a time up to which the copy is complete, by the server's clock if known.
	CollectedAt time.Time `json:"collected_at,omitzero"`
	// After is the position after the last page.
	After string `json:"after,omitempty"`
	// StartedAt, Since and Cursor describe an incomplete round on a server without positions.
	StartedAt time.Time `json:"started_at,omitzero"`
	Since     time.Time `json:"since,omitzero"`
	Cursor    string    `json:"cursor,omitempty"`
}

// Sync keeps a copy of a list up to date. It reads the list forwards: each round requests what has changed after the
// position of the previous page, and passes the pages to a callback that stores them by identifier, overwriting, together
// with the position. So the copy is exact after every page, wherever the program stops. A state may move backwards: store
// it as received.
//
// An older installation, which has no positions, is read in rounds that overlap: each requests what has changed since the
// previous one began, minus Overlap. The same record can arrive twice then. A copy that was made in this way is continued
// with positions as soon as the server has them.
//
// A Sync must not be used by more than one goroutine at a time.
type Sync[T any] struct {
	// Every is the interval between the beginnings of two rounds, DefaultEvery if zero, where the server cannot hold a call
	// until something changes.
	Every time.Duration
	// Overlap is how far a round without a position reaches back before the time up to which the copy is complete,
	// DefaultOverlap if zero. It compensates for clocks that differ; the server's clock is used if known.
	Overlap time.Duration
	// AfterRound, if set, is called after every round, also a failed one.
	AfterRound func(Round)

	load   func(context.Context) (SyncState, error)
	upsert func(context.Context, []T, SyncState) error
	page   func(context.Context, syncQuery, ...CallOption) (Page[T], error)
	clock  Clock
	// wait is how many seconds Run lets the server hold a call.
	wait int
}

// syncQuery selects a page: the one after a position, or the one at a cursor of what has changed since a time.
type syncQuery struct {
	after  string
	wait   int
	since  time.Time
	cursor string
}

// Round is the result of one round.
type Round struct {
	// Since is the lower bound of updated_at that was requested; zero for everything, and for what is after a position.
	Since time.Time
	// Pages and Records are how many were stored.
	Pages, Records int
	// Resumed reports whether the round continued at the position or cursor that was stored.
	Resumed bool
	// Err is why the round is not complete; nil if it is.
	Err error

	// held reports whether the server holds calls, so that the next round need not wait.
	held bool
}

// SyncOrders keeps a copy of the orders. load returns the state of the last upsert, the zero state before the first one.
// upsert stores a page, which may be empty, together with the state after it, in one transaction.
func (c *Client) SyncOrders(
	load func(context.Context) (SyncState, error), upsert func(context.Context, []Order, SyncState) error,
) *Sync[Order] {
	page := func(ctx context.Context, q syncQuery, options ...CallOption) (Page[Order], error) {
		return c.ListOrders(ctx, OrderFilter{
			After: q.after, Wait: q.wait, UpdatedAtGte: q.since, Cursor: q.cursor, Limit: syncPage,
		}, options...)
	}
	return &Sync[Order]{load: load, upsert: upsert, page: page, clock: c.clock, wait: c.longestWait()}
}

// SyncClaims keeps a copy of the claims; see SyncOrders.
func (c *Client) SyncClaims(
	load func(context.Context) (SyncState, error), upsert func(context.Context, []Claim, SyncState) error,
) *Sync[Claim] {
	page := func(ctx context.Context, q syncQuery, options ...CallOption) (Page[Claim], error) {
		return c.ListClaims(ctx, ClaimFilter{
			After: q.after, Wait: q.wait, UpdatedAtGte: q.since, Cursor: q.cursor, Limit: syncPage,
		}, options...)
	}
	return &Sync[Claim]{load: load, upsert: upsert, page: page, clock: c.clock, wait: c.longestWait()}
}

// SyncInquiries keeps a copy of the product inquiries; see SyncOrders.
func (c *Client) SyncInquiries(
	load func(context.Context) (SyncState, error), upsert func(context.Context, []Inquiry, SyncState) error,
) *Sync[Inquiry] {
	page := func(ctx context.Context, q syncQuery, options ...CallOption) (Page[Inquiry], error) {
		return c.ListInquiries(ctx, InquiryFilter{
			After: q.after, Wait: q.wait, UpdatedAtGte: q.since, Cursor: q.cursor, Limit: syncPage,
		}, options...)
	}
	return &Sync[Inquiry]{load: load, upsert: upsert, page: page, clock: c.clock, wait: c.longestWait()}
}

// longestWait returns for how many seconds a call may be held so that its answer comes within the timeout; 0 if the
// timeout is too short to wait at all.
func (c *Client) longestWait() int {
	if c.http.Timeout == 0 {
		return int(longestWait.Seconds())
	}
	return int(max(0, min(longestWait, c.http.Timeout-answerMargin)).Seconds())
}

// Run does rounds until the context ends, a callback fails, or a response is a permanent refusal, and returns the
// reason. The server holds the call of a round until something changes, for 25 seconds at most; where it does not, the next
// round follows at its regular time. After a temporary failure it follows as it did after the last round that succeeded.
func (s *Sync[T]) Run(ctx context.Context) error {
	every := s.Every
	setDefault(&every, DefaultEvery)
	held := s.wait > 0
	for {
		begun := s.clock.Now()
		round, err := s.round(ctx, s.wait)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !Temporary(err) {
			return err
		}
		if err == nil {
			held = round.held
		}
		interval := every
		if held {
			interval = min(every, heldInterval)
		}
		if err := s.clock.Wait(ctx, interval-s.clock.Now().Sub(begun)); err != nil {
			return err
		}
	}
}

// Round does one round. The error is also in the Round.
func (s *Sync[T]) Round(ctx context.Context) (Round, error) { return s.round(ctx, 0) }

func (s *Sync[T]) round(ctx context.Context, wait int) (Round, error) {
	var round Round
	round.Err = s.collect(ctx, &round, wait)
	if s.AfterRound != nil {
		s.AfterRound(round)
	}
	return round, round.Err
}

func (s *Sync[T]) collect(ctx context.Context, round *Round, wait int) error {
	state, err := s.load(ctx)
	if err != nil {
		return err
	}
	round.Resumed = state.isPlaced()
	round.Since = state.Since
	if !round.Resumed {
		round.Since = s.since(state)
	}
	step := s.forwards
	for restarts := 0; ; {
		next, page, info, err := step(ctx, state, wait)
		switch {
		case errors.Is(err, errNoPositions):
			step = s.backwards
			continue
		case CodeOf(err) == CodeInvalidCursor && state.isPlaced() && restarts < restartsPerRound:
			restarts++
			state = SyncState{CollectedAt: state.CollectedAt}
			continue
		case err != nil:
			return err
		}
		if err := s.upsert(ctx, page.List, next); err != nil {
			return err
		}
		round.Pages, round.Records = round.Pages+1, round.Records+len(page.List)
		if page.NextCursor == nil {
			round.held = wait > 0 && next.After != "" && !info.NotHeld
			return nil
		}
		state = next
	}
}

func (s SyncState) isPlaced() bool { return s.After != "" || s.Cursor != "" }

// since returns the time from which a round without a position has to read.
func (s *Sync[T]) since(state SyncState) time.Time {
	if state.CollectedAt.IsZero() {
		return time.Time{}
	}
	overlap := s.Overlap
	setDefault(&overlap, DefaultOverlap)
	return state.CollectedAt.Add(-overlap)
}

// errNoPositions means that the server is an older one, which refuses or ignores the parameter after.
var errNoPositions = errors.New("the server has no positions")

func refusesAfter(err error) bool {
	var refused *Error
	if !errors.As(err, &refused) || refused.Code != CodeValidationError {
		return false
	}
	_, named := refused.Field("query.after")
	return named
}

// forwards reads the page after the position of a state and returns the state after it.
func (s *Sync[T]) forwards(ctx context.Context, state SyncState, wait int) (SyncState, Page[T], ResponseInfo, error) {
	after := state.After
	if after == "" {
		after = beginning
		if since := s.since(state); !since.IsZero() {
			after = FormatTime(since)
		}
	}
	page, info, err := s.read(ctx, syncQuery{after: after, wait: wait})
	if err == nil && page.After == "" || refusesAfter(err) {
		err = errNoPositions
	}
	next := SyncState{CollectedAt: state.CollectedAt, After: page.After}
	if page.NextCursor == nil {
		next.CollectedAt = info.Date
	}
	return next, page, info, err
}

// backwards reads the next page of an overlapping round and returns the state after it.
func (s *Sync[T]) backwards(ctx context.Context, state SyncState, _ int) (SyncState, Page[T], ResponseInfo, error) {
	if state.Cursor == "" {
		state = SyncState{CollectedAt: state.CollectedAt, Since: s.since(state)}
	}
	page, info, err := s.read(ctx, syncQuery{since: state.Since, cursor: state.Cursor})
	if state.StartedAt.IsZero() {
		state.StartedAt = info.Date
	}
	if page.NextCursor == nil {
		return SyncState{CollectedAt: state.StartedAt}, page, info, err
	}
	state.Cursor = *page.NextCursor
	return state, page, info, err
}

// read reads a page. The Date of the response is the time before the call if the server did not say it.
func (s *Sync[T]) read(ctx context.Context, query syncQuery) (Page[T], ResponseInfo, error) {
	now := s.clock.Now().UTC()
	var info ResponseInfo
	page, err := s.page(ctx, query, Capture(&info))
	if info.Date.IsZero() {
		info.Date = now
	}
	return page, info, err
}
