package sellerapi

import "iter"

// Page is one page of a list.
type Page[T any] struct {
	List []T `json:"list"`
	// NextCursor is the cursor of the next page; nil on the last one.
	NextCursor *string `json:"next_cursor"`
	// After is the position after a page that was read with After; else empty.
	After string `json:"after,omitempty"`
}

// place is where a page begins: behind a position if the list is read forwards, else at a cursor.
type place struct{ after, cursor string }

// next returns the place of the next page, which next_cursor names in both directions.
func (p place) next(cursor string) place {
	if p.after != "" {
		return place{after: cursor}
	}
	return place{cursor: cursor}
}

// walk yields the elements of all pages from a place on, and then the error that ended it, if any.
func walk[T any](from place, page func(place) (Page[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for at := from; ; {
			got, err := page(at)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, element := range got.List {
				if !yield(element, nil) {
					return
				}
			}
			if got.NextCursor == nil {
				return
			}
			at = at.next(*got.NextCursor)
		}
	}
}
