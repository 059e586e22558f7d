package sellerapi

import (
	"context"
	"time"
)

// The values that the interface description recommends to clients that collect changes.
const (
	DefaultEvery   = 5 * time.Minute
	DefaultOverlap = 10 * time.Minute
)

// syncPage is the page size: the maximum, because calls are limited as well as rows.
const syncPage = 100

// restartsPerRound limits how often a round restarts because the server refuses its cursor.
const restartsPerRound = 3

// SyncState is the progress of a synchronization. Store it as JSON; its members are internal to this package. The zero
// value stands for an empty copy.
type SyncState struct {
	// CollectedAt is when the last complete round began, by the server's clock if known.
	CollectedAt time.Time `json:"collected_at,omitzero"`
	// StartedAt, Since and Cursor describe a round that is not complete.
	StartedAt time.Time `json:"started_at,omitzero"`
	Since     time.Time `json:"since,omitzero"`
	Cursor    string    `json:"cursor,omitempty"`
}

// Sync keeps a copy of a list up to date. Each round requests what has changed since the previous one began, minus an
// overlap, and passes the pages to a callback that stores them by identifier, overwriting. The same record can arrive
// twice, and its state may have moved backwards: store it as received. A round that was interrupted continues where it
// stopped.
//
// A Sync must not be used by more than one goroutine at a time.
type Sync[T any] struct {
	// Every is the interval between the beginnings of two rounds, DefaultEvery if zero.
	Every time.Duration
	// Overlap is how far each round reaches back before the beginning of the previous one, DefaultOverlap if zero. It
	// compensates for clocks that differ; the server's clock is used if known.
	Overlap time.Duration
	// AfterRound, if set, is called after every round, also a failed one.
	AfterRound func(Round)

	load   func(context.Context) (SyncState, error)
	upsert func(context.Context, []T, SyncState) error
	page   func(ctx context.Context, since time.Time, cursor string, info *ResponseInfo) (Page[T], error)
	clock  Clock
}

// Round is the result of one round.
type Round struct {
	// Since is the lower bound of updated_at that was requested; zero for everything.
	Since time.Time
	// Pages and Records are how many were stored.
	Pages, Records int
	// Resumed reports whether the round continued an interrupted one.
	Resumed bool
	// Err is why the round is not complete; nil if it is.
	Err error
}

// SyncOrders keeps a copy of the orders. load returns the state of the last upsert, the zero state before the first one.
// upsert stores a page, which may be empty, together with the state after it, preferably in one transaction.
func (c *Client) SyncOrders(
	load func(context.Context) (SyncState, error), upsert func(context.Context, []Order, SyncState) error,
) *Sync[Order] {
	return &Sync[Order]{
		load: load, upsert: upsert, clock: c.clock,
		page: func(ctx context.Context, since time.Time, cursor string, info *ResponseInfo) (Page[Order], error) {
			return c.ListOrders(ctx, OrderFilter{UpdatedAtGte: since, Limit: syncPage, Cursor: cursor}, Capture(info))
		},
	}
}

// SyncClaims keeps a copy of the claims; see SyncOrders.
func (c *Client) SyncClaims(
	load func(context.Context) (SyncState, error), upsert func(context.Context, []Claim, SyncState) error,
) *Sync[Claim] {
	return &Sync[Claim]{
		load: load, upsert: upsert, clock: c.clock,
		page: func(ctx context.Context, since time.Time, cursor string, info *ResponseInfo) (Page[Claim], error) {
			return c.ListClaims(ctx, ClaimFilter{UpdatedAtGte: since, Limit: syncPage, Cursor: cursor}, Capture(info))
		},
	}
}

// SyncInquiries keeps a copy of the product inquiries; see SyncOrders.
func (c *Client) SyncInquiries(
	load func(context.Context) (SyncState, error), upsert func(context.Context, []Inquiry, SyncState) error,
) *Sync[Inquiry] {
	return &Sync[Inquiry]{
		load: load, upsert: upsert, clock: c.clock,
		page: func(ctx context.Context, since time.Time, cursor string, info *ResponseInfo) (Page[Inquiry], error) {
			return c.ListInquiries(ctx, InquiryFilter{UpdatedAtGte: since, Limit: syncPage, Cursor: cursor}, Capture(info))
		},
	}
}

// Run does rounds until the context ends, a callback fails, or a response is a permanent refusal, and returns the
// reason. After a temporary failure, the next round follows at its regular time.
func (s *Sync[T]) Run(ctx context.Context) error {
	every := s.Every
	setDefault(&every, DefaultEvery)
	for {
		begun := s.clock.Now()
		_, err := s.Round(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !Temporary(err) {
			return err
		}
		if err := s.clock.Wait(ctx, every-s.clock.Now().Sub(begun)); err != nil {
			return err
		}
	}
}

// Round does one round. The error is also in the Round.
func (s *Sync[T]) Round(ctx context.Context) (Round, error) {
	var round Round
	round.Err = s.collect(ctx, &round)
	if s.AfterRound != nil {
		s.AfterRound(round)
	}
	return round, round.Err
}

func (s *Sync[T]) collect(ctx context.Context, round *Round) error {
	state, err := s.load(ctx)
	if err != nil {
		return err
	}
	round.Resumed = state.Cursor != ""
	if !round.Resumed {
		state = s.begin(state)
	}
	round.Since = state.Since
	for restarts := 0; ; {
		next, page, err := s.step(ctx, state)
		if CodeOf(err) == CodeInvalidCursor && state.Cursor != "" && restarts < restartsPerRound {
			restarts++
			state = s.begin(state)
			continue
		}
		if err != nil {
			return err
		}
		if err := s.upsert(ctx, page.List, next); err != nil {
			return err
		}
		round.Pages, round.Records = round.Pages+1, round.Records+len(page.List)
		if page.NextCursor == nil {
			return nil
		}
		state = next
	}
}

func (s *Sync[T]) begin(state SyncState) SyncState {
	overlap := s.Overlap
	setDefault(&overlap, DefaultOverlap)
	begun := SyncState{CollectedAt: state.CollectedAt}
	if !state.CollectedAt.IsZero() {
		begun.Since = state.CollectedAt.Add(-overlap)
	}
	return begun
}

func (s *Sync[T]) step(ctx context.Context, state SyncState) (SyncState, Page[T], error) {
	now := s.clock.Now().UTC()
	var info ResponseInfo
	page, err := s.page(ctx, state.Since, state.Cursor, &info)
	if err != nil {
		return state, page, err
	}
	if state.StartedAt.IsZero() {
		state.StartedAt = now
		if !info.Date.IsZero() {
			state.StartedAt = info.Date
		}
	}
	if page.NextCursor == nil {
		return SyncState{CollectedAt: state.StartedAt}, page, nil
	}
	state.Cursor = *page.NextCursor
	return state, page, nil
}
