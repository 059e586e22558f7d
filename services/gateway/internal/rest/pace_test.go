package rest

import (
	"bytes"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// piece is a part of a body and the time at which it is sent.
type piece struct {
	at   time.Duration
	size int
}

func play(conn net.Conn, pieces []piece) {
	began := time.Now()
	for _, piece := range pieces {
		<-time.After(time.Until(began.Add(piece.at)))
		if _, err := conn.Write(bytes.Repeat([]byte(" "), piece.size)); err != nil {
			return // the reader has stopped
		}
	}
	_ = conn.Close()
}

// A body that arrives in drops must not hold its memory, and one that is merely slow is worth waiting for: after two seconds the
// average counts.
func TestPace_average(t *testing.T) {
	t.Parallel()
	const second, bytes = time.Second, paceBytes
	for name, test := range map[string]struct {
		pieces []piece
		err    error
		ended  time.Duration
	}{
		"nothing":               {[]piece{{3 * second, 100}}, apierr.BodyTooSlow, 2 * second},
		"some bytes, then none": {[]piece{{second, 100}, {3 * second, 1}}, apierr.BodyTooSlow, 2 * second},
		"late but complete":     {[]piece{{1900 * time.Millisecond, 100}}, nil, 1900 * time.Millisecond},
		"at the minimum pace":   {[]piece{{second, 3 * bytes}, {2 * second, 3 * bytes}, {5 * second, 1}}, nil, 5 * second},
		"too slow later":        {[]piece{{second, 3 * bytes}, {4 * second, 1}}, apierr.BodyTooSlow, 3 * second},
		"fast but endless":      {[]piece{{second, 60 * bytes}, {16 * second, 1}}, apierr.BodyTooSlow, 15 * second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server, client := net.Pipe()
				playing := sync.WaitGroup{}
				defer playing.Wait()
				defer func() { _ = server.Close() }()
				playing.Go(func() { play(client, test.pieces) })
				kept, began := false, time.Now()
				body := &incoming{reader: server, announced: -1, deadline: server.SetReadDeadline, keep: func() { kept = true }}
				_, err := body.read(4<<20, pace{after: paceAfter, max: maxBodyTime})
				require.ErrorIs(t, err, test.err)
				require.Equal(t, test.ended, time.Since(began))
				require.Equal(t, test.err == nil, kept, "the connection is reused after success only")
			})
		})
	}
}

// A call ends within the time of the longest operation, however long its body and its wait take: servers stop waiting for it a
// little after that, when its answer is written and when a process ends. Its service has a part of the time in any case.
func TestInbound_endsInTime(t *testing.T) {
	t.Parallel()
	for _, op := range operation.All() {
		t.Run(op.Name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				in, queues := &inbound{op: &op}, newQueues(telemetrytest.Discard(t))
				if op.MaxBodyBytes > 0 {
					<-time.After(maxBodyTime)
					in.reading = maxBodyTime
				}
				running, err := queues.acquire(t.Context(), queueKey{class: op.Class}, maxRowsAtOnce, 0)
				require.NoError(t, err)
				time.AfterFunc(in.remaining().Timeout/2-time.Nanosecond, running)
				end, err := queues.wait(t.Context(), in, maxRowsAtOnce)
				require.NoError(t, err)
				defer end()
				service := in.remaining().Timeout
				require.Greater(t, service, op.Timeout/5)
				require.LessOrEqual(t, time.Since(began)+service, operation.MaxTimeout())
			})
		})
	}
}
