package market

import "sort"

type weighted[T any] struct {
	rows []T
	// upTo[i] is the sum of the weights of rows[0..i].
	upTo []int
}

func (w *weighted[T]) add(row T, weight int) {
	w.rows = append(w.rows, row)
	w.upTo = append(w.upTo, w.total()+weight)
}

func (w *weighted[T]) total() int {
	if len(w.upTo) == 0 {
		return 0
	}
	return w.upTo[len(w.upTo)-1]
}

// find returns the index of the row whose range of 0..total-1 contains the point.
func (w *weighted[T]) find(point int) int { return sort.SearchInts(w.upTo, point+1) }

func (w *weighted[T]) before(i int) int {
	if i == 0 {
		return 0
	}
	return w.upTo[i-1]
}
