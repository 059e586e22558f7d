package redis

import (
	"context"
	"net"
	"time"

	"github.com/redis/go-redis/v9"
)

// openEach makes every command that needs a connection try to open one.
//
// The library's pool gives up when as many connections as it may have could not be opened, however long ago: from then on it
// answers with the last error, and checks once a second whether the server is back. All callers would miss a promoted replica
// for up to that second. So dialling reports no failure: it returns a failed connection, whose first use returns the error. A
// caller that must limit its attempts has its own circuit breaker, as the gateway does.
func openEach(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := next(ctx, network, address)
		if err != nil {
			return unopened{err}, nil //nolint:nilerr // returned on the first use
		}
		return conn, nil
	}
}

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
