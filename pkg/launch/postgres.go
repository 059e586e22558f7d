package launch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Database is both the name of the database and of its owner, which is a
// superuser of the private server.
const Database = "sellerapi"

// postgresKind describes how PostgreSQL is run. A fast shutdown (SIGINT)
// disconnects clients and writes a checkpoint; an immediate one (SIGQUIT)
// leaves the rest to recovery.
var postgresKind = &kind{
	name:          "PostgreSQL",
	prepare:       preparePostgres,
	command:       postgresCommand,
	url:           postgresURL,
	probe:         probePostgres,
	afterStart:    createDatabase,
	portTaken:     "could not bind",
	onParentDeath: syscall.SIGINT,
	stop: []step{
		{syscall.SIGINT, 15 * time.Second}, {syscall.SIGQUIT, 5 * time.Second}, {syscall.SIGKILL, time.Minute},
	},
}

// Postgres starts PostgreSQL on the data below dir, created on first use, and
// returns when it accepts connections. A directory left by a crash is
// recovered. The context bounds the start only; the package comment describes
// what ends the server. The user of Server.URL is a superuser.
func Postgres(ctx context.Context, dir string, options Options) (*Server, error) {
	user, err := serverAccount("postgres", "nobody")
	if err != nil {
		return nil, err
	}
	return postgresKind.start(ctx, dir, user, options)
}

// preparePostgres creates the data directory if there is none, and otherwise
// removes the PID file that a killed server left.
func preparePostgres(ctx context.Context, h *home, _ Options) error {
	return prepareData(ctx, h, initdb)
}

// prepareData calls create if there is no data directory, and otherwise removes
// a stale PID file.
func prepareData(ctx context.Context, h *home, create func(context.Context, *home) error) error {
	switch _, err := os.Stat(h.path("data/PG_VERSION")); {
	case errors.Is(err, os.ErrNotExist):
		return create(ctx, h)
	case err != nil:
		return err
	}
	return removeStalePID(h.path("data"))
}

func initdb(ctx context.Context, h *home) error {
	return populate(ctx, h, nil, "initdb",
		"--username="+Database, "--pwfile="+h.path("password"), "--auth-host=scram-sha-256", "--auth-local=reject",
		"--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions")
}

// The program works under a temporary name, which is changed when the directory is complete, so that an interrupted start
// leaves no partial data directory.
func populate(ctx context.Context, h *home, env []string, program string, arguments ...string) error {
	programs, err := system().postgres("")
	if err != nil {
		return err
	}
	fresh := h.path("data.new")
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	log, err := h.openLog()
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	cmd := exec.CommandContext(ctx, filepath.Join(programs, program), append([]string{"--pgdata=" + fresh}, arguments...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = h.dir, log, log, environment(env...)
	cmd.ExtraFiles = []*os.File{h.lock}
	p, err := spawn(cmd, h.user, syscall.SIGKILL)
	if err != nil {
		return err
	}
	<-p.done
	if p.err != nil {
		return fmt.Errorf("%s: %w; its log ends with:\n%s", program, p.err, logTail(h.path("log")))
	}
	return os.Rename(fresh, h.path("data"))
}

// Holding the directory's lock proves that no server of this package is alive, but the process id in the file may have been
// reused, which would make PostgreSQL refuse to start. Only a server that was started by other means is left alone, with an
// error.
func removeStalePID(data string) error {
	path := filepath.Join(data, "postmaster.pid")
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	if pid, err := strconv.Atoi(strings.TrimSpace(first)); err == nil {
		if worksIn(pid, data) {
			return fmt.Errorf("%s: a PostgreSQL that was started by other means runs as process %d", data, pid)
		}
	}
	return os.Remove(path)
}

// worksIn reports whether the process has the directory as its working
// directory, as a PostgreSQL has its data directory. It returns false where
// that cannot be determined.
func worksIn(pid int, dir string) bool {
	theirs, err := os.Stat(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		return false
	}
	ours, err := os.Stat(dir)
	return err == nil && os.SameFile(theirs, ours)
}

// postgresCommand builds the command line. All settings are passed on it, so
// that the same data directory serves tests and the stack.
func postgresCommand(h *home, port int, options Options) ([]string, error) {
	version, err := os.ReadFile(h.path("data/PG_VERSION"))
	if err != nil {
		return nil, err
	}
	programs, err := system().postgres(strings.TrimSpace(string(version)))
	if err != nil {
		return nil, err
	}
	settings := map[string]string{
		"listen_addresses":        loopback,
		"port":                    strconv.Itoa(port),
		"unix_socket_directories": "",
		"max_connections":         "200",
		"shared_buffers":          "64MB",
		"timezone":                "UTC",
		"log_timezone":            "UTC",
		"log_checkpoints":         "off",
		"jit":                     "off",
	}
	if !options.Durable {
		// synchronous_commit stays on: without it a killed server loses its
		// most recent commits.
		settings["fsync"], settings["full_page_writes"] = "off", "off"
	}
	for name, value := range options.Settings {
		settings[name] = value
	}
	argv := []string{filepath.Join(programs, "postgres"), "-D", h.path("data")}
	for name, value := range settings {
		argv = append(argv, "-c", name+"="+value)
	}
	return argv, nil
}

func postgresURL(h *home, port int) string {
	u := url.URL{
		Scheme: "postgres", User: url.UserPassword(Database, h.password),
		Host: address(port), Path: "/" + Database, RawQuery: "sslmode=disable",
	}
	return u.String()
}

func probePostgres(ctx context.Context, server string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := pgconn.Connect(ctx, InDatabase(server, "postgres"))
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// createDatabase creates the private database on the first start.
func createDatabase(ctx context.Context, server string) error {
	conn, err := pgconn.Connect(ctx, InDatabase(server, "postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, "create database "+Database).ReadAll()
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "42P04" { // it exists already
		return nil
	}
	return err
}

// InDatabase returns the connection string of another database of a server.
func InDatabase(server, name string) string {
	u, err := url.Parse(server)
	if err != nil {
		return server
	}
	u.Path = "/" + name
	return u.String()
}

// recreateDatabase drops every database that tests have left, and creates an
// empty private database.
func recreateDatabase(ctx context.Context, server string) error {
	conn, err := pgconn.Connect(ctx, InDatabase(server, "postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	const left = "select quote_ident(datname) from pg_database where not datistemplate and datname <> 'postgres'"
	results, err := conn.Exec(ctx, left).ReadAll()
	if err != nil {
		return err
	}
	var statements []string
	for _, row := range results[0].Rows {
		statements = append(statements, "drop database "+string(row[0])+" with (force)")
	}
	for _, statement := range append(statements, "create database "+Database) {
		if _, err := conn.Exec(ctx, statement).ReadAll(); err != nil {
			return err
		}
	}
	return nil
}

// Password returns the password, which the URL contains too.
func (s *Server) Password() string { return s.home.password }

// SetPassword changes the password of a PostgreSQL. The file is written first: a server of the pool that was interrupted between
// the two steps is created anew.
func (s *Server) SetPassword(ctx context.Context, password string) error {
	if s.home.password == password {
		return nil
	}
	if err := s.home.write("password", password); err != nil {
		return err
	}
	if err := Execute(ctx, s.URL, fmt.Sprintf("alter role %s password '%s'", Database, password)); err != nil {
		return err
	}
	s.home.password = password
	s.URL = s.kind.url(s.home, s.Port)
	return nil
}

// Execute executes statements on one connection to a PostgreSQL, until one fails.
func Execute(ctx context.Context, server string, statements ...string) error {
	conn, err := pgconn.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement).ReadAll(); err != nil {
			return err
		}
	}
	return nil
}
