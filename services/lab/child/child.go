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

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/services/allinone/envfile"
)

const (
	// startTimeout and stopTimeout bound how long the child may take to start and to stop.
	startTimeout = 5 * time.Minute
	stopTimeout  = 30 * time.Second
)

// Child is the system being measured. Its private servers, if any, are separate processes.
type Child struct {
	// Env says how to reach the system.
	Env envfile.Values

	command *exec.Cmd
	ended   chan error
	output  bytes.Buffer
	runDir  string
}

// Start starts this program's `up` in the run directory, with these additional flags and environment variables, and waits
// until it has written how to reach it.
func Start(ctx context.Context, runDir string, flags, environment []string) (*Child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start the measured system: %w", err)
	}
	c := &Child{runDir: runDir, ended: make(chan error, 1)}
	c.command = exec.Command(program, append([]string{"up", "--run-dir=" + runDir, "--port=0", "--no-lively"}, flags...)...) //nolint:noctx // it is stopped in good order
	c.command.Env = append(os.Environ(), environment...)
	c.command.Stdout, c.command.Stderr = &c.output, &c.output
	c.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a Ctrl-C is passed on by this process
	if err := c.command.Start(); err != nil {
		return nil, fmt.Errorf("start the measured system: %w", err)
	}
	go func() { c.ended <- c.command.Wait() }()
	if err := c.await(ctx); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// await reads stack.env as soon as it exists.
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
			return fmt.Errorf("the measured system exited: %w\n%s", err, c.output.String())
		case <-ctx.Done():
			return fmt.Errorf("the measured system does not start: %w", ctx.Err())
		case <-tick.C:
		}
	}
}

// Stop stops the child gracefully, and kills it when that takes too long.
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

// CPU returns the CPU time that the system has used so far, all services together.
func (c *Child) CPU() (time.Duration, error) { return launch.CPU(c.command.Process.Pid) }

// Memory returns how many bytes of memory the system currently uses, all services together.
func (c *Child) Memory() (int64, error) { return launch.Memory(c.command.Process.Pid) }
