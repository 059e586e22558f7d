// Package servicetest runs services as they run in production, each in a process of its own, for tests that kill them.
package servicetest

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/service"
)

// timeout bounds the start of a program on a busy machine.
const timeout = time.Minute

// Build builds the programs of the packages, without what only debuggers need, and returns the folder in which they are, each
// under the last element of its package's path. The folder is the caller's to remove.
func Build(packages ...string) (folder string, err error) {
	if folder, err = os.MkdirTemp("", "service-test-"); err != nil {
		return "", err
	}
	arguments := slices.Concat([]string{"build", "-ldflags=-s -w", "-o", folder + string(os.PathSeparator)}, packages)
	build := exec.CommandContext(context.Background(), "go", arguments...)
	build.Stderr = os.Stderr
	return folder, build.Run()
}

// Process is a program that its test kills and starts again. Starting and killing is for one goroutine, the addresses are
// for all.
type Process struct {
	tb      testing.TB
	command func(last service.Addresses) *exec.Cmd
	child   *launch.Child

	mu        sync.Mutex
	addresses service.Addresses
}

// New returns a process that is not started, and ends it with the test. command makes each start's command; it is told the
// addresses of the time before, nil the first time, so that a program can keep them. The program writes the line "serving"
// of package service when it answers.
func New(tb testing.TB, command func(last service.Addresses) *exec.Cmd) *Process {
	tb.Helper()
	p := &Process{tb: tb, command: command}
	tb.Cleanup(p.Kill)
	return p
}

// Start starts the program and returns when it answers.
func (p *Process) Start() {
	p.tb.Helper()
	said := &output{serving: make(chan service.Addresses, 1)}
	command := p.command(p.all())
	command.Stdout, command.Stderr = said, said
	var err error
	p.child, err = launch.Start(command)
	require.NoError(p.tb, err)
	select {
	case addresses := <-said.serving:
		p.mu.Lock()
		p.addresses = addresses
		p.mu.Unlock()
	case <-p.child.Ended():
		require.FailNow(p.tb, command.Path+" exited while starting", said.String())
	case <-time.After(timeout):
		require.FailNow(p.tb, command.Path+" does not start", said.String())
	}
}

// Kill ends the program as a crash does, with SIGKILL, and returns when it is gone.
func (p *Process) Kill() {
	if p.child != nil {
		require.NoError(p.tb, p.child.Kill())
	}
}

// Signal sends the program a signal.
func (p *Process) Signal(signal syscall.Signal) {
	p.tb.Helper()
	require.NoError(p.tb, syscall.Kill(p.child.PID(), signal))
}

// Ended is closed when the program that was started last is gone.
func (p *Process) Ended() <-chan struct{} { return p.child.Ended() }

// Address is the host and port of a listener, such as "public", since the last start.
func (p *Process) Address(listener string) string { return p.all()[listener] }

func (p *Process) all() service.Addresses {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.addresses
}
