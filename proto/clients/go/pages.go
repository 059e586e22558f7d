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

// walk yields the elements of all pages from a cursor on, and then the error that ended it, if any.
func walk[T any](cursor string, page func(cursor string) (Page[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for at := cursor; ; {
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
			at = *got.NextCursor
		}
	}
}
