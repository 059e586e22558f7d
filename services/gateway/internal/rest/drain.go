package rest

import (
	"context"
	"io"
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"
)

const (
	// maxDrainBytes is the maximum that is drained of an unread body.
	maxDrainBytes = 16 << 20
	// maxDrains is the maximum number of connections drained at once after their answers. Further ones are closed.
	maxDrains = 64
)

// drainPace is the minimum speed of an unread body while it is drained.
var drainPace = pace{after: paceAfter, max: 10 * time.Second}

// draining calls the handler as soon as the head has arrived, and answers without waiting for an unread body: the answer is
// written first. Then the rest of the body is drained, because a client whose connection is closed while it is still sending
// gets a reset instead of the answer. Its connection is closed after that: net/http would otherwise wait for the body before it
// writes. In HTTP/2 a body does not block its connection.
func draining(next http.Handler) http.Handler {
	slots := semaphore.NewWeighted(maxDrains)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength == 0 {
			next.ServeHTTP(w, r)
			return
		}
		body := newIncoming(w, r)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), incomingKey{}, body)))
		if !body.whole && r.ProtoMajor == 1 {
			body.drain(http.NewResponseController(w), slots)
		}
	})
}

// newIncoming returns the body of a request. It will be drained unless it is read.
func newIncoming(w http.ResponseWriter, r *http.Request) *incoming {
	body := &incoming{
		reader: r.Body, announced: r.ContentLength,
		deadline: http.NewResponseController(w).SetReadDeadline, keep: func() {},
	}
	header := w.Header()
	if r.ProtoMajor == 1 && header.Get("Connection") == "" {
		header.Set("Connection", "close")
		body.keep = func() { header.Del("Connection") }
	}
	return body
}

func (b *incoming) drain(answer *http.ResponseController, slots *semaphore.Weighted) {
	if !slots.TryAcquire(1) {
		_ = b.deadline(time.Unix(1, 0)) // net/http reads to the end of the body when the handler has returned
		return
	}
	defer slots.Release(1)
	_ = answer.Flush() // a client that has gone sends nothing either
	_, _ = io.CopyN(io.Discard, b.paced(drainPace), maxDrainBytes)
}
