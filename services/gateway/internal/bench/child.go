package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/gateway"
)

// The commands with which this program starts itself for the measured processes.
const (
	targetCommand  = "target"
	bareCommand    = "bare"
	serviceCommand = "service"
	gatewayCommand = "gateway"
)

// Child runs a process of a measurement, selected by its command. The process ends when its input is closed. handled is false if
// the arguments are not such a command.
func Child(ctx context.Context, args []string) (handled bool, err error) {
	if len(args) == 0 {
		return false, nil
	}
	if args[0] == gatewayCommand {
		os.Args = []string{gatewayCommand, "serve"}
		service.Main(gatewayCommand, gateway.NewCommands()) // does not return
	}
	ctx, stop := context.WithCancel(ctx)
	go func() {
		defer stop()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	switch {
	case args[0] == bareCommand && len(args) == 2:
		return true, serveBare(ctx, os.Stdout, args[1])
	case args[0] == serviceCommand:
		return true, serveService(ctx, os.Stdout)
	case args[0] == targetCommand && len(args) == 4:
		return true, serveTarget(ctx, os.Stdout, args[1], args[2], args[3])
	default:
		return false, nil
	}
}

// child is a started process of this program; closing its input ends it.
type child struct {
	command *exec.Cmd
	input   io.WriteCloser
}

// startChild starts a process and returns when the process has reported, in one line of JSON, that it is ready.
func startChild(ctx context.Context, ready any, args ...string) (*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{command: exec.CommandContext(ctx, program, args...)}
	c.command.Stderr = os.Stderr
	if c.input, err = c.command.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := c.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", args[0], err)
	}
	if err := json.NewDecoder(output).Decode(ready); err != nil {
		return nil, fmt.Errorf("%s does not start: %w", args[0], errors.Join(err, c.stop()))
	}
	return c, nil
}

func (c *child) pid() int { return c.command.Process.Pid }

func (c *child) stop() error {
	_ = c.input.Close()
	return c.command.Wait()
}
