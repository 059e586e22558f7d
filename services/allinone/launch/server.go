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

// startTimeout bounds the way from the start of a server to its first answer,
// the recovery after a crash included.
const startTimeout = 60 * time.Second

// portAttempts is how often a new port is tried when someone else took the
// chosen one between our choice and the server's start.
const portAttempts = 5

// loopback is the only address servers listen on.
const loopback = "127.0.0.1"

// Options say how a server is to run. The zero value suits tests: nothing is
// forced to disk. A PostgreSQL that is killed keeps its commits nevertheless, a
// Redis forgets all.
type Options struct {
	// Durable keeps acknowledged writes through a crash of the machine
	// (PostgreSQL: fsync; Redis: append-only file, written every second).
	Durable bool
	// Port is the wanted port; 0 takes a free one. A wanted port that is taken
	// is an error.
	Port int
	// Env is added to the server's environment, for instance a preloaded
	// library that bends its clock.
	Env []string
	// Settings are server settings beyond ours, by their name in the server's
	// own configuration.
	Settings map[string]string
	// Password is that of a server that has no data yet; empty draws one. Servers of a cluster have the same.
	Password string
}

// Server is a running private server.
type Server struct {
	// URL is how clients connect; it contains the password. It stays the same
	// through Kill and Restart.
	URL string
	// Dir is where the data are; see the package comment for why this may not be
	// the directory asked for.
	Dir string
	// Port is the loopback port.
	Port int

	kind    *kind
	home    *home
	options Options

	mu      sync.Mutex
	running *process
}

// kind is what PostgreSQL and Redis differ in.
type kind struct {
	name          string
	prepare       func(ctx context.Context, h *home, options Options) error
	command       func(h *home, port int, options Options) ([]string, error) // program and arguments
	url           func(h *home, port int) string
	probe         func(ctx context.Context, url string) error
	afterStart    func(ctx context.Context, url string) error // nil for nothing
	portTaken     string                                      // what the log says then
	onParentDeath syscall.Signal
	stop          []step
}

// start opens the directory and runs a server of the kind on it.
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

// startIn runs a server in an opened home, which it closes when it fails.
func (k *kind) startIn(ctx context.Context, h *home, options Options) (*Server, error) {
	s := &Server{Dir: h.dir, kind: k, home: h, options: options}
	if err := s.launch(ctx); err != nil {
		h.close()
		return nil, fmt.Errorf("start %s in %s: %w", k.name, h.dir, err)
	}
	return s, nil
}

// launch prepares the directory and starts the process, on other ports if need be.
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

// finishStart does what needs a running server; without it the server is of no
// use and ends.
func (s *Server) finishStart(ctx context.Context) error {
	if s.kind.afterStart == nil {
		return nil
	}
	if err := s.kind.afterStart(ctx, s.URL); err != nil {
		return errors.Join(err, s.Stop())
	}
	return nil
}

// choosePort returns the wanted port, or one that is free at this moment.
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

// startOn runs the process on a port and waits for its first answer.
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

// environment is all that a server sees of ours; secrets of the stack and
// variables that PostgreSQL's programs listen to stay behind.
func environment(extra ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}, extra...)
}

// await returns when the server answers, ends, or takes too long. The end of the
// process also cuts a probe short that hangs on whatever else has the port.
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
				return fmt.Errorf("%s does not answer: %w (last answer: %w); its log ends with:\n%s",
					s.kind.name, ctx.Err(), last, logTail(s.home.path("log")))
			}
		case <-time.After(pollInterval):
		}
	}
}

// errPortTaken says that the port was free a moment ago.
var errPortTaken = errors.New("the port was taken by another program")

// explainExit tells why a server ended before it answered.
func (s *Server) explainExit(p *process) error {
	tail := logTail(s.home.path("log"))
	if strings.Contains(tail, s.kind.portTaken) {
		return fmt.Errorf("%w: %d", errPortTaken, s.Port)
	}
	return fmt.Errorf("%s ended at once: %w; its log ends with:\n%s", s.kind.name, p.err, tail)
}

// Restart starts the server again after Kill or Stop, on the same port, so that
// clients find it under the URL they have. After Kill the directory is still ours;
// after Stop someone else may have taken it.
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

// Stop ends the server in good order and gives its directory up: connected clients
// are cut off, the data are complete. It may be called again and again, and returns
// when the process is gone.
func (s *Server) Stop() error {
	if err := s.end(s.kind.stop...); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.home.close()
	return nil
}

// Kill ends the server as a crash would, with SIGKILL, for tests of recovery. Its
// directory stays ours, so that Restart finds it as it was left.
func (s *Server) Kill() error { return s.end(step{syscall.SIGKILL, time.Minute}) }

// end signals the running process, if any, until it is gone.
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

// PID is the process id of the server, or 0 when it was stopped or killed
// through this Server.
func (s *Server) PID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		return 0
	}
	return s.running.cmd.Process.Pid
}

// Ended is closed when the present process of the server is gone, by whatever
// cause. For a stopped server it is closed already.
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

// address is host:port for a URL.
func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }
