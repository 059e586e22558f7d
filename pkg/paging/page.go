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
