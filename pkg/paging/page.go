package paging

// Page is a part of a list.
type Page[R any] struct {
	Rows []R
	// More reports whether the list goes on after the last row.
	More bool
}

// Cut returns the page of at most limit rows. rows were read with a limit of one more: a surplus row means that the list goes on.
func Cut[R any](rows []R, limit int) Page[R] {
	if len(rows) <= limit {
		return Page[R]{Rows: rows}
	}
	return Page[R]{Rows: rows[:limit], More: true}
}
