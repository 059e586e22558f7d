package http1

import (
	"context"
	"errors"
	"fmt"
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

	mu     sync.Mutex
	idle   []*conn // the most recently used is last
	expiry *time.Timer
}

// New returns a Transport without connections.
func New(options Options) *Transport {
	t := &Transport{options: options}
	t.expiry = time.AfterFunc(time.Hour, t.closeExpired)
	t.expiry.Stop()
	return t
}

// Do sends a request and returns its answer once its head has arrived. The body must be closed, and is complete when it ends with
// io.EOF. Trailers are discarded. An error is ErrNoResponse if the service sent nothing at all, and os.ErrDeadlineExceeded or
// context.DeadlineExceeded on a timeout.
func (t *Transport) Do(ctx context.Context, request *http.Request, deadline time.Time) (*http.Response, error) {
	for {
		c, err := t.take(ctx, deadline)
		if err != nil {
			return nil, noResponse(err)
		}
		response, err := c.roundTrip(ctx, request)
		switch {
		case err == nil:
			return response, nil
		case c.mayRepeat(request, err) && ctx.Err() == nil:
			if err := rewind(request); err != nil {
				return nil, noResponse(err)
			}
		case !c.responded:
			return nil, noResponse(err)
		default:
			return nil, err
		}
	}
}

// ErrNoResponse says that no byte of an answer was received.
var ErrNoResponse = errors.New("no response was received")

func noResponse(cause error) error { return fmt.Errorf("%w: %w", ErrNoResponse, cause) }

// mayRepeat reports whether a failed request may be retried on another connection.
func (c *conn) mayRepeat(request *http.Request, err error) bool {
	if !c.reused || c.responded || errors.Is(err, os.ErrDeadlineExceeded) {
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
		if err := c.SetDeadline(deadline); err == nil && c.stillIdle() {
			c.reused, c.responded, c.written = true, false, 0
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
	c.idleSince = time.Now()
	t.idle = append(t.idle, c)
	if len(t.idle) == 1 {
		t.expiry.Reset(t.options.IdleTimeout)
	}
}

// closeExpired closes connections idle for longer than IdleTimeout, oldest first.
func (t *Transport) closeExpired() {
	t.mu.Lock()
	defer t.mu.Unlock()
	oldest, expired := time.Now().Add(-t.options.IdleTimeout), 0
	for expired < len(t.idle) && !t.idle[expired].idleSince.After(oldest) {
		_ = t.idle[expired].Close()
		expired++
	}
	t.idle = append(t.idle[:0], t.idle[expired:]...)
	clear(t.idle[len(t.idle):cap(t.idle)])
	if len(t.idle) > 0 {
		t.expiry.Reset(t.idle[0].idleSince.Sub(oldest))
	}
}

// CloseIdle closes the idle connections.
func (t *Transport) CloseIdle() {
	for c := t.pop(); c != nil; c = t.pop() {
		_ = c.Close()
	}
}
