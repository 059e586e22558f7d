package launch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

const logTailBytes = 2000

// process is a started child. done is closed once the child has been waited
// for; err is valid from then on.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

// spawn starts a child that receives the signal onParentDeath when this process
// ends. The kernel sends it when the starting *thread* ends, hence the
// goroutine that keeps its thread until the child has ended.
func spawn(cmd *exec.Cmd, user *account, onParentDeath syscall.Signal) (*process, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: user.credential()}
	tieToParent(cmd.SysProcAttr, onParentDeath)
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			close(p.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	return p, nil
}

func (p *process) exited() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// escalate sends the signals one after another, each with its timeout, until
// the child has ended. It also continues a child that SIGSTOP halted, which
// would otherwise not handle the signal.
func (p *process) escalate(steps ...step) error {
	for _, s := range steps {
		if err := p.signal(s.signal); err != nil {
			return err
		}
		if err := p.signal(syscall.SIGCONT); err != nil {
			return err
		}
		timeout := time.NewTimer(s.timeout)
		select {
		case <-p.done:
			timeout.Stop()
			return nil
		case <-timeout.C:
		}
	}
	return fmt.Errorf("process %d (%s) does not exit", p.cmd.Process.Pid, p.cmd.Path)
}

type step struct {
	signal  syscall.Signal
	timeout time.Duration
}

// signal sends a signal; it returns no error for a child that has already ended.
func (p *process) signal(s syscall.Signal) error {
	err := p.cmd.Process.Signal(s)
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

func logTail(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil && info.Size() > logTailBytes {
		if _, err := f.Seek(-logTailBytes, io.SeekEnd); err != nil {
			return err.Error()
		}
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text))
}
