package paging

import (
	"time"

	"github.com/google/uuid"
)

// ForwardPage is a part of a list that is read in the order of the changes, oldest first.
type ForwardPage[R any] struct {
	Rows []R
	// End is the position after the page.
	End Position
	// More reports whether there was more than the page.
	More bool
	// Clock is the seller's clock when the page was read, or before: what is missing from the page changed later. Zero if nothing
	// of the seller had changed.
	Clock time.Time
}

// Beginning returns the position before the first change.
func Beginning() Position { return Position{UpdatedAt: time.Unix(0, 0).UTC()} }

// Since returns the position before all changes at the time and later.
func Since(at time.Time) Position { return Position{UpdatedAt: at.UTC().Truncate(time.Microsecond)} }

// CutForward returns the page of at most limit rows, which were read with limit+1 after a position. An empty page leaves that
// where it is, but not later than the clock: what changes next has a time after the clock, and must come after the position.
func CutForward[R any](rows []R, limit int, after Position, clock time.Time, position func(*R) Position) ForwardPage[R] {
	page := ForwardPage[R]{Rows: rows, Clock: clock, More: len(rows) > limit, End: after}
	if page.More {
		page.Rows = rows[:limit]
	}
	switch {
	case len(page.Rows) > 0:
		page.End = position(&page.Rows[len(page.Rows)-1])
	case clock.IsZero():
		page.End = Beginning()
	case after.UpdatedAt.After(clock):
		page.End = Position{UpdatedAt: clock, ID: uuid.Max}
	}
	return page
}

// forwardOf returns the name to which the positions of a list are bound, so that no cursor is one of them.
func forwardOf(list string) string { return list + " forward" }

// SignPosition returns a position of a seller's list as a text that stays valid for as long as its key is accepted.
func (s *Signer) SignPosition(sellerID, list string, position Position) string {
	return s.Sign(Scope{SellerID: sellerID, List: forwardOf(list)}, position)
}

// OpenPosition verifies a position of the list of sellerID. The error is INVALID_CURSOR.
func (s *Signer) OpenPosition(sellerID, list, text string) (Position, error) {
	_, position, err := s.Open(sellerID, forwardOf(list), nil, text)
	return position, err
}

// Start is what a reader sends for the position before the first change.
const Start = "beginning"

// After returns the position that a reader goes on from: Start, a time, or a text of SignPosition for the list of sellerID. The
// error is INVALID_CURSOR, or that of parse, which gets a text that begins like a time.
func (s *Signer) After(sellerID, list, text string, parse func(string) (time.Time, error)) (Position, error) {
	switch {
	case text == Start:
		return Beginning(), nil
	case IsTime(text):
		at, err := parse(text)
		return Since(at), err
	}
	return s.OpenPosition(sellerID, list, text)
}

// IsTime reports whether a text begins like a time. No position begins with a digit.
func IsTime(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }
