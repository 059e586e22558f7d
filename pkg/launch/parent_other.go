//go:build !linux

package launch

import "syscall"

// tieToParent does nothing: this system cannot tie a child to its parent, so a
// killed parent leaves its servers running, guarded by the lock of their
// directory.
func tieToParent(*syscall.SysProcAttr, syscall.Signal) {}
