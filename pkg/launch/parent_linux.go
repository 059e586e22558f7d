package launch

import "syscall"

// tieToParent asks the kernel to signal the child when its parent thread ends.
func tieToParent(attr *syscall.SysProcAttr, signal syscall.Signal) {
	attr.Pdeathsig = signal
}
