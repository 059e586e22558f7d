package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"sellerapi.dev/services/allinone/launch"
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
	u.cpu.load, errs[0] = launch.CPU(os.Getpid())
	u.cpu.service, errs[1] = launch.CPU(b.service.command.Process.Pid)
	u.cpu.gateway, errs[2] = launch.CPU(b.target.command.Process.Pid)
	u.cpu.redis, errs[3] = launch.CPU(b.redis.PID())
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

// each is the processor time for one of n requests since before.
func (u used) each(before used, n int64) parties[time.Duration] {
	each := func(after, before time.Duration) time.Duration { return (after - before) / time.Duration(n) }
	return parties[time.Duration]{
		load: each(u.cpu.load, before.cpu.load), service: each(u.cpu.service, before.cpu.service),
		gateway: each(u.cpu.gateway, before.cpu.gateway), redis: each(u.cpu.redis, before.cpu.redis),
	}
}
