package gateway_test

import (
	"os/exec"
	"syscall"
)

// tieToParent makes the kernel end the program with the thread that starts it.
func tieToParent(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
