package roundtrip

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
	// besideBytes is the size from which a separate goroutine writes the body.
	besideBytes = 16 << 10
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

	home   *Transport
	socket syscall.RawConn // nil if the connection has no file descriptor to check
	since  time.Time       // the time of its last use

	used      bool  // for a request before this one
	responded bool  // part of an answer has arrived
	written   int64 // bytes of the request
	room      int64 // bytes that may still be read
}

func newConn(opened net.Conn, home *Transport) *conn {
	c := &conn{Conn: opened, home: home}
	if secured, ok := opened.(interface{ NetConn() net.Conn }); ok {
		opened = secured.NetConn()
	}
	if plain, ok := opened.(syscall.Conn); ok {
		c.socket, _ = plain.SyscallConn() // without one the connection is assumed to be open
	}
	return c
}

// quiet reports whether an idle connection is still open and has no unread data.
func (c *conn) quiet() bool {
	if c.socket == nil {
		return true
	}
	var one [1]byte
	var err error
	looked := c.socket.Read(func(descriptor uintptr) bool {
		_, _, err = syscall.Recvfrom(int(descriptor), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT) //nolint:gosec // a file descriptor is small
		return true
	})
	return looked == nil && (errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EWOULDBLOCK))
}

// Read implements io.Reader, limited to the bytes that may still be read.
func (c *conn) Read(into []byte) (int, error) {
	if c.room <= 0 {
		return 0, errHead
	}
	n, err := c.Conn.Read(into[:min(int64(len(into)), c.room)])
	c.responded, c.room = c.responded || n > 0, c.room-int64(n)
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

// exchange sends a request and reads the head of its answer. The connection is closed after an error.
func (c *conn) exchange(ctx context.Context, request *http.Request) (*http.Response, error) {
	e := &exchange{conn: c, cancelled: ctx.Err, stop: func() bool { return true }}
	if ctx.Done() != nil {
		e.stop = context.AfterFunc(ctx, func() { _ = c.SetDeadline(interrupted) })
	}
	if err := e.send(request); err != nil {
		e.end(false)
		return nil, err
	}
	e.reader = readers.Get().(*bufio.Reader)
	e.reader.Reset(c)
	response, err := e.readHead(request)
	if err != nil {
		e.end(false)
		return nil, err
	}
	e.body, e.last = response.Body, response.Close
	response.Body = e
	return response, nil
}

type exchange struct {
	conn      *conn
	reader    *bufio.Reader
	cancelled func() error // the error of the request's context
	stop      func() bool  // stops watching the request's context; false: the context has ended
	writing   chan error   // receives the result of a background write; nil: it has ended
	body      io.ReadCloser
	last      bool  // the connection is closed after this answer
	ended     error // the error of further reads; nil: the exchange is in progress
}

// send writes the request. A large body is written in the background, because the service may be slow to read it.
func (e *exchange) send(request *http.Request) error {
	if 0 <= request.ContentLength && request.ContentLength < besideBytes {
		return write(e.conn, request)
	}
	e.writing = make(chan error, 1)
	go func() { e.writing <- write(e.conn, request) }()
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

func (e *exchange) readHead(request *http.Request) (*http.Response, error) {
	e.conn.room = e.conn.home.options.MaxHeadBytes
	for {
		response, err := http.ReadResponse(e.reader, request)
		if err != nil {
			return nil, err
		}
		if response.StatusCode >= http.StatusOK || response.StatusCode == http.StatusSwitchingProtocols {
			e.conn.room = math.MaxInt64
			response.Close = response.Close || response.StatusCode == http.StatusSwitchingProtocols
			return response, nil
		}
	}
}

// Extend moves the deadline for the rest of an answer of Do. It has no effect when the answer was read, or its request cancelled.
func Extend(response *http.Response, deadline time.Time) {
	e, ok := response.Body.(*exchange)
	if !ok || e.ended != nil {
		return
	}
	_ = e.conn.SetDeadline(deadline) // fails on a closed connection only, as the next read does
	if e.cancelled() != nil {
		_ = e.conn.SetDeadline(interrupted) // the cancellation may have set it before
	}
}

// Read implements io.Reader. The connection is released when the body has been read to its end.
func (e *exchange) Read(into []byte) (int, error) {
	if e.ended != nil {
		return 0, e.ended
	}
	n, err := e.body.Read(into)
	if err != nil {
		e.end(errors.Is(err, io.EOF))
	}
	return n, err
}

// Close implements io.Closer. It closes the connection if part of the answer is unread.
func (e *exchange) Close() error {
	e.end(false)
	return nil
}

// end releases the connection, or closes it unless the whole answer was read and nothing else is in progress.
func (e *exchange) end(whole bool) {
	if e.ended != nil {
		return
	}
	if e.ended = http.ErrBodyReadAfterClose; whole {
		e.ended = io.EOF
	}
	keep := e.stop() && whole && !e.last && e.reader.Buffered() == 0 && e.written()
	if e.reader != nil {
		e.reader.Reset(nil)
		readers.Put(e.reader)
	}
	if keep {
		e.conn.home.keep(e.conn)
		return
	}
	_ = e.conn.Close()
	if e.writing != nil {
		<-e.writing //nolint:errcheck // an answer arrived anyway, or there is another error
	}
}

func (e *exchange) written() bool {
	if e.writing == nil {
		return true
	}
	select {
	case err := <-e.writing:
		e.writing = nil
		return err == nil
	default:
		return false
	}
}
