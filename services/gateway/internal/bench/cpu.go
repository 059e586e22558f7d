package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// parties are the processes that a request passes through.
type parties[T any] struct{ load, service, gateway, redis T }

// used is what has been used up so far.
type used struct {
	cpu parties[time.Duration]
	// scripts is how many scripts Redis ran, and inside how long it was busy with them.
	scripts int64
	inside  time.Duration
}

func (b *bench) used(ctx context.Context) (u used, err error) {
	var errs [4]error
	u.cpu.load, errs[0] = cpuOf(os.Getpid())
	u.cpu.service, errs[1] = cpuOf(b.service.command.Process.Pid)
	u.cpu.gateway, errs[2] = cpuOf(b.target.command.Process.Pid)
	u.cpu.redis, errs[3] = cpuOf(b.redis.PID())
	if err := errors.Join(errs[:]...); err != nil {
		return used{}, err
	}
	stats, err := b.client.Info(ctx, "commandstats").Result()
	for line := range strings.Lines(stats) {
		var micros int64
		if _, other := fmt.Sscanf(line, "cmdstat_evalsha:calls=%d,usec=%d", &u.scripts, &micros); other == nil {
			u.inside = time.Duration(micros) * time.Microsecond
		}
	}
	return u, err
}

// cpuOf is the processor time that a process has used: the scheduler's own account of its threads, in nanoseconds. Those of
// the whole process come in hundredths of a second only.
func cpuOf(pid int) (total time.Duration, err error) {
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

// errNoAccount says that the system does not tell what a process has used.
var errNoAccount = errors.New("no account of processor time below /proc")

// each is the processor time for one of n requests since before.
func (u used) each(before used, n int64) parties[time.Duration] {
	each := func(after, before time.Duration) time.Duration { return (after - before) / time.Duration(n) }
	return parties[time.Duration]{
		load: each(u.cpu.load, before.cpu.load), service: each(u.cpu.service, before.cpu.service),
		gateway: each(u.cpu.gateway, before.cpu.gateway), redis: each(u.cpu.redis, before.cpu.redis),
	}
}
