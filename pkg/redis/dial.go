package redis

import (
	"context"
	"net"
	"time"

	"github.com/redis/go-redis/v9"
)

// openEach makes every command that needs a connection try to open one.
//
// After as many failed dials as its size, however long ago they were, the library's pool returns the last error without dialing, and
// retries only once a second. After a failover, all calls would fail for up to that second. So dial failures are hidden from the pool:
// it gets a connection that has already failed, and the error is returned on its first use. A caller that must not dial all the time
// needs its own circuit breaker, as the gateway has.
func openEach(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := next(ctx, network, address)
		if err != nil {
			return unopened{err}, nil //nolint:nilerr // returned on the first use
		}
		return conn, nil
	}
}

// unopened is a connection that could not be opened.
type unopened struct{ err error }

// Read implements net.Conn.
func (u unopened) Read([]byte) (int, error) { return 0, u.err }

// Write implements net.Conn.
func (u unopened) Write([]byte) (int, error) { return 0, u.err }

// Close implements net.Conn.
func (unopened) Close() error { return nil }

// LocalAddr implements net.Conn.
func (unopened) LocalAddr() net.Addr { return &net.TCPAddr{} }

// RemoteAddr implements net.Conn.
func (unopened) RemoteAddr() net.Addr { return &net.TCPAddr{} }

// SetDeadline implements net.Conn.
func (unopened) SetDeadline(time.Time) error { return nil }

// SetReadDeadline implements net.Conn.
func (unopened) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline implements net.Conn.
func (unopened) SetWriteDeadline(time.Time) error { return nil }
