package paging

// Page is a part of a list.
type Page[R any] struct {
	Rows []R
	// Next is the position after which the next page begins; nil on the last page. A page with a next one may have fewer rows than
	// requested, or none.
	Next *Position
}

// Cut returns the page of at most limit rows. rows were read with limit+1; a surplus row means that there are more.
func Cut[R any](rows []R, limit int, position func(*R) Position) Page[R] {
	if len(rows) <= limit {
		return Page[R]{Rows: rows}
	}
	next := position(&rows[limit-1])
	return Page[R]{Rows: rows[:limit], Next: &next}
}

// CutWalk returns the page of rows that a bounded walk has read with limit+1. last says that the last row is the one at which the
// walk ended, where the next page goes on; it is on this page only if it is wanted.
func CutWalk[R any](rows []R, limit int, wanted, last bool, position func(*R) Position) Page[R] {
	var end *Position
	if last {
		at := position(&rows[len(rows)-1])
		end = &at
	}
	if !wanted {
		rows = rows[:len(rows)-1]
	}
	page := Cut(rows, limit, position)
	if page.Next == nil {
		page.Next = end
	}
	return page
}
