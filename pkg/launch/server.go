package launch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// startTimeout bounds the time from the start of a server to its first answer,
// including recovery after a crash.
const startTimeout = 60 * time.Second

// portAttempts is how many ports are tried when another program takes the
// chosen one before the server listens on it.
const portAttempts = 5

const loopback = "127.0.0.1"

// Options say how a server is run. The zero value suits tests: nothing is
// forced to disk. A PostgreSQL that is killed keeps its commits nevertheless, a
// Redis loses everything.
type Options struct {
	// Durable keeps acknowledged writes through a crash of the machine
	// (PostgreSQL: fsync; Redis: append-only file, written every second).
	Durable bool
	// Port is the port to listen on; 0 chooses a free one. It is an error if
	// the given port is taken.
	Port int
	// Env is added to the server's environment, for instance to preload a
	// library that changes its clock.
	Env []string
	// Settings are additional server settings, by their name in the server's
	// own configuration.
	Settings map[string]string
	// Password is the password of a server that has no data yet; an empty one
	// is replaced by a random one. Servers of a cluster share one.
	Password string
}

// Server is a running private server.
type Server struct {
	// URL is the connection string for clients; it contains the password. It
	// stays the same through Kill and Restart.
	URL string
	// Dir is where the data is; the package comment says why this may not be
	// the requested directory.
	Dir string
	// Port is the loopback port.
	Port int

	kind    *kind
	home    *home
	options Options

	mu      sync.Mutex
	running *process
}

type kind struct {
	name          string
	prepare       func(ctx context.Context, h *home, options Options) error
	command       func(h *home, port int, options Options) ([]string, error) // program and arguments
	url           func(h *home, port int) string
	probe         func(ctx context.Context, url string) error
	afterStart    func(ctx context.Context, url string) error // nil for nothing
	portTaken     string                                      // the log message when the port is taken
	onParentDeath syscall.Signal
	stop          []step
}

func (k *kind) start(ctx context.Context, dir string, user *account, options Options) (*Server, error) {
	h, err := openHome(dir, user, lockTimeout)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", k.name, err)
	}
	if err := h.begin(options.Password); err != nil {
		h.close()
		return nil, fmt.Errorf("start %s: %w", k.name, err)
	}
	return k.startIn(ctx, h, options)
}

// startIn runs a server in an opened home, which it closes on failure.
func (k *kind) startIn(ctx context.Context, h *home, options Options) (*Server, error) {
	s := &Server{Dir: h.dir, kind: k, home: h, options: options}
	if err := s.launch(ctx); err != nil {
		h.close()
		return nil, fmt.Errorf("start %s in %s: %w", k.name, h.dir, err)
	}
	return s, nil
}

// launch prepares the directory and starts the process, trying other ports if
// necessary.
func (s *Server) launch(ctx context.Context) error {
	if err := s.kind.prepare(ctx, s.home, s.options); err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		port, err := s.choosePort(ctx)
		if err != nil {
			return err
		}
		err = s.startOn(ctx, port)
		if err == nil {
			return s.finishStart(ctx)
		}
		if !errors.Is(err, errPortTaken) || s.options.Port != 0 || attempt == portAttempts {
			return err
		}
	}
}

// finishStart does what requires a running server. If that fails, the server is
// stopped.
func (s *Server) finishStart(ctx context.Context) error {
	if s.kind.afterStart == nil {
		return nil
	}
	if err := s.kind.afterStart(ctx, s.URL); err != nil {
		return errors.Join(err, s.Stop())
	}
	return nil
}

// choosePort returns the requested port, or one that is currently free.
func (s *Server) choosePort(ctx context.Context) (int, error) {
	if s.options.Port != 0 {
		return s.options.Port, nil
	}
	listener, err := ListenFree(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = listener.Close() }()
	address, ok := listener.Addr().(*net.TCPAddr)
	if !ok {
		return 0, fmt.Errorf("find a free port: listening on %s", listener.Addr())
	}
	return address.Port, nil
}

func (s *Server) startOn(ctx context.Context, port int) error {
	argv, err := s.kind.command(s.home, port, s.options)
	if err != nil {
		return err
	}
	log, err := s.home.openLog()
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	cmd := &exec.Cmd{
		Path: argv[0], Args: argv, Dir: s.Dir, Env: environment(s.options.Env...), Stdout: log, Stderr: log,
		ExtraFiles: []*os.File{s.home.lock}, // keeps the directory locked while the server lives
	}
	p, err := spawn(cmd, s.home.user, s.kind.onParentDeath)
	if err != nil {
		return err
	}
	s.URL, s.Port = s.kind.url(s.home, port), port
	if err := s.await(ctx, p); err != nil {
		return errors.Join(err, p.escalate(step{syscall.SIGKILL, time.Minute}))
	}
	s.mu.Lock()
	s.running = p
	s.mu.Unlock()
	return nil
}

// environment returns the environment of a server. It excludes secrets of the
// stack and variables that PostgreSQL's programs read.
func environment(extra ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}, extra...)
}

// await returns when the server answers, exits, or takes too long. The exit of
// the process also cancels a probe that hangs because another program has the
// port.
func (s *Server) await(ctx context.Context, p *process) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	go func() {
		select {
		case <-p.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	for {
		last := s.kind.probe(ctx, s.URL)
		if p.exited() {
			return s.explainExit(p)
		}
		if last == nil {
			return nil
		}
		select {
		case <-p.done:
		case <-ctx.Done():
			if !p.exited() {
				return fmt.Errorf("%s does not respond: %w (last error: %w); its log ends with:\n%s",
					s.kind.name, ctx.Err(), last, logTail(s.home.path("log")))
			}
		case <-time.After(pollInterval):
		}
	}
}

// errPortTaken is returned when another program took the port after it had been
// found free.
var errPortTaken = errors.New("the port is in use by another program")

func (s *Server) explainExit(p *process) error {
	tail := logTail(s.home.path("log"))
	if strings.Contains(tail, s.kind.portTaken) {
		return fmt.Errorf("%w: %d", errPortTaken, s.Port)
	}
	return fmt.Errorf("%s exited immediately: %w; its log ends with:\n%s", s.kind.name, p.err, tail)
}

// Restart starts the server again after Kill or Stop, on the same port, so that
// clients reach it under the same URL. After Kill this process still holds the
// directory; after Stop another process may have taken it.
func (s *Server) Restart(ctx context.Context) error {
	if s.PID() != 0 {
		return fmt.Errorf("%s in %s is running", s.kind.name, s.Dir)
	}
	if err := s.home.take(lockTimeout); err != nil {
		return fmt.Errorf("restart %s: %w", s.kind.name, err)
	}
	s.options.Port = s.Port
	if err := s.launch(ctx); err != nil {
		s.home.close()
		return fmt.Errorf("restart %s in %s: %w", s.kind.name, s.Dir, err)
	}
	return nil
}

// Stop stops the server gracefully and gives up its directory: connected
// clients are disconnected, the data is complete. It may be called repeatedly,
// and returns when the process has ended.
func (s *Server) Stop() error {
	if err := s.end(s.kind.stop...); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.home.close()
	return nil
}

// Kill ends the server with SIGKILL, as a crash would, for tests of recovery.
// This process keeps the directory, so that Restart finds it unchanged.
func (s *Server) Kill() error { return s.end(step{syscall.SIGKILL, time.Minute}) }

func (s *Server) end(steps ...step) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		return nil
	}
	if err := s.running.escalate(steps...); err != nil {
		return fmt.Errorf("stop %s in %s: %w", s.kind.name, s.Dir, err)
	}
	s.running = nil
	s.home.unlock()
	return nil
}

// PID returns the process id of the server, or 0 when it was stopped or killed
// through this Server.
func (s *Server) PID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		return 0
	}
	return s.running.cmd.Process.Pid
}

// Ended returns a channel that is closed when the server's current process has
// ended, for whatever reason. For a stopped server it is closed already.
func (s *Server) Ended() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		closed := make(chan struct{})
		close(closed)
		return closed
	}
	return s.running.done
}

func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }

// StopAll stops servers gracefully, in this order.
func StopAll(servers []*Server) error {
	problems := make([]error, 0, len(servers))
	for _, s := range servers {
		problems = append(problems, s.Stop())
	}
	return errors.Join(problems...)
}
