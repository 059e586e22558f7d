package pgtest

import (
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

type readingConn struct {
	net.Conn
	begun chan struct{}
}

func (c readingConn) Read(into []byte) (int, error) {
	close(c.begun)
	return c.Conn.Read(into)
}

// A driver that is already reading when the statement is sent does not get its response
// either.
func TestCutConn_readBegunBefore(t *testing.T) {
	t.Parallel()
	client, server := net.Pipe()
	begun := make(chan struct{})
	conn := &cutConn{Conn: readingConn{client, begun}}
	read := make(chan error, 1)
	go func() {
		_, err := conn.Read(make([]byte, 8))
		read <- err
	}()
	<-begun
	conn.lose(Unanswered)
	_, err := server.Write([]byte("answer"))
	require.NoError(t, err)
	require.ErrorIs(t, <-read, io.EOF)
	_, err = conn.Write([]byte("commit"))
	require.ErrorIs(t, err, io.ErrClosedPipe)
}
