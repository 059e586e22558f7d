package launch

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the unprivileged user that servers run as. A nil account stands
// for the current user.
type account struct {
	name     string
	uid, gid uint32
}

// serverAccount returns nil for an ordinary user, and for root the first of the
// wanted users that exists.
func serverAccount(wanted ...string) (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range wanted {
		if a, err := lookUp(name); err == nil {
			return a, nil
		}
	}
	return nil, fmt.Errorf("running as root, and none of the users %v exists to run servers as", wanted)
}

// lookUp finds a user of this machine by name. It returns an error for a user
// that is root.
func lookUp(name string) (*account, error) {
	u, err := user.Lookup(name)
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	if uid == 0 {
		return nil, fmt.Errorf("user %s is root", name)
	}
	return &account{name: name, uid: uint32(uid), gid: uint32(gid)}, nil
}

// credential returns the credential of the account for a child process; nil
// keeps the current user.
func (a *account) credential() *syscall.Credential {
	if a == nil {
		return nil
	}
	return &syscall.Credential{Uid: a.uid, Gid: a.gid}
}

func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Lchown(path, int(a.uid), int(a.gid))
}

// mayEnter reports whether the account can pass through every existing
// directory on the way to path. Access control lists beyond the mode bits are
// not considered: a wrong false only moves the data to /var/tmp.
func (a *account) mayEnter(path string) bool {
	if a == nil {
		return true
	}
	for dir := path; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		switch {
		case errors.Is(err, os.ErrNotExist):
		case err != nil || !a.mayPass(info):
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}

// mayPass reports whether the mode bits let the account search one directory.
func (a *account) mayPass(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	mode := info.Mode().Perm()
	switch {
	case stat.Uid == a.uid:
		return mode&0o100 != 0
	case stat.Gid == a.gid:
		return mode&0o010 != 0
	default:
		return mode&0o001 != 0
	}
}
