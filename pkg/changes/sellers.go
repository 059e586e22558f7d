package changes

import (
	"context"
	"strconv"
	"time"

	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/timestamp"
)

const (
	usualSellers = 1000
	mostSellers  = 10_000
	// overlap is how far the next call goes back. A seller's clock is read before its transaction commits, which the time-outs of
	// the sessions limit to seconds: meanwhile another seller with a later clock can be seen.
	overlap = time.Minute
	// sellersName binds positions to the sellers.
	sellersName = "sellers"
	// horizon is the part of a position inside of a walk that tells where the next walk begins at the latest.
	horizon = "horizon"
)

// Sellers finds the sellers that have changed.
type Sellers struct {
	Cursors *paging.Signer
	// Changed is postgres.ChangedSellers.
	Changed func(ctx context.Context, after paging.Position, limit int) ([]postgres.SellerClock, time.Time, error)
}

// SellersRequest is ChangedSellersRequest of every service.
type SellersRequest interface {
	GetSince() string
	GetLimit() int32
}

// SellersPage is a page of sellers.
type SellersPage struct {
	Clocks []postgres.SellerClock
	// Next is the position from which the next call goes on.
	Next string
	// More reports whether there were more than the page.
	More bool
}

// Read returns the page that was requested. Codes: VALIDATION_ERROR, INVALID_CURSOR. A walk ends with the page that has all
// that is left. The next one begins at the end of that page, but not later than the overlap before the first page was read: so
// no seller is missed whose transaction committed during the walk, however long that took.
func (s *Sellers) Read(ctx context.Context, request SellersRequest) (SellersPage, error) {
	var p invalid.Problems
	limit := limitOf(&p, request.GetLimit(), usualSellers, mostSellers)
	var latest time.Time
	after, err := startOf(&p, "since", request.GetSince(), func(text string) (start paging.Position, err error) {
		start, latest, err = s.open(text)
		return start, err
	})
	if err != nil {
		return SellersPage{}, err
	}
	clocks, now, err := s.Changed(ctx, after, limit+1)
	if err != nil {
		return SellersPage{}, err
	}
	if latest.IsZero() {
		latest = now.Add(-overlap)
	}
	page := SellersPage{Clocks: clocks[:min(limit, len(clocks))], More: len(clocks) > limit}
	if end := len(page.Clocks); end > 0 {
		after = paging.Position{UpdatedAt: page.Clocks[end-1].Last, ID: page.Clocks[end-1].Seller}
	}
	page.Next = s.sign(after, latest, page.More)
	return page, nil
}

// sign returns the position from which the next call goes on: inside of the walk if there is more, else at the start of the
// next.
func (s *Sellers) sign(end paging.Position, latest time.Time, more bool) string {
	scope := paging.Scope{List: sellersName}
	switch {
	case more:
		scope.Filters = map[string]string{horizon: strconv.FormatInt(latest.UnixMicro(), 10)}
	case end.UpdatedAt.After(latest):
		end = paging.Since(latest)
	}
	return s.Cursors.Sign(scope, end)
}

// open returns the position of a request, and the horizon of its walk if that began earlier.
func (s *Sellers) open(text string) (paging.Position, time.Time, error) {
	if text == paging.Start || paging.IsTime(text) {
		start, err := s.Cursors.After("", sellersName, text, timestamp.Parse)
		return start, time.Time{}, err
	}
	filters, start, err := s.Cursors.Open("", sellersName, nil, text)
	micros, inside := filters[horizon]
	if err != nil || !inside {
		return start, time.Time{}, err
	}
	at, err := strconv.ParseInt(micros, 10, 64)
	return start, time.UnixMicro(at), err
}
