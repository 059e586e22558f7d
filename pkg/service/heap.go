package service

import (
	"os"
	"runtime/debug"
)

// gcPercent is how much garbage may gather before it is collected, in percent of what is in use. A service holds a few
// megabytes and throws as much away with every few hundred requests; the runtime's own 100 would make it collect many
// times a second under load.
const gcPercent = 300

// RelaxCollector lets more garbage gather between two collections than the runtime would. An operator who sets GOGC decides
// instead. GOMEMLIMIT, where it is set, bounds the heap all the same.
func RelaxCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}
