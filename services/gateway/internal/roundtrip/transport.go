package roundtrip

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// Options configure the connections. All are required.
type Options struct {
	// Dial opens a connection.
	Dial func(context.Context) (net.Conn, error)
	// MaxIdle is the maximum number of idle connections, IdleTimeout how long they are kept.
	MaxIdle     int
	IdleTimeout time.Duration
	// MaxHeadBytes limits the head of an answer, including informational ones before it.
	MaxHeadBytes int64
}

// Transport keeps connections to one address. It is safe for concurrent use.
type Transport struct {
	options Options

	mu   sync.Mutex
	idle []*conn // the most recently used is last
	reap *time.Timer
}

// New returns a Transport without connections.
func New(options Options) *Transport {
	t := &Transport{options: options}
	t.reap = time.AfterFunc(time.Hour, t.closeOld)
	t.reap.Stop()
	return t
}

// Do sends a request and returns its answer once its head has arrived. The body must be closed, and is complete when it ends with
// io.EOF. Trailers are discarded. An error is ErrNothing if the service sent nothing at all, and os.ErrDeadlineExceeded or
// context.DeadlineExceeded on a timeout.
func (t *Transport) Do(ctx context.Context, request *http.Request, deadline time.Time) (*http.Response, error) {
	for {
		c, err := t.take(ctx, deadline)
		if err != nil {
			return nil, &noResponseError{err}
		}
		response, err := c.exchange(ctx, request)
		switch {
		case err == nil:
			return response, nil
		case c.mayRepeat(request, err) && ctx.Err() == nil:
			if err := rewind(request); err != nil {
				return nil, &noResponseError{err}
			}
		case !c.responded:
			return nil, &noResponseError{err}
		default:
			return nil, err
		}
	}
}

// ErrNothing says that no byte of an answer was received.
var ErrNothing = errors.New("no response was received")

// noResponseError is an error before the first byte of an answer.
type noResponseError struct{ cause error }

// Error implements error.
func (e *noResponseError) Error() string { return e.cause.Error() }

// Unwrap returns ErrNothing and the cause.
func (e *noResponseError) Unwrap() []error { return []error{ErrNothing, e.cause} }

// mayRepeat reports whether a failed request may be retried on another connection.
func (c *conn) mayRepeat(request *http.Request, err error) bool {
	if !c.used || c.responded || errors.Is(err, os.ErrDeadlineExceeded) {
		return false
	}
	return c.written == 0 || request.Method == http.MethodGet && request.ContentLength == 0
}

func rewind(request *http.Request) (err error) {
	if request.GetBody != nil {
		request.Body, err = request.GetBody()
	}
	return err
}

// take returns an open connection, a new one if none is idle; a request may use it until the deadline.
func (t *Transport) take(ctx context.Context, deadline time.Time) (*conn, error) {
	for c := t.pop(); c != nil; c = t.pop() {
		if err := c.SetDeadline(deadline); err == nil && c.quiet() {
			c.used, c.responded, c.written = true, false, 0
			return c, nil
		}
		_ = c.Close()
	}
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	opened, err := t.options.Dial(ctx)
	if err != nil {
		return nil, err
	}
	if err := opened.SetDeadline(deadline); err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return newConn(opened, t), nil
}

func (t *Transport) pop() *conn {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := len(t.idle) - 1
	if last < 0 {
		return nil
	}
	c := t.idle[last]
	t.idle[last] = nil
	t.idle = t.idle[:last]
	return c
}

func (t *Transport) keep(c *conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.idle) >= t.options.MaxIdle {
		_ = c.Close()
		return
	}
	c.since = time.Now()
	t.idle = append(t.idle, c)
	if len(t.idle) == 1 {
		t.reap.Reset(t.options.IdleTimeout)
	}
}

// closeOld closes connections idle for longer than IdleTimeout, oldest first.
func (t *Transport) closeOld() {
	t.mu.Lock()
	defer t.mu.Unlock()
	oldest, old := time.Now().Add(-t.options.IdleTimeout), 0
	for old < len(t.idle) && !t.idle[old].since.After(oldest) {
		_ = t.idle[old].Close()
		old++
	}
	t.idle = append(t.idle[:0], t.idle[old:]...)
	clear(t.idle[len(t.idle):cap(t.idle)])
	if len(t.idle) > 0 {
		t.reap.Reset(t.idle[0].since.Sub(oldest))
	}
}

// CloseIdle closes the idle connections.
func (t *Transport) CloseIdle() {
	for c := t.pop(); c != nil; c = t.pop() {
		_ = c.Close()
	}
}
