package upstream

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync/atomic"

	"sellerapi.dev/pkg/apierr"
)

// Outcomes that are not a status class, as the metric names them.
const (
	outcomeUnavailable = "unavailable"
	outcomeTimeout     = "timeout"
	outcomeBadAnswer   = "bad_answer"
	outcomeClientGone  = "client_gone"
)

// exchange is one request to a service and what became of it. It travels in the request's context, because the hooks of
// a proxy are shared by all requests.
type exchange struct {
	trip Trip

	heard   atomic.Bool // a first byte of the answer has come
	status  int         // of the answer, once it has been accepted
	failure error       // why there is no answer
	broken  error       // why the answer ended early
}

type exchangeKey struct{}

// begin puts the exchange into a context that also tells when the service is heard for the first time.
func (e *exchange) begin(ctx context.Context) context.Context {
	ctx = context.WithValue(ctx, exchangeKey{}, e)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotFirstResponseByte: func() { e.heard.Store(true) },
	})
}

func exchangeOf(r *http.Request) *exchange { return r.Context().Value(exchangeKey{}).(*exchange) }

// failed is the proxy's ErrorHandler: it keeps the reason and leaves writing to the caller of Forward.
func failed(_ http.ResponseWriter, r *http.Request, err error) { exchangeOf(r).failure = err }

// accepted is the proxy's ModifyResponse.
func accepted(res *http.Response) error {
	e := exchangeOf(res.Request)
	if err := checkAnswer(res); err != nil {
		return err
	}
	e.status = res.StatusCode
	res.Body = &watchedBody{ReadCloser: res.Body, failed: &e.broken}
	return nil
}

// outcome names what became of the exchange and gives the failure to answer with, or to note where the answer has begun:
// nil when the whole answer went through. client ends when the client is gone, inner when the operation's time is over.
func (e *exchange) outcome(client, inner context.Context, begun, aborted bool) (string, error) {
	switch {
	case begun && !aborted:
		return strconv.Itoa(e.status/100) + "xx", nil
	case client.Err() != nil:
		return outcomeClientGone, apierr.Unavailable.Because(fmt.Errorf("the client is gone: %w", client.Err()))
	case begun && e.broken == nil: // reading went well, so it was the writing that failed
		return outcomeClientGone, apierr.Unavailable.Because(errNotTaken)
	case errors.Is(inner.Err(), context.DeadlineExceeded):
		return outcomeTimeout, apierr.UpstreamTimeout.Because(e.cause())
	case !e.heard.Load() || isDial(e.failure):
		return outcomeUnavailable, apierr.Unavailable.Because(e.cause())
	default:
		return outcomeBadAnswer, apierr.BadUpstream.Because(e.cause())
	}
}

// errNotTaken is the cause when the client's connection is found broken before its end is.
var errNotTaken = errors.New("the client does not take the answer")

// errBrokenOff is the cause when an answer ends without a reason of its own.
var errBrokenOff = errors.New("the answer is empty or broke off")

// cause says for the log which service did not answer, and why.
func (e *exchange) cause() error {
	reason := errBrokenOff
	switch {
	case e.failure != nil:
		reason = e.failure
	case e.broken != nil:
		reason = fmt.Errorf("%w: %w", errBrokenOff, e.broken)
	}
	return fmt.Errorf("%s: %w", e.trip.Operation.Service, reason)
}

// isDial reports whether no connection came about.
func isDial(err error) bool {
	var network *net.OpError
	return errors.As(err, &network) && network.Op == "dial"
}
