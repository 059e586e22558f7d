package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// The time-outs of every server; see the package comment.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 30 * time.Second
	idleTimeout       = 120 * time.Second
	maxHeaderBytes    = 32 << 10
	// DefaultWriteTimeout is longer than the slowest handler of the public paths and of internal calls.
	DefaultWriteTimeout = 60 * time.Second
)

type server struct {
	name       string
	port       net.Listener
	http       *http.Server
	notAwaited bool
}

func newServer(ctx context.Context, l Listener, ready *readiness, log *slog.Logger) (*server, error) {
	port, err := (&net.ListenConfig{}).Listen(ctx, "tcp", l.Addr)
	if err != nil {
		return nil, fmt.Errorf("listen for %s on %q: %w", l.Name, l.Addr, err)
	}
	if l.WriteTimeout == 0 {
		l.WriteTimeout = DefaultWriteTimeout
	}
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(l.H2C && l.TLS != nil)
	protocols.SetUnencryptedHTTP2(l.H2C && l.TLS == nil)
	return &server{name: l.Name, port: port, notAwaited: l.NotAwaited, http: &http.Server{
		Handler:           closing(l.Handler, ready),
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      l.WriteTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		Protocols:         protocols,
		ConnState:         l.ConnState,
		TLSConfig:         l.TLS.Clone(), // which the server adds its protocols to
		ErrorLog:          slog.NewLogLogger(log.With("listener", l.Name).Handler(), slog.LevelWarn),

		DisableGeneralOptionsHandler: true, // net/http would answer "OPTIONS *" itself, without our envelope
	}}, nil
}

// serve accepts until stop is called, and then returns nil. It returns an error if the server fails.
func (s *server) serve() error {
	accept := s.http.Serve
	if s.http.TLSConfig != nil {
		accept = func(port net.Listener) error { return s.http.ServeTLS(port, "", "") }
	}
	if err := accept(s.port); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve %s: %w", s.name, err)
	}
	return nil
}

// stop closes the port and waits for the requests in progress, at most for timeout. Then it cuts off the remaining ones and
// returns an error.
func (s *server) stop(ctx context.Context, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := s.http.Shutdown(ctx); err != nil {
		_ = s.http.Close()
		return fmt.Errorf("requests on %s aborted: %w", s.name, err)
	}
	return nil
}

// closing asks every client during the drain to use a new connection for its next request. Without it, the kept-alive connections
// of a busy pool would remain until the server closes them during use.
func closing(next http.Handler, ready *readiness) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ready.draining() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
