package model

import "slices"

// Shrink removes operations as long as the rest still fails: halves first, then smaller parts, then single operations.
// Operations of one round stay concurrent. fails must not change the rounds.
func Shrink(rounds [][]Op, fails func(rounds [][]Op) bool) [][]Op {
	for size := max(1, len(rounds)/2); ; {
		shorter, shrunk := leaveOut(rounds, size, fails)
		rounds = shorter
		switch {
		case size > 1:
			size = max(1, size/2)
		case !shrunk:
			return singly(rounds, fails)
		}
	}
}

// leaveOut tries to remove each part of size rounds.
func leaveOut(rounds [][]Op, size int, fails func([][]Op) bool) (left [][]Op, shrunk bool) {
	for end := len(rounds); end > 0; end -= size {
		start := max(0, end-size)
		fewer := slices.Concat(rounds[:start], rounds[end:])
		if len(fewer) > 0 && fails(fewer) {
			rounds, shrunk = fewer, true
		}
	}
	return rounds, shrunk
}

// singly tries to remove single operations from rounds that have several.
func singly(rounds [][]Op, fails func([][]Op) bool) [][]Op {
	for i := range rounds {
		for k := len(rounds[i]) - 1; k >= 0 && len(rounds[i]) > 1; k-- {
			fewer := slices.Clone(rounds)
			fewer[i] = slices.Concat(rounds[i][:k], rounds[i][k+1:])
			if fails(fewer) {
				rounds = fewer
			}
		}
	}
	return rounds
}
