package http1

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"
)

const (
	// bufferBytes fits the head of an answer and most bodies. Only requests in flight have buffers.
	bufferBytes = 32 << 10
	// asyncBytes is the size from which a separate goroutine writes the body.
	asyncBytes = 16 << 10
	// writerEnds is how long after an answer the end of its request is awaited before the connection is given up.
	writerEnds = 10 * time.Millisecond
)

var (
	readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, bufferBytes) }}
	writers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, bufferBytes) }}
)

// errHead says that the head of an answer is longer than allowed.
var errHead = errors.New("the response header is too long")

// conn is a connection. One request uses it at a time.
type conn struct {
	net.Conn

	transport *Transport
	socket    syscall.RawConn // nil if the connection has no file descriptor to check
	idleSince time.Time       // the time of its last use

	reused    bool  // for a request after its first
	responded bool  // part of an answer has arrived
	written   int64 // bytes of the request
	readLimit int64 // bytes that may still be read
}

func newConn(opened net.Conn, transport *Transport) *conn {
	c := &conn{Conn: opened, transport: transport}
	if secured, ok := opened.(interface{ NetConn() net.Conn }); ok {
		opened = secured.NetConn()
	}
	if plain, ok := opened.(syscall.Conn); ok {
		c.socket, _ = plain.SyscallConn() // without one the connection is assumed to be open
	}
	return c
}

// stillIdle reports whether an idle connection is still open and has no unread data.
func (c *conn) stillIdle() bool {
	if c.socket == nil {
		return true
	}
	var one [1]byte
	var err error
	looked := c.socket.Read(func(descriptor uintptr) bool {
		const flags = syscall.MSG_PEEK | syscall.MSG_DONTWAIT
		_, _, err = syscall.Recvfrom(int(descriptor), one[:], flags) //nolint:gosec // a file descriptor is small
		return true
	})
	return looked == nil && (errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EWOULDBLOCK))
}

// Read implements io.Reader, limited to the bytes that may still be read.
func (c *conn) Read(into []byte) (int, error) {
	if c.readLimit <= 0 {
		return 0, errHead
	}
	n, err := c.Conn.Read(into[:min(int64(len(into)), c.readLimit)])
	c.responded, c.readLimit = c.responded || n > 0, c.readLimit-int64(n)
	return n, err
}

// Write implements io.Writer.
func (c *conn) Write(bytes []byte) (int, error) {
	n, err := c.Conn.Write(bytes)
	c.written += int64(n)
	return n, err
}

// interrupted is a deadline in the past.
var interrupted = time.Unix(1, 0)

// roundTrip sends a request and reads the head of its answer. The connection is closed after an error.
func (c *conn) roundTrip(ctx context.Context, request *http.Request) (*http.Response, error) {
	t := &roundTrip{conn: c, cancelled: ctx.Err, stop: func() bool { return true }}
	if ctx.Done() != nil {
		t.stop = context.AfterFunc(ctx, func() { _ = c.SetDeadline(interrupted) })
	}
	if err := t.send(request); err != nil {
		t.end(false)
		return nil, err
	}
	t.reader = readers.Get().(*bufio.Reader)
	t.reader.Reset(c)
	response, err := t.readHead(request)
	if err != nil {
		t.end(false)
		return nil, err
	}
	t.body, t.last = response.Body, response.Close
	response.Body = t
	return response, nil
}

type roundTrip struct {
	conn      *conn
	reader    *bufio.Reader
	cancelled func() error // the error of the request's context
	stop      func() bool  // stops watching the request's context; false: the context has ended
	writing   chan error   // receives the result of a background write; nil: it has ended
	body      io.ReadCloser
	last      bool  // the connection is closed after this answer
	ended     error // the error of further reads; nil: the round trip is in progress
}

// send writes the request. A large body is written in the background, because the service may be slow to read it.
func (t *roundTrip) send(request *http.Request) error {
	if 0 <= request.ContentLength && request.ContentLength < asyncBytes {
		return write(t.conn, request)
	}
	t.writing = make(chan error, 1)
	go func() { t.writing <- write(t.conn, request) }()
	return nil
}

func write(to io.Writer, request *http.Request) error {
	writer := writers.Get().(*bufio.Writer)
	writer.Reset(to)
	err := request.Write(writer)
	if err == nil {
		err = writer.Flush()
	}
	writer.Reset(nil)
	writers.Put(writer)
	return err
}

func (t *roundTrip) readHead(request *http.Request) (*http.Response, error) {
	t.conn.readLimit = t.conn.transport.options.MaxHeadBytes
	for {
		response, err := http.ReadResponse(t.reader, request)
		if err != nil {
			return nil, err
		}
		if response.StatusCode >= http.StatusOK || response.StatusCode == http.StatusSwitchingProtocols {
			t.conn.readLimit = math.MaxInt64
			response.Close = response.Close || response.StatusCode == http.StatusSwitchingProtocols
			return response, nil
		}
	}
}

// Extend moves the deadline for the rest of an answer of Do. It has no effect when the answer was read, or its request cancelled.
func Extend(response *http.Response, deadline time.Time) {
	t, ok := response.Body.(*roundTrip)
	if !ok || t.ended != nil {
		return
	}
	_ = t.conn.SetDeadline(deadline) // fails on a closed connection only, as the next read does
	if t.cancelled() != nil {
		_ = t.conn.SetDeadline(interrupted) // the cancellation may have set it before
	}
}

// Read implements io.Reader. The connection is released when the body has been read to its end.
func (t *roundTrip) Read(into []byte) (int, error) {
	if t.ended != nil {
		return 0, t.ended
	}
	n, err := t.body.Read(into)
	if err != nil {
		t.end(errors.Is(err, io.EOF))
	}
	return n, err
}

// Close implements io.Closer. It closes the connection if part of the answer is unread.
func (t *roundTrip) Close() error {
	t.end(false)
	return nil
}

// end releases the connection, or closes it unless the whole answer was read and nothing else is in progress.
func (t *roundTrip) end(whole bool) {
	if t.ended != nil {
		return
	}
	if t.ended = http.ErrBodyReadAfterClose; whole {
		t.ended = io.EOF
	}
	keep := t.stop() && whole && !t.last && t.reader.Buffered() == 0 && t.written()
	if t.reader != nil {
		t.reader.Reset(nil)
		readers.Put(t.reader)
	}
	if keep {
		t.conn.transport.keep(t.conn)
		return
	}
	_ = t.conn.Close()
	if t.writing != nil {
		<-t.writing //nolint:errcheck // an answer arrived anyway, or there is another error
	}
}

// written reports whether the whole request was sent. The writer of a body that was taken may end a moment after the answer.
func (t *roundTrip) written() bool {
	if t.writing == nil {
		return true
	}
	select {
	case err := <-t.writing:
		t.writing = nil
		return err == nil
	case <-time.After(writerEnds):
		return false
	}
}
