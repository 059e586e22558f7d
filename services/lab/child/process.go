package child

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// Process is a process of this program that is a part of a measurement.
type Process struct {
	command *exec.Cmd
	input   io.Closer
	output  *json.Decoder
}

// Run starts this program with the arguments, and returns when the process has reported, as one JSON value, that it is ready.
func Run(ctx context.Context, ready any, args ...string) (*Process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &Process{command: exec.CommandContext(ctx, program, args...)}
	p.command.Stderr = os.Stderr
	if p.input, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.output = json.NewDecoder(output)
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("start %v: %w", args, err)
	}
	if err := p.output.Decode(ready); err != nil {
		return nil, fmt.Errorf("%v does not start: %w", args, errors.Join(err, p.Stop()))
	}
	return p, nil
}

// PID returns the id of the process.
func (p *Process) PID() int { return p.command.Process.Pid }

// Stop ends the process.
func (p *Process) Stop() error {
	_ = p.input.Close()
	return p.command.Wait()
}

// Last ends the process and reads the last JSON value that it reports.
func (p *Process) Last(value any) error {
	_ = p.input.Close()
	return errors.Join(p.output.Decode(value), p.command.Wait())
}

// UntilClosed returns a context that ends when the process' input is closed: when the process that has started it stops it, or
// is gone.
func UntilClosed(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	go func() {
		defer stop()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	return ctx, stop
}
