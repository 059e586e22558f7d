package launch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit in which the kernel reports the CPU time of ended children.
const tick = 10 * time.Millisecond

// TreeCPU returns the CPU time of a process, of all running processes that it has started, and of those that have ended:
// the sessions of a PostgreSQL come and go.
func TreeCPU(pid int) (time.Duration, error) {
	total, err := CPU(pid)
	if err != nil {
		return 0, err
	}
	ended, err := endedCPU(pid)
	if err != nil {
		return 0, err
	}
	total += ended
	children, err := childrenOf(pid)
	if err != nil {
		return 0, err
	}
	for _, child := range children {
		used, err := TreeCPU(child)
		if err != nil && !errors.Is(err, os.ErrNotExist) && alive(child) {
			return 0, err
		}
		total += used
	}
	return total, nil
}

func alive(pid int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/%d/schedstat", pid))
	return err == nil
}

// The positions of the children's user and system time in /proc/*/stat, counted after the name of the program.
const childUser, childSystem = 13, 14

func endedCPU(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	var total time.Duration
	for _, place := range []int{childUser, childSystem} {
		ticks, err := strconv.ParseInt(fields[place], 10, 64)
		if err != nil {
			return 0, err
		}
		total += time.Duration(ticks) * tick
	}
	return total, nil
}

func childrenOf(pid int) ([]int, error) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil, err
	}
	var children []int
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for one := range strings.FieldsSeq(string(text)) {
			child, err := strconv.Atoi(one)
			if err != nil {
				return nil, err
			}
			children = append(children, child)
		}
	}
	return children, nil
}
