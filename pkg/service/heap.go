package service

import (
	"os"
	"runtime/debug"
)

// gcPercent is the GOGC value: the garbage before a collection, in percent of the live heap. A service has a live heap of a few
// megabytes and produces as much garbage every few hundred requests; the default of 100 would cause many collections a second under
// load.
const gcPercent = 300

// RelaxCollector lets more garbage gather between two collections than the runtime would. An operator who sets GOGC decides
// instead. GOMEMLIMIT, where it is set, bounds the heap all the same.
func RelaxCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}
