package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"sellerapi.dev/services/allinone/internal/envfile"
)

const (
	// startPatience and stopPatience bound the child's start and end.
	startPatience = time.Minute
	stopPatience  = 30 * time.Second
	// ticksPerSecond is the unit of CPU times in /proc; it is 100 on every Linux that Go runs on.
	ticksPerSecond = 100
)

// child is the measured system in a process of its own.
type child struct {
	command *exec.Cmd
	ended   chan error
	output  bytes.Buffer
	runDir  string
	env     envfile.Values
}

// startStack starts this program's `up` on the given servers and waits until it says how it is reached.
func startStack(ctx context.Context, runDir, databaseURL, redisURL string) (*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start the measured system: %w", err)
	}
	c := &child{runDir: runDir, ended: make(chan error, 1)}
	c.command = exec.Command(program, "up", "--run-dir="+runDir, "--port=0", "--orders=0", "--no-lively", //nolint:noctx // it is stopped in good order
		// Limits are checked as always, but never met.
		"--rate-window=1s", "--rate-read=100000", "--rate-process=100000", "--rate-rows=10000000", "--rate-patience=10s")
	c.command.Env = append(os.Environ(), "DATABASE_URL="+databaseURL, "REDIS_URL="+redisURL)
	c.command.Stdout, c.command.Stderr = &c.output, &c.output
	c.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a Ctrl-C is ours to pass on
	if err := c.command.Start(); err != nil {
		return nil, fmt.Errorf("start the measured system: %w", err)
	}
	go func() { c.ended <- c.command.Wait() }()
	if err := c.await(ctx); err != nil {
		return nil, errors.Join(err, c.stop())
	}
	return c, nil
}

// await reads stack.env as soon as it is there.
func (c *child) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		text, err := os.ReadFile(filepath.Join(c.runDir, envfile.Name))
		if err == nil {
			c.env, err = envfile.Parse(text)
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

// stop ends the child in good order, and for good when that takes too long.
func (c *child) stop() error {
	_ = c.command.Process.Signal(syscall.SIGINT)
	select {
	case err := <-c.ended:
		return err
	case <-time.After(stopPatience):
		_ = c.command.Process.Kill()
		return fmt.Errorf("the measured system had to be killed: %w", <-c.ended)
	}
}

// cpu is the CPU time that the child has spent so far: gateway and orders, and the idle rest of it.
func (c *child) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, behindName, found := strings.Cut(string(text), ") ")
	fields := strings.Fields(behindName)
	if !found || len(fields) < 13 {
		return 0, errors.New("the CPU time of the measured system cannot be read")
	}
	user, errUser := strconv.ParseInt(fields[11], 10, 64)
	system, errSystem := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * time.Second / ticksPerSecond, errors.Join(errUser, errSystem)
}
