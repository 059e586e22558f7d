//go:build !linux

package launch

import "syscall"

// tieToParent does nothing: this system cannot tie a child to its parent, so a
// killed parent leaves its servers running, guarded by their directory's lock.
func tieToParent(*syscall.SysProcAttr, syscall.Signal) {}
