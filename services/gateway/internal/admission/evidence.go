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

// classes map an error to evidence; the first match counts. heard reports whether Redis has answered anything since the command was
// sent.
var classes = []struct {
	applies func(err error, heard bool) bool
	says    evidence
}{
	{func(err error, _ bool) bool { return err == nil }, present},
	// Any reply shows that Redis is available: OOM, LOADING, READONLY, NOSCRIPT, WRONGTYPE, a script error.
	{func(err error, _ bool) bool { return replied(err) }, present},
	// The gateway's own pool, and canceled callers.
	{func(err error, _ bool) bool {
		return errors.Is(err, goredis.ErrPoolTimeout) || errors.Is(err, goredis.ErrPoolExhausted) || errors.Is(err, context.Canceled)
	}, unknown},
	// A hanging connection, or a paused process, while Redis answers others.
	{func(err error, heard bool) bool { return heard && timedOut(err) }, present},
	{func(error, bool) bool { return true }, absent},
}

// classify returns what an error says about Redis.
func classify(err error, heard bool) evidence {
	for _, row := range classes {
		if row.applies(err, heard) {
			return row.says
		}
	}
	return absent
}

// replied reports whether an error is an answer of Redis.
func replied(err error) bool {
	var reply goredis.Error
	return errors.As(err, &reply) || errors.Is(err, errReply)
}

// timedOut reports whether an error is an expired deadline.
func timedOut(err error) bool {
	var failed net.Error
	return errors.As(err, &failed) && failed.Timeout()
}

// record reports the outcome of a command to the breaker. An outcome without evidence is not counted, except that it ends the trial
// of a half-open breaker, which opens again until the next trial.
func (s *server) record(err error, sent time.Time) {
	if err == nil || replied(err) {
		s.heard.Store(int64(time.Since(started)))
	}
	switch says := classify(err, s.heard.Load() > int64(sent.Sub(started))); {
	case says == present:
		s.breaker.RecordSuccess()
	case says == absent || s.breaker.IsHalfOpen():
		s.breaker.RecordFailure()
	}
}
