package launch

import (
	"bufio"
	"io"
	"math"
	"os"
	"os/exec"
	"testing"
	"time"

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

// The CPU time of a process contains that of the processes it has started, and keeps it when they have ended.
func TestTreeCPU_withChildren(t *testing.T) {
	t.Parallel()
	shell := exec.Command("sh", "-c", `sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo; read line'; echo; read line`)
	input, err := shell.StdinPipe()
	require.NoError(t, err)
	output, err := shell.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, shell.Start())
	lines := bufio.NewScanner(output)
	for _, state := range []string{"running", "ended"} {
		require.True(t, lines.Scan())
		alone, err := CPU(shell.Process.Pid)
		require.NoError(t, err)
		together, err := TreeCPU(shell.Process.Pid)
		require.NoError(t, err)
		require.Greater(t, together-alone, 50*time.Millisecond, "the other one has %s", state)
		_, err = io.WriteString(input, "\n")
		require.NoError(t, err)
	}
	require.NoError(t, shell.Wait())
	_, err = TreeCPU(math.MaxInt32)
	require.ErrorIs(t, err, errNoAccount)
}
