package bench

import (
	"errors"
	"time"

	"sellerapi.dev/pkg/launch"
)

// used is the CPU time of the process under load, with those that it has started, and of Redis.
type used struct{ process, redis time.Duration }

func (b *bench) used(pid int) (u used, err error) {
	var errs [2]error
	u.process, errs[0] = launch.TreeCPU(pid)
	u.redis, errs[1] = launch.CPU(b.redis.PID())
	return u, errors.Join(errs[:]...)
}

// each returns the CPU time per request for n requests since before.
func (u used) each(before used, n int64) used {
	return used{process: (u.process - before.process) / time.Duration(n), redis: (u.redis - before.redis) / time.Duration(n)}
}
