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

// overflow is where data goes whose wanted directory the server's user cannot
// enter. Unlike /tmp it survives a restart of the machine.
const overflow = "/var/tmp"

// lockTimeout is how long a directory's last server may take to let go of it,
// for instance the backends of a PostgreSQL that was killed a moment ago.
const lockTimeout = 10 * time.Second

// pollInterval is the pause between two looks at a lock or at a starting server.
const pollInterval = 10 * time.Millisecond

// errInUse says that another server uses the directory.
var errInUse = errors.New("is in use by another server")

// errForeign says that a directory belongs to someone who has nothing to do with the server.
var errForeign = errors.New("belongs to another user")

// home is a directory with the locks and the password of one server.
type home struct {
	dir      string
	claim    *os.File // ours, from the start to the last stop; nil when we have given the directory up
	lock     *os.File // shared with the server's processes while there are some
	password string
	user     *account
}

// openHome makes the directory if needed, takes its locks and reads or makes its
// password. The directory is accessible to the server's user only.
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

// path names a file or directory in the home.
func (h *home) path(name string) string { return filepath.Join(h.dir, name) }

// take claims the directory, unless it is ours already, and waits until no process
// of an earlier server uses it.
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

// unlock lets go of our copy of the lock; a running server keeps its own.
func (h *home) unlock() { _ = h.lock.Close() }

// close gives the directory up.
func (h *home) close() {
	for _, file := range []*os.File{h.lock, h.claim} {
		_ = file.Close() // an error for one that we do not have
	}
	h.claim = nil
}

// place returns the absolute directory to use for the one asked for.
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

// overflowFor derives the name below /var/tmp from the directory asked for.
func overflowFor(abs string) string {
	sum := sha256.Sum256([]byte(abs))
	return filepath.Join(overflow, fmt.Sprintf("sellerapi-%d-%s", os.Geteuid(), hex.EncodeToString(sum[:8])))
}

// Forget removes all that servers have stored for dir, wherever it is kept. The
// servers must have been stopped.
func Forget(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(abs), os.RemoveAll(overflowFor(abs)))
}

// makeDir makes a directory of the server's user, or takes the one that is there.
// A directory of someone else is refused: below /tmp and /var/tmp every user may
// have prepared one under the name we are going to use.
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
	if err := os.Chmod(dir, mode); err != nil { // the umask may have taken some of it
		return err
	}
	return user.own(dir)
}

// belongsToUs refuses what is not a directory of ours or of the server's user.
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

// lockFile takes an exclusive lock, asking again until the time is used up.
// The file is closed on exec unless it is handed to a child on purpose.
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

// begin gives a home without data the password; an empty one leaves it as it is.
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

// write puts a file of mode 0600 for the server's user into the home, whole or
// not at all.
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

// openLog empties and opens the server's log file.
func (h *home) openLog() (*os.File, error) {
	return os.OpenFile(h.path("log"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
}
