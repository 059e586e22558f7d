package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/gateway/internal/upstream/http1"
)

const (
	outcomeUnavailable = "unavailable"
	outcomeTimeout     = "timeout"
	outcomeBadAnswer   = "bad_answer"
	outcomeClientGone  = "client_gone"
)

const copyBytes = 32 << 10

// copyBuffers are pooled.
var copyBuffers = sync.Pool{New: func() any { return new([copyBytes]byte) }}

type roundTrip struct {
	call     Call
	deadline time.Time // of the service

	status   int   // of the answer, once it has been accepted
	failure  error // why the service's answer is incomplete
	writeErr error // why the client did not receive it
}

func (t *roundTrip) run(ctx context.Context, service *http1.Transport, request *http.Request, to *answerWriter) {
	response, err := service.Do(ctx, request, t.deadline)
	if err != nil {
		t.failure = err
		return
	}
	defer func() { _ = response.Body.Close() }() // closes the connection unless the answer was read to its end
	if t.failure = checkAnswer(response); t.failure != nil {
		return
	}
	t.status = response.StatusCode
	to.response = response
	t.copy(to, response)
}

// copy passes the body on: a body of known length in full buffers, so that most are written at once, any other as it arrives. The
// service's deadline moves by the time that the client takes to read. The server's write timeout bounds that time.
func (t *roundTrip) copy(to *answerWriter, response *http.Response) {
	buffer := copyBuffers.Get().(*[copyBytes]byte)
	defer copyBuffers.Put(buffer)
	stream := response.ContentLength < 0
	var ended error
	for t.writeErr == nil {
		filled := 0
		for ended == nil && filled < len(buffer) && (filled == 0 || !stream) {
			var n int
			n, ended = response.Body.Read(buffer[filled:])
			filled += n
		}
		if ended != nil { // nothing more is expected of the service
			t.writeErr = to.pass(buffer[:filled], stream)
			break
		}
		began := time.Now()
		t.writeErr = to.pass(buffer[:filled], stream)
		t.deadline = t.deadline.Add(time.Since(began))
		http1.Extend(response, t.deadline)
	}
	if ended != nil && !errors.Is(ended, io.EOF) {
		t.failure = fmt.Errorf("%w: %w", errBrokenOff, ended)
	}
}

// outcome returns the metric label of the round trip and the failure to answer with, or to log if the answer has begun; nil if
// the whole answer was passed on. client ends when the client is gone.
func (t *roundTrip) outcome(client context.Context, begun bool) (string, error) {
	switch {
	case begun && t.failure == nil && t.writeErr == nil:
		return strconv.Itoa(t.status/100) + "xx", nil
	case client.Err() != nil:
		return outcomeClientGone, apierr.Unavailable.Because(fmt.Errorf("the client has disconnected: %w", client.Err()))
	case t.writeErr != nil: // reading succeeded, so writing failed
		return outcomeClientGone, apierr.Unavailable.Because(fmt.Errorf("%w: %w", errNotWritten, t.writeErr))
	case errors.Is(t.failure, os.ErrDeadlineExceeded) || !time.Now().Before(t.deadline):
		return outcomeTimeout, apierr.UpstreamTimeout.Because(t.cause())
	case errors.Is(t.failure, http1.ErrNoResponse):
		return outcomeUnavailable, apierr.Unavailable.Because(t.cause())
	default:
		return outcomeBadAnswer, apierr.BadUpstream.Because(t.cause())
	}
}

// errNotWritten is the cause if the client's connection turns out broken before its context ends.
var errNotWritten = errors.New("the client does not read the response")

// errBrokenOff is the cause if an answer ends without an error of its own.
var errBrokenOff = errors.New("the response is empty or incomplete")

func (t *roundTrip) cause() error {
	reason := t.failure
	if reason == nil {
		reason = errBrokenOff
	}
	return fmt.Errorf("%s: %w", t.call.Operation.Service, reason)
}
