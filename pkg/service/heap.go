package service

import (
	"os"
	"runtime/debug"
)

// gcPercent is the GOGC value: the garbage before a collection, in percent of the live heap. A service has a live heap of a few
// megabytes and produces as much garbage every few hundred requests; the default of 100 would cause many collections a second under
// load.
const gcPercent = 300

// RelaxCollector allows more garbage between two collections than the default. GOGC, if it is set, takes precedence. GOMEMLIMIT, if it
// is set, still limits the heap.
func RelaxCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}
