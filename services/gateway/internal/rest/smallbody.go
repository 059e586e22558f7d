package rest

import "time"

// comesWithHead is how long to wait for a body that the client sends together with the head, in the same packet or the next. The
// cost of a refused call rises with it: a process that sleeps in between spends more CPU time.
const comesWithHead = time.Millisecond

// smallBody is a small body that a goroutine reads while the call is being admitted. The goroutine ends with the handler.
type smallBody struct {
	body  *incoming
	ended chan struct{} // closed when bytes and err are there
	bytes []byte
	err   error
}

// readSmall starts reading a small body. Its deadline is fixed: so few bytes must arrive within the initial part of the pace.
func (b *incoming) readSmall(pace pace) *smallBody {
	_ = b.deadline(time.Now().Add(pace.after))
	a := &smallBody{body: b, ended: make(chan struct{})}
	go func() {
		defer close(a.ended)
		a.bytes, a.err = readAll(b.reader, b.announced, b.announced)
	}()
	return a
}

// here reports whether the body arrived together with its head.
func (a *smallBody) here() bool {
	timer := time.NewTimer(comesWithHead)
	defer timer.Stop()
	select {
	case <-a.ended:
		return a.err == nil
	case <-timer.C:
		return false
	}
}

// wait returns the body. Errors: those of readAll.
func (a *smallBody) wait() ([]byte, error) {
	<-a.ended
	if a.err == nil {
		a.body.finished()
	}
	return a.bytes, a.err
}

// A deadline in the past wakes the reader; the connection cannot be reused for another request.
func (a *smallBody) stop() {
	if !a.body.whole {
		_ = a.body.deadline(time.Unix(1, 0))
	}
	<-a.ended
}
