package launch

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// overflow is where data is kept when the server's user cannot enter the
// requested directory. Unlike /tmp it survives a reboot.
const overflow = "/var/tmp"

// lockTimeout is how long the directory's previous server may take to release
// it, for instance the backends of a PostgreSQL that was killed a moment ago.
const lockTimeout = 10 * time.Second

// pollInterval is the pause between two attempts at a lock, or two probes of a
// starting server.
const pollInterval = 10 * time.Millisecond

var errInUse = errors.New("is in use by another server")

// errForeign is returned when a directory belongs to a user that has nothing to
// do with the server.
var errForeign = errors.New("belongs to another user")

// home is a directory with the locks and the password of one server.
type home struct {
	dir      string
	claim    *os.File // held by this process from the start to the final stop; nil once the directory is given up
	lock     *os.File // shared with the server's processes while any are running
	password string
	user     *account
}

// The directory is accessible to the server's user only.
func openHome(dir string, user *account, timeout time.Duration) (*home, error) {
	dir, err := place(dir, user)
	if err != nil {
		return nil, err
	}
	if err := makeDir(dir, user, 0o700); err != nil {
		return nil, err
	}
	h := &home{dir: dir, user: user}
	if err := h.take(timeout); err != nil {
		return nil, err
	}
	if h.password, err = h.readPassword(); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

func (h *home) path(name string) string { return filepath.Join(h.dir, name) }

// take acquires the claim, unless this process holds it already, and then waits
// until no process of an earlier server uses the directory.
func (h *home) take(timeout time.Duration) (err error) {
	if h.claim == nil {
		h.claim, err = lockFile(h.path("claim"), timeout)
	}
	if err == nil {
		h.lock, err = lockFile(h.path("lock"), timeout)
	}
	if err != nil {
		h.close()
		return fmt.Errorf("directory %s: %w", h.dir, err)
	}
	return nil
}

// unlock releases this process's copy of the lock; a running server keeps its own.
func (h *home) unlock() { _ = h.lock.Close() }

func (h *home) close() {
	for _, file := range []*os.File{h.lock, h.claim} {
		_ = file.Close() // closing a file that is not open returns an error
	}
	h.claim = nil
}

// place returns the absolute directory to use for the requested one.
func place(dir string, user *account) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if resolved, err := filepath.EvalSymlinks(abs); err == nil {
		abs = resolved
	}
	if user.mayEnter(filepath.Dir(abs)) {
		return abs, nil
	}
	return overflowFor(abs), nil
}

// overflowFor derives the name below /var/tmp from the requested directory.
func overflowFor(abs string) string {
	sum := sha256.Sum256([]byte(abs))
	return filepath.Join(overflow, fmt.Sprintf("sellerapi-%d-%s", os.Geteuid(), hex.EncodeToString(sum[:8])))
}

// Forget removes everything that servers have stored for dir, wherever it is
// kept. The servers must have been stopped.
func Forget(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(abs), os.RemoveAll(overflowFor(abs)))
}

// makeDir creates a directory of the server's user, or uses an existing one. It
// refuses a directory of another user: below /tmp and /var/tmp any user may
// have created one under the expected name.
func makeDir(dir string, user *account, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	switch err := os.Mkdir(dir, mode); {
	case errors.Is(err, os.ErrExist):
		if err := belongsToUs(dir, user); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	if err := os.Chmod(dir, mode); err != nil { // the umask may have cleared some bits
		return err
	}
	return user.own(dir)
}

// belongsToUs returns an error unless dir is a directory of the current user or
// of the server's user.
func belongsToUs(dir string, user *account) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() {
		return fmt.Errorf("%s is not a directory", dir)
	}
	if int(stat.Uid) != os.Geteuid() && (user == nil || stat.Uid != user.uid) {
		return fmt.Errorf("directory %s %w (id %d)", dir, errForeign, stat.Uid)
	}
	return nil
}

// The file is closed on exec unless it is passed to a child explicitly.
func lockFile(path string, timeout time.Duration) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	deadline := time.Now().Add(timeout)
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return f, nil
		case errors.Is(err, syscall.EINTR):
		case !errors.Is(err, syscall.EWOULDBLOCK):
			return nil, errors.Join(err, f.Close())
		case !time.Now().Before(deadline):
			return nil, errors.Join(errInUse, f.Close())
		default:
			<-time.After(pollInterval)
		}
	}
}

// readPassword returns the home's password; a new home gets a random one.
func (h *home) readPassword() (string, error) {
	path := h.path("password")
	text, err := os.ReadFile(path)
	if err == nil && len(text) > 0 {
		return strings.TrimSpace(string(text)), nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	password := rand.Text()
	return password, h.write("password", password)
}

// begin sets the password of a home without data; an empty password changes
// nothing.
func (h *home) begin(password string) error {
	if password == "" {
		return nil
	}
	if _, err := os.Stat(h.path("data")); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	h.password = password
	return h.write("password", password)
}

// write writes a file of mode 0600, owned by the server's user, into the home
// atomically.
func (h *home) write(name, content string) error {
	temporary := h.path(name + ".new")
	if err := os.WriteFile(temporary, []byte(content), 0o600); err != nil {
		return err
	}
	if err := h.user.own(temporary); err != nil {
		return err
	}
	return os.Rename(temporary, h.path(name))
}

// openLog truncates and opens the server's log file.
func (h *home) openLog() (*os.File, error) {
	return os.OpenFile(h.path("log"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
}
