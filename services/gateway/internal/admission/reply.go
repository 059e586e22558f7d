package admission

import (
	"errors"
	"time"
)

// reply is a script's answer to a call, texts and numbers, read from the front.
type reply struct {
	rest   []any
	broken bool // it had another form
}

// next returns the next text or number of a reply.
func next[T string | int64](r *reply) (value T) {
	if len(r.rest) == 0 {
		r.broken = true
		return value
	}
	value, ok := r.rest[0].(T)
	r.rest, r.broken = r.rest[1:], r.broken || !ok
	return value
}

// number returns the next number of a reply.
func (r *reply) number() int { return int(next[int64](r)) }

// micros returns the next number of a reply, which is in µs.
func (r *reply) micros() time.Duration { return time.Duration(next[int64](r)) * time.Microsecond }

// errReply says that a script returned an unexpected reply.
var errReply = errors.New("admission: unexpected reply of a script")
