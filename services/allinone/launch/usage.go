package launch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// errNoAccount says that the system does not tell what a process has used.
var errNoAccount = errors.New("no account of what a process uses below /proc")

// CPU is the processor time that a process has used: the scheduler's own account of its threads, in nanoseconds. Those of the whole
// process come in hundredths of a second only.
func CPU(pid int) (total time.Duration, err error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(threads) == 0 {
		return 0, errors.Join(errNoAccount, err)
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if errors.Is(err, os.ErrNotExist) {
			continue // it has ended meanwhile
		}
		var used time.Duration
		if _, parseErr := fmt.Sscan(string(text), &used); err != nil || parseErr != nil {
			return 0, errors.Join(errNoAccount, err, parseErr)
		}
		total += used
	}
	return total, nil
}

// Memory is how many bytes of a process are in memory at present.
func Memory(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	var size, resident int64
	if _, parseErr := fmt.Sscan(string(text), &size, &resident); err != nil || parseErr != nil {
		return 0, errors.Join(errNoAccount, err, parseErr)
	}
	return resident * int64(os.Getpagesize()), nil
}
