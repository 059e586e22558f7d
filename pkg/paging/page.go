package paging

// Page is a part of a list.
type Page[R any] struct {
	Rows []R
	// More reports whether there are rows after the last one.
	More bool
}

// Cut returns the page of at most limit rows. rows were read with limit+1; a surplus row means that there are more.
func Cut[R any](rows []R, limit int) Page[R] {
	if len(rows) <= limit {
		return Page[R]{Rows: rows}
	}
	return Page[R]{Rows: rows[:limit], More: true}
}
