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
	// present: Redis answered, or answered others in the meantime.
	present evidence = iota
	// absent: nothing came from it.
	absent
	// unknown: the command did not get as far as Redis.
	unknown
)

// classes say what is to be made of an error; the first row that applies counts. heard is whether Redis has answered anything
// since the command was sent.
var classes = []struct {
	applies func(err error, heard bool) bool
	says    evidence
}{
	{func(err error, _ bool) bool { return err == nil }, present},
	// Whatever Redis replies, it is there: OOM, LOADING, READONLY, NOSCRIPT, WRONGTYPE, the failure of a script.
	{func(err error, _ bool) bool { return replied(err) }, present},
	// Our own pool, and callers that leave.
	{func(err error, _ bool) bool {
		return errors.Is(err, goredis.ErrPoolTimeout) || errors.Is(err, goredis.ErrPoolExhausted) || errors.Is(err, context.Canceled)
	}, unknown},
	// A connection that hangs, or a process that was halted, while Redis answers others.
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

// timedOut reports whether an error is a deadline that passed.
func timedOut(err error) bool {
	var failed net.Error
	return errors.As(err, &failed) && failed.Timeout()
}

// record tells the breaker how a command ended that was sent at a time. One that says nothing is not counted, but that the trial
// of a breaker that is half open must have an end: it stays open until the next one.
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
