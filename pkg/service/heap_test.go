package service

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// The garbage collector runs less often, unless GOGC is set.
func TestRelaxCollector_unlessGOGCDecides(t *testing.T) {
	before := debug.SetGCPercent(50)
	defer debug.SetGCPercent(before)
	t.Setenv("GOGC", "50")
	RelaxCollector()
	require.Equal(t, 50, debug.SetGCPercent(50))
	t.Setenv("GOGC", "")
	RelaxCollector()
	require.Equal(t, gcPercent, debug.SetGCPercent(before))
}
