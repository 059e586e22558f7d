package http1_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/gateway/internal/upstream/http1"
)

func TestDo_deadline(t *testing.T) {
	t.Parallel()
	ended := make(chan bool)
	p := listen(t, func(_ int, on *peerConn) {
		on.readRequest()
		ended <- on.readRequest()
	})
	transport := to(t, p.address)
	near := time.Now().Add(time.Second)
	_, err := transport.Do(t.Context(), request(t, http.MethodGet, ""), near) //nolint:bodyclose // there is no answer
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.ErrorIs(t, err, http1.ErrNoResponse)
	require.False(t, <-ended, "the connection must be closed")
}

// The deadline of a request does not end the next one on its connection.
func TestDo_deadlineOfTheLastRequest(t *testing.T) {
	t.Parallel()
	p := listen(t, polite)
	transport := to(t, p.address)
	near := time.Now().Add(time.Second)
	response, err := transport.Do(t.Context(), request(t, http.MethodGet, ""), near)
	require.NoError(t, err)
	whole(t, response)
	require.Eventually(t, func() bool { return time.Now().After(near) }, time.Minute, time.Millisecond)
	require.Equal(t, "ok", ask(t, transport, request(t, http.MethodPost, "")))
	conns, _ := p.seen()
	require.Equal(t, 1, conns)
}

// The deadline for the rest of an answer can be moved, and a request that was cancelled stays cancelled.
func TestExtend(t *testing.T) {
	t.Parallel()
	for _, cancelled := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		t.Cleanup(cancel)
		extended, goOn := context.WithCancel(t.Context())
		p := listen(t, func(_ int, on *peerConn) {
			on.readRequest()
			on.write("HTTP/1.1 200 OK\nContent-Length: 4\n\nha")
			<-extended.Done()
			on.write("lf")
			on.readRequest()
		})
		t.Cleanup(goOn)
		near := time.Now().Add(time.Second)
		response, err := to(t, p.address).Do(ctx, request(t, http.MethodGet, ""), near)
		require.NoError(t, err)
		if cancelled {
			cancel()
		}
		require.Eventually(t, func() bool { return time.Now().After(near) }, time.Minute, time.Millisecond)
		later := soon()
		http1.Extend(response, later)
		if !cancelled {
			goOn()
			require.Equal(t, "half", whole(t, response))
			http1.Extend(response, near) // no effect on an answer that was read
			continue
		}
		_, err = io.ReadAll(response.Body)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.True(t, time.Now().Before(later))
		require.NoError(t, response.Body.Close())
	}
}

func TestDo_cancelled(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]string{"before the header": "", "in the body": "HTTP/1.1 200 OK\nContent-Length: 100\n\nx"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan bool, 1)
			p := listen(t, func(_ int, on *peerConn) {
				on.readRequest()
				on.write(head)
				if head == "" {
					cancel()
				}
				ended <- on.readRequest()
			})
			response, err := to(t, p.address).Do(ctx, request(t, http.MethodGet, ""), soon())
			if head != "" {
				require.NoError(t, err)
				cancel()
				_, err = io.ReadAll(response.Body)
				require.NoError(t, response.Body.Close())
			}
			require.Error(t, err)
			require.False(t, <-ended, "the connection must be closed")
		})
	}
}
