package launch

import (
	"os/exec"
	"syscall"
	"time"
)

// Child is a program other than a server that ends with this process.
type Child struct{ process *process }

// Start starts a program. When this process ends, by whatever cause, the kernel kills the program (Linux only).
func Start(cmd *exec.Cmd) (*Child, error) {
	started, err := spawn(cmd, nil, syscall.SIGKILL)
	if err != nil {
		return nil, err
	}
	return &Child{process: started}, nil
}

// Kill ends the program as a crash would, with SIGKILL, and returns when it is gone. A program that is gone already is no
// error.
func (c *Child) Kill() error { return c.process.escalate(step{syscall.SIGKILL, time.Minute}) }

// Ended is closed when the program is gone, by whatever cause, and all that it wrote has been read.
func (c *Child) Ended() <-chan struct{} { return c.process.done }
