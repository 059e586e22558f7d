package launch

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// The usage of a running process is more than zero; a process that does not exist is an error.
func TestUsage(t *testing.T) {
	t.Parallel()
	used, err := CPU(os.Getpid())
	require.NoError(t, err)
	require.Positive(t, used)
	memory, err := Memory(os.Getpid())
	require.NoError(t, err)
	require.Greater(t, memory, int64(1<<20))
	_, err = CPU(math.MaxInt32)
	require.ErrorIs(t, err, errNoAccount)
	_, err = Memory(math.MaxInt32)
	require.ErrorIs(t, err, errNoAccount)
}
