// Package rundir manages the directory in which a stack on one machine keeps what must outlive
// it: the data of its servers, the generated secrets, the sellers and keys that were issued.
//
// One process at a time works in it; the lock is the kernel's, so a killed process leaves none
// behind. Files are written atomically and are readable by their owner only. Every user may
// pass through the directory itself, because the private PostgreSQL of a root user runs as
// another user.
package rundir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// BusyError is returned when another process works in the directory.
type BusyError struct {
	// Dir is the directory.
	Dir string
	// PID is the other process, or 0 when it is not known.
	PID int
}

// Error returns a message for the user at the terminal.
func (e *BusyError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("another stack runs in %s already; stop it first (Ctrl-C where it was started)", e.Dir)
	}
	return fmt.Sprintf("another stack runs in %s already (process %d); stop it first (Ctrl-C where it was started)", e.Dir, e.PID)
}

// Dir is an existing run directory.
type Dir struct{ path string }

// Open creates the directory unless it exists.
func Open(path string) (Dir, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return Dir{}, fmt.Errorf("run directory %s: %w", path, err)
	}
	if err := os.MkdirAll(full, 0o711); err != nil { //nolint:gosec // see the package comment
		return Dir{}, fmt.Errorf("run directory: %w", err)
	}
	return Dir{full}, nil
}

// Path returns the path of a file or folder in the directory.
func (d Dir) Path(name string) string { return filepath.Join(d.path, name) }

// Lock claims the directory for this process until release is called or the process ends, for
// whatever reason. It does not wait: when another process works in the directory, it returns a
// *BusyError that names it.
func (d Dir) Lock() (release func(), err error) {
	file, err := os.OpenFile(d.Path("lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the run directory: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		busy := d.busy(file)
		_ = file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, busy
		}
		return nil, fmt.Errorf("lock the run directory: %w", err)
	}
	err = file.Truncate(0)
	if err == nil {
		_, err = file.WriteAt([]byte(strconv.Itoa(os.Getpid())), 0)
	}
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("lock the run directory: %w", err)
	}
	return func() { _ = file.Close() }, nil
}

func (d Dir) busy(file *os.File) *BusyError {
	text := make([]byte, 20)
	read, _ := file.ReadAt(text, 0)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text[:read])))
	if err != nil {
		pid = 0
	}
	return &BusyError{Dir: d.path, PID: pid}
}

// Write writes a file into the directory atomically, readable by its owner only.
func (d Dir) Write(name string, content []byte) error {
	file, err := os.CreateTemp(d.path, "."+name+"-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), d.Path(name))
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// Read returns the content of a file; the error wraps fs.ErrNotExist when there is none.
func (d Dir) Read(name string) ([]byte, error) {
	content, err := os.ReadFile(d.Path(name))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return content, nil
}

// Remove removes a file. It is not an error if the file does not exist.
func (d Dir) Remove(name string) error {
	if err := os.Remove(d.Path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	return nil
}

// ReadJSON reads a value that WriteJSON wrote; the error wraps fs.ErrNotExist when there is none.
func (d Dir) ReadJSON(name string, into any) error {
	content, err := d.Read(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, into); err != nil {
		return fmt.Errorf("%s is damaged (%w); delete it to have it created again", d.Path(name), err)
	}
	return nil
}

// WriteJSON writes a value as JSON.
func (d Dir) WriteJSON(name string, value any) error {
	content, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return d.Write(name, append(content, '\n'))
}

// Create opens a file of the directory for writing, truncated, readable by its owner only.
func (d Dir) Create(name string) (*os.File, error) {
	file, err := os.OpenFile(d.Path(name), os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	return file, nil
}
