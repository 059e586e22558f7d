// Package child runs the whole system in a process of its own, for programs that measure it.
package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"sellerapi.dev/services/allinone/internal/envfile"
	"sellerapi.dev/services/allinone/launch"
)

const (
	// startTimeout and stopTimeout bound the child's start and end.
	startTimeout = 5 * time.Minute
	stopTimeout  = 30 * time.Second
)

// Child is the measured system. Its servers, where it has private ones, are processes of their own.
type Child struct {
	// Env is how it is reached.
	Env envfile.Values

	command *exec.Cmd
	ended   chan error
	output  bytes.Buffer
	runDir  string
}

// Start starts this program's `up` in the run directory, with these further flags and environment variables, and waits until it
// says how it is reached.
func Start(ctx context.Context, runDir string, flags, environment []string) (*Child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start the measured system: %w", err)
	}
	c := &Child{runDir: runDir, ended: make(chan error, 1)}
	c.command = exec.Command(program, append([]string{"up", "--run-dir=" + runDir, "--port=0", "--no-lively"}, flags...)...) //nolint:noctx // it is stopped in good order
	c.command.Env = append(os.Environ(), environment...)
	c.command.Stdout, c.command.Stderr = &c.output, &c.output
	c.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a Ctrl-C is ours to pass on
	if err := c.command.Start(); err != nil {
		return nil, fmt.Errorf("start the measured system: %w", err)
	}
	go func() { c.ended <- c.command.Wait() }()
	if err := c.await(ctx); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// await reads stack.env as soon as it is there.
func (c *Child) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		text, err := os.ReadFile(filepath.Join(c.runDir, envfile.Name))
		if err == nil {
			c.Env, err = envfile.Parse(text)
			return err
		}
		select {
		case err := <-c.ended:
			c.ended <- err
			return fmt.Errorf("the measured system ended: %w\n%s", err, c.output.String())
		case <-ctx.Done():
			return fmt.Errorf("the measured system does not start: %w", ctx.Err())
		case <-tick.C:
		}
	}
}

// Stop ends the child in good order, and for good when that takes too long.
func (c *Child) Stop() error {
	_ = c.command.Process.Signal(syscall.SIGINT)
	select {
	case err := <-c.ended:
		return err
	case <-time.After(stopTimeout):
		_ = c.command.Process.Kill()
		return fmt.Errorf("the measured system had to be killed: %w", <-c.ended)
	}
}

// CPU is the CPU time that the system has spent so far, all services together.
func (c *Child) CPU() (time.Duration, error) { return launch.CPU(c.command.Process.Pid) }

// Memory is how many bytes of memory the system has at present, all services together.
func (c *Child) Memory() (int64, error) { return launch.Memory(c.command.Process.Pid) }
