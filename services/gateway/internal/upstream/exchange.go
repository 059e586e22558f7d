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
	"sellerapi.dev/services/gateway/internal/roundtrip"
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

type exchange struct {
	call     Call
	deadline time.Time // of the service

	status   int   // of the answer, once it has been accepted
	failure  error // why the service's answer is incomplete
	writeErr error // why the client did not receive it
}

func (e *exchange) run(ctx context.Context, service *roundtrip.Transport, request *http.Request, to *answerWriter) {
	response, err := service.Do(ctx, request, e.deadline)
	if err != nil {
		e.failure = err
		return
	}
	defer func() { _ = response.Body.Close() }() // closes the connection unless the answer was read to its end
	if e.failure = checkAnswer(response); e.failure != nil {
		return
	}
	e.status = response.StatusCode
	to.response = response
	e.copy(to, response)
}

// copy passes the body on: a body of known length in full buffers, so that most are written at once, any other as it arrives. The
// service's deadline moves by the time that the client takes to read. The server's write timeout bounds that time.
func (e *exchange) copy(to *answerWriter, response *http.Response) {
	buffer := copyBuffers.Get().(*[copyBytes]byte)
	defer copyBuffers.Put(buffer)
	stream := response.ContentLength < 0
	var ended error
	for e.writeErr == nil {
		filled := 0
		for ended == nil && filled < len(buffer) && (filled == 0 || !stream) {
			var n int
			n, ended = response.Body.Read(buffer[filled:])
			filled += n
		}
		if ended != nil { // nothing more is expected of the service
			e.writeErr = to.pass(buffer[:filled], stream)
			break
		}
		began := time.Now()
		e.writeErr = to.pass(buffer[:filled], stream)
		e.deadline = e.deadline.Add(time.Since(began))
		roundtrip.Extend(response, e.deadline)
	}
	if ended != nil && !errors.Is(ended, io.EOF) {
		e.failure = fmt.Errorf("%w: %w", errBrokenOff, ended)
	}
}

// outcome returns the metric label of the exchange and the failure to answer with, or to log if the answer has begun; nil if the whole
// answer was passed on. client ends when the client is gone.
func (e *exchange) outcome(client context.Context, begun bool) (string, error) {
	switch {
	case begun && e.failure == nil && e.writeErr == nil:
		return strconv.Itoa(e.status/100) + "xx", nil
	case client.Err() != nil:
		return outcomeClientGone, apierr.Unavailable.Because(fmt.Errorf("the client has disconnected: %w", client.Err()))
	case e.writeErr != nil: // reading succeeded, so writing failed
		return outcomeClientGone, apierr.Unavailable.Because(fmt.Errorf("%w: %w", errNotWritten, e.writeErr))
	case errors.Is(e.failure, os.ErrDeadlineExceeded) || !time.Now().Before(e.deadline):
		return outcomeTimeout, apierr.UpstreamTimeout.Because(e.cause())
	case errors.Is(e.failure, roundtrip.ErrNothing):
		return outcomeUnavailable, apierr.Unavailable.Because(e.cause())
	default:
		return outcomeBadAnswer, apierr.BadUpstream.Because(e.cause())
	}
}

// errNotWritten is the cause if the client's connection turns out broken before its context ends.
var errNotWritten = errors.New("the client does not read the response")

// errBrokenOff is the cause if an answer ends without an error of its own.
var errBrokenOff = errors.New("the response is empty or incomplete")

func (e *exchange) cause() error {
	reason := e.failure
	if reason == nil {
		reason = errBrokenOff
	}
	return fmt.Errorf("%s: %w", e.call.Operation.Service, reason)
}
