package launch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// errNoAccount is returned when the system does not report what a process has used.
var errNoAccount = errors.New("no resource usage of a process in /proc")

// CPU returns the CPU time that a process has used, from the scheduler's accounting of its threads, which is in
// nanoseconds. The accounting of the whole process is in hundredths of a second only.
func CPU(pid int) (total time.Duration, err error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(threads) == 0 {
		return 0, errors.Join(errNoAccount, err)
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if errors.Is(err, os.ErrNotExist) {
			continue // it has ended in the meantime
		}
		var used time.Duration
		if _, parseErr := fmt.Sscan(string(text), &used); err != nil || parseErr != nil {
			return 0, errors.Join(errNoAccount, err, parseErr)
		}
		total += used
	}
	return total, nil
}

// Memory returns how many bytes of a process are currently resident in memory.
func Memory(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	var size, resident int64
	if _, parseErr := fmt.Sscan(string(text), &size, &resident); err != nil || parseErr != nil {
		return 0, errors.Join(errNoAccount, err, parseErr)
	}
	return resident * int64(os.Getpagesize()), nil
}
