package admission

import (
	"context"
	"errors"
	"net"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// evidence is what the result of a command says about the availability of Redis.
type evidence int

const (
	// present: Redis answered, or answered other commands in the meantime.
	present evidence = iota
	// absent: Redis sent nothing.
	absent
	// unknown: the command did not reach Redis.
	unknown
)

// overdueEnd is how long after its deadline a command ends at most in a process that runs. One that ends later says that the
// process was paused, or short of CPU time, and did not read what Redis sent.
const overdueEnd = 100 * time.Millisecond

// circumstances are what a gateway knows beside the error of a command.
type circumstances struct {
	answered bool // Redis has answered something since the command was sent
	late     bool // the command ended later than overdueEnd after its deadline
}

// classes map an error to evidence; the first match counts.
var classes = []struct {
	applies func(err error, when circumstances) bool
	says    evidence
}{
	{func(err error, _ circumstances) bool { return err == nil }, present},
	// Any reply shows that Redis is available: OOM, LOADING, READONLY, NOSCRIPT, WRONGTYPE, a script error.
	{func(err error, _ circumstances) bool { return replied(err) }, present},
	// The gateway's own pool, and canceled callers.
	{func(err error, _ circumstances) bool {
		return errors.Is(err, goredis.ErrPoolTimeout) || errors.Is(err, goredis.ErrPoolExhausted) || errors.Is(err, context.Canceled)
	}, unknown},
	// A hanging connection, while Redis answers others.
	{func(err error, when circumstances) bool { return when.answered && timedOut(err) }, present},
	// A paused gateway.
	{func(err error, when circumstances) bool { return when.late && timedOut(err) }, unknown},
	{func(error, circumstances) bool { return true }, absent},
}

func classify(err error, when circumstances) evidence {
	for _, row := range classes {
		if row.applies(err, when) {
			return row.says
		}
	}
	return absent
}

func replied(err error) bool {
	var reply goredis.Error
	return errors.As(err, &reply) || errors.Is(err, errReply)
}

func timedOut(err error) bool {
	var failed net.Error
	return errors.As(err, &failed) && failed.Timeout()
}

// record reports the outcome of a command to the breaker. An outcome without evidence is not counted, except that it ends the
// trial of a half-open breaker, which opens again until the next trial.
func (s *server) record(err error, sent, deadline time.Time) {
	if err == nil || replied(err) {
		s.answered.Store(int64(time.Since(started)))
	}
	when := circumstances{answered: s.answered.Load() > int64(sent.Sub(started)), late: time.Since(deadline) > overdueEnd}
	switch says := classify(err, when); {
	case says == present:
		s.breaker.RecordSuccess()
	case says == absent || s.breaker.IsHalfOpen():
		s.breaker.RecordFailure()
	}
}
