// Package up runs the whole system on one machine for a user: private servers, services, sellers with keys, and a
// marketplace with orders in it, until it is stopped.
//
// Everything that outlives the process is in the run directory (see package rundir), so that stopping, a crash and a kill
// -9 lose nothing and need no repair: the next start finds the data, the secrets with which it was written, the sellers and
// their keys.
package up

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/allinone/envfile"
	"sellerapi.dev/services/allinone/identity"
	"sellerapi.dev/services/allinone/rundir"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/sandbox/market"
)

const (
	logName = "stack.log"
	// shownKeyName is the file with seller A's key, which the page for developers shows.
	shownKeyName = "shown.key"
	// tokenLife is how long RPC_TOKEN in stack.env is valid; every start writes a new one.
	tokenLife = rpc.MaxTokenLife
	liveEvery = 4 * time.Second
)

// Options say how the system is run.
type Options struct {
	// RunDir is the run directory.
	RunDir string
	// DatabaseURL and RedisURL are the servers to use; a private server is started for each that is empty. Run returns an
	// error when one does not answer, or when Redis may evict keys.
	DatabaseURL, RedisURL string
	// Layout says on how many PostgreSQL nodes the rows are; a configured server must have the extension for several. Run
	// returns an error when the run directory holds data in another layout.
	Layout Layout
	// Port is the preferred port of the gateway; any free one is used when it is taken.
	Port int
	// ConsolePort is the preferred port of the partner console.
	ConsolePort int
	// Orders is how many orders an empty marketplace is filled with.
	Orders int
	// Lively lets new orders arrive for as long as the system runs.
	Lively bool
	// Limits are the rate limits of each API key; the zero value stands for the published ones.
	Limits stack.Limits
	// Out receives messages for the user, Progress the progress of a long fill.
	Out, Progress io.Writer
}

// Run runs the system until ctx ends, then stops everything in order and returns nil. It returns a *rundir.BusyError when
// another process runs in the directory.
func Run(ctx context.Context, options Options) (err error) {
	dir, err := rundir.Open(options.RunDir)
	if err != nil {
		return err
	}
	release, err := dir.Lock()
	if err != nil {
		return err
	}
	defer release()
	log, err := dir.Create(logName)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	if err := options.ask(ctx, log); err != nil {
		return err
	}

	options.Layout = cmp.Or(options.Layout, Single)
	if err := requireLayout(dir, options.Layout); err != nil {
		return err
	}
	servers, err := startServers(ctx, dir, options)
	defer func() { err = errors.Join(err, servers.stop()) }()
	if err != nil {
		return err
	}
	if err := keepLayout(dir, options.Layout); err != nil {
		return err
	}
	secrets, err := keptSecrets(dir)
	if err != nil {
		return err
	}
	running, err := stack.Start(ctx, stack.Config{
		DatabaseURL: servers.database, Distributed: options.Layout == Distributed, RedisURL: servers.redis, Secrets: secrets,
		PublicPort:   options.Port,
		ShownKeyFile: dir.Path(shownKeyName),
		Telemetry:    telemetry.Config{Logs: log}, Limits: options.Limits,
		Claims:  stack.Claims{FailEnding: market.FailEnding, AccountEnding: market.AccountEnding},
		Sandbox: true,
	})
	if err != nil {
		return fmt.Errorf("%w (the services' log is %s)", err, dir.Path(logName))
	}
	defer func() { err = errors.Join(err, running.Stop(), dir.Remove(envfile.Name)) }()
	s := &session{Options: options, dir: dir, servers: servers, stack: running}
	stop, err := s.startConsole(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	return s.run(ctx)
}

type session struct {
	Options
	dir     rundir.Dir
	servers *servers
	stack   *stack.Stack
	people  *identity.Provider
	console *stack.RunningConsole
	env     envfile.Values
}

func (s *session) run(ctx context.Context) error {
	parties, err := s.prepare(ctx)
	if err != nil {
		return quietWhenStopped(ctx, err)
	}
	if err := s.announce(ctx, parties); err != nil {
		return quietWhenStopped(ctx, err)
	}
	if s.Lively {
		stop := s.startTrade(ctx, parties)
		defer stop()
	}
	select {
	case <-ctx.Done():
		_, _ = fmt.Fprintln(s.Out, "\nStopping; the data are kept.")
		return nil
	case err := <-s.stack.Failed():
		return fmt.Errorf("%w (the services' log is %s)", err, s.dir.Path(logName))
	case name := <-s.servers.ended:
		return fmt.Errorf("%s has exited unexpectedly", name)
	}
}

// startConsole starts the partner console and the provider at which people sign in to it, which the returned function stops.
func (s *session) startConsole(ctx context.Context) (stop func() error, err error) {
	if s.people, err = identity.Start(ctx); err != nil {
		return nil, err
	}
	server := s.people.OIDC
	s.console, err = s.stack.StartConsole(ctx, stack.Console{
		Port: s.ConsolePort, Issuer: server.Issuer(), ClientID: server.ClientID, ClientSecret: server.ClientSecret,
	})
	if err != nil {
		return nil, errors.Join(err, s.people.Stop())
	}
	return func() error { return errors.Join(s.console.Stop(), s.people.Stop()) }, nil
}

func (s *session) prepare(ctx context.Context) (parties, error) {
	token := s.stack.Token(tokenLife)
	marketplace := &marketplace{
		keys: stack.Keys(s.stack.KeysURL, token), intake: stack.Intake(s.stack.RPCURLs[operation.Orders], token),
		claims:  stack.ClaimIntake(s.stack.RPCURLs[operation.Claims], token),
		qna:     stack.Inquiries(s.stack.RPCURLs[operation.QnA], token),
		gateway: s.stack.GatewayURL,
	}
	known, err := marketplace.parties(ctx, s.dir)
	if err != nil {
		return parties{}, err
	}
	s.people.Know(known.people()...)
	s.env = s.values(known, token)
	if err := s.dir.Write(shownKeyName, []byte(known.A.Key)); err != nil {
		return parties{}, err
	}
	if err := marketplace.firstFill(ctx, known, s.Orders, s.Progress); err != nil {
		return parties{}, err
	}
	return known, s.dir.Write(envfile.Name, envfile.Format(s.env))
}

// quietWhenStopped returns nil instead of err when the user has pressed Ctrl-C, which may have caused err.
func quietWhenStopped(ctx context.Context, err error) error {
	select {
	case <-ctx.Done():
		return nil
	default:
		return err
	}
}
