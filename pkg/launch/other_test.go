package launch

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program accepts connections on its port when it is returned, until it is stopped.
func TestOther_runsUntilStopped(t *testing.T) {
	t.Parallel()
	path, err := system().redis()
	require.NoError(t, err)
	dir, folder := filepath.Join(tempDir(t), "other"), ""
	server, err := Other(t.Context(), dir, Program{
		Name: "a server",
		Command: func(dir string, port int) ([]string, error) {
			folder = dir
			return []string{path, "--bind", loopback, "--save", "", "--port", strconv.Itoa(port)}, nil
		},
		PortTaken: redisKind.portTaken,
	}, Options{})
	require.NoError(t, err)
	stopAtEnd(t, server)
	require.Equal(t, server.Dir, folder)
	require.Equal(t, "http://127.0.0.1:"+strconv.Itoa(server.Port), server.URL)
	require.NoError(t, probeConnection(t.Context(), server.URL))
	require.NoError(t, server.Stop())
	require.Error(t, probeConnection(t.Context(), server.URL))
}

// A program that ends before it accepts connections is an error with its name and the end of its log.
func TestOther_endsAtOnce(t *testing.T) {
	t.Parallel()
	path, err := system().redis()
	require.NoError(t, err)
	_, err = Other(t.Context(), filepath.Join(tempDir(t), "other"), Program{
		Name:      "a server",
		Command:   func(string, int) ([]string, error) { return []string{path, "--no-such-setting"}, nil },
		PortTaken: redisKind.portTaken,
	}, Options{})
	require.ErrorContains(t, err, "a server exited immediately")
	require.ErrorContains(t, err, "no-such-setting")
}
