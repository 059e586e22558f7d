package launch

import (
	"os/exec"
	"syscall"
	"time"
)

// Child is a program, other than a server, that ends with this process.
type Child struct{ process *process }

// Start starts a program. When this process ends, for whatever reason, the kernel kills the program (Linux only).
func Start(cmd *exec.Cmd) (*Child, error) {
	started, err := spawn(cmd, nil, syscall.SIGKILL)
	if err != nil {
		return nil, err
	}
	return &Child{process: started}, nil
}

// Kill ends the program with SIGKILL, as a crash would, and returns when it has ended. It returns no error if the program
// has ended already.
func (c *Child) Kill() error { return c.process.escalate(step{syscall.SIGKILL, time.Minute}) }

// PID returns the id of the program's process.
func (c *Child) PID() int { return c.process.cmd.Process.Pid }

// Ended returns a channel that is closed when the program has ended, for whatever reason, and all of its output has been read.
func (c *Child) Ended() <-chan struct{} { return c.process.done }
