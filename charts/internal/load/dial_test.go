package load

import (
	"net"
	"net/http"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// fullListener returns the address of a listener whose queue is full, so that connecting to it gets no answer.
func fullListener(t *testing.T) string {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Close(socket) })
	require.NoError(t, syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	require.NoError(t, syscall.Listen(socket, 0))
	bound, err := syscall.Getsockname(socket)
	require.NoError(t, err)
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(bound.(*syscall.SockaddrInet4).Port))
	var dialer net.Dialer
	queued, err := dialer.DialContext(t.Context(), "tcp", address) // the queue has room for one
	require.NoError(t, err)
	t.Cleanup(func() { _ = queued.Close() })
	return address
}

// A dial to a service that does not answer ends although nobody waits for it any more.
func TestClient_dialsEnd(t *testing.T) {
	t.Parallel()
	transport := newHTTPClient(nil).Transport.(*http.Transport)
	require.NotNil(t, transport.DialContext)
	_, err := transport.DialContext(t.Context(), "tcp", fullListener(t))
	var failed net.Error
	require.ErrorAs(t, err, &failed)
	require.True(t, failed.Timeout())
}
