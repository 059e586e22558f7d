package rest

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/held"
	"sellerapi.dev/services/gateway/internal/upstream"
)

// waitHeader is 0 in an answer to a call whose wait counted as 0, because the instance holds as many calls as it can.
const waitHeader = "X-Wait"

// waitOf returns how long a call waits for the next change of its list; 0 if it does not. The service refuses an invalid wait.
// The gateway's own list knows none.
func waitOf(r *http.Request, op operation.Operation) time.Duration {
	if op.Charge != operation.ChargePage || op.Service == operation.Gateway || !strings.Contains(r.URL.RawQuery, "wait") {
		return 0
	}
	query := r.URL.Query()
	seconds, err := strconv.Atoi(query.Get("wait"))
	if err != nil || seconds < 1 || seconds > web.MaxWait || !query.Has("after") {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// apart calls f in a goroutine of its own, whose stack is free when f has returned. It panics with what f panics with.
func apart(f func()) {
	ended := make(chan any, 1)
	go func() {
		defer func() { ended <- recover() }()
		f()
	}()
	if problem := <-ended; problem != nil {
		panic(problem)
	}
}

// page is the complete answer to a read, with what the service reports about it.
type page struct {
	upstream.Answer
	rows int
	// clock is the clock of the seller if nothing was found after the position, else negative.
	clock int64
}

// readWaiting answers a call that waits. While nothing is found after its position, it is held until the seller's clock moves,
// and is forwarded again. It is charged once, and has no rows while it is held; then it reserves those of its page again.
//
// What needs a deep stack runs apart: the goroutine of the call would keep it for as long as the call is held.
func (p *pipeline) readWaiting(c *gin.Context, op *operation.Operation, wait time.Duration) {
	until := time.Now().Add(wait)
	var in *inbound
	var err error
	apart(func() { in, err = p.beginRead(c, op) })
	if err != nil {
		web.Fail(c, p.addresses.limit(c, err))
		return
	}
	settle := p.settling(c, in)
	for {
		var found page
		apart(func() { found, err = p.fetchPage(c, in) })
		if err != nil {
			settle(0)
			web.Fail(c, err)
			return
		}
		settle(found.rows)
		if left := time.Until(until); found.clock < 0 || left <= 0 || !p.hold(c, in, found.clock, left) {
			p.callers.Returned(in.bearer.SellerID, found.rows, time.Now())
			noteRefusal(web.FactsOf(c), found.Answer)
			send(c, found.Answer)
			return
		}
		if apart(func() { err = p.admitAgain(c, in) }); err != nil {
			web.Fail(c, err)
			return
		}
		settle(in.call.Reserve)
	}
}

// fetchPage forwards the call once. Errors: those of waitForPage and Fetch.
func (p *pipeline) fetchPage(c *gin.Context, in *inbound) (page, error) {
	end, err := p.waitForPage(c.Request.Context(), in)
	if err != nil {
		return page{}, err
	}
	defer end()
	found := page{clock: -1}
	found.Answer, err = p.forwarder.Fetch(c.Request, upstream.Call{
		Operation: in.remaining(), Caller: in.bearer.Principal,
		Answered: func(answer http.Header) {
			found.rows = rowsOf(answer)
			if clock, err := strconv.ParseInt(answer.Get(principal.ClockHeader), 10, 64); err == nil {
				found.clock = clock
			}
		},
	})
	return found, err
}

// hold holds the call and reports whether it is to be forwarded again. The time does not count as time of the call.
func (p *pipeline) hold(c *gin.Context, in *inbound, clock int64, most time.Duration) bool {
	began := time.Now()
	key := held.Key{KeyID: in.bearer.ID, List: in.op.Name}
	end := p.held.Hold(c.Request.Context(), in.op.Service, in.bearer.SellerID, key, clock, most)
	web.Held(c, time.Since(began))
	if end == held.Full {
		c.Header(waitHeader, "0")
	}
	return end == held.Moved
}

// admitAgain checks again that the key may read, because it may have been revoked while the call was held, and that rows are left
// for the page. The limit of calls does not matter: the call was charged. Errors: those of decide.
func (p *pipeline) admitAgain(c *gin.Context, in *inbound) error {
	again := *in
	err := p.decide(c.Request.Context(), c.Writer.Header(), &again, p.admitter.Look)
	in.decision.Usage = again.decision.Usage
	if errors.Is(err, apierr.RateLimited) && in.decision.Usage.RowsWait == 0 {
		return nil
	}
	return err
}

// send writes the complete answer of a service.
func send(c *gin.Context, answer upstream.Answer) {
	for name, values := range answer.Header {
		c.Writer.Header()[name] = values
	}
	c.Writer.WriteHeader(answer.Status)
	_, _ = c.Writer.Write(answer.Body) // a client that has gone gets nothing
}
