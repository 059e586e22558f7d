// Package nearest finds the name that was probably meant.
package nearest

import "strings"

// Name returns the known name with the smallest edit distance from the given
// one, or "" if it exceeds a third of the letters or three. Letter case does not
// count as an edit.
func Name(name string, known []string) string {
	best, bestEdits := "", 4
	lower := strings.ToLower(name)
	for _, candidate := range known {
		if difference := len(candidate) - len(lower); difference > 3 || difference < -3 {
			continue
		}
		edits := editDistance(lower, strings.ToLower(candidate))
		if edits < bestEdits && edits*3 <= len(candidate) {
			best, bestEdits = candidate, edits
		}
	}
	return best
}

// editDistance returns the number of letters to insert, delete, replace or swap
// with their neighbour to get from a to b.
func editDistance(a, b string) int {
	before, previous, current := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			replace := previous[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			current[j] = min(replace, previous[j]+1, current[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous, current = previous, current, before
	}
	return previous[len(b)]
}
