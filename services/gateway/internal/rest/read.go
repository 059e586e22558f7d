package rest

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/ratelimit"
	"sellerapi.dev/services/gateway/internal/upstream"
)

// read returns the handler of a read: charged with the maximum number of rows of its page, streamed, and settled to the rows that
// the service returned. Of its own operations the gateway has one, a list.
func (p *pipeline) read(op operation.Operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		if wait := waitOf(c.Request, op); wait > 0 {
			p.readWaiting(c, &op, wait)
			return
		}
		in, err := p.beginRead(c, &op)
		if err != nil {
			web.Fail(c, p.addresses.limit(c, err))
			return
		}
		facts, settle := web.FactsOf(c), p.settling(c, in)
		end, err := p.waitForPage(c.Request.Context(), in)
		if err != nil {
			settle(0)
			web.Fail(c, err)
			return
		}
		defer end()
		if op.Service == operation.Gateway {
			p.readRequests(c, in, settle)
			return
		}
		err = p.forwarder.Forward(c.Writer, c.Request, upstream.Call{
			Operation: in.remaining(), Caller: in.bearer.Principal,
			Answered: func(answer http.Header) {
				end() // a client that reads slowly does not keep others waiting
				rows := rowsOf(answer)
				settle(rows)
				p.callers.Returned(in.bearer.SellerID, rows, time.Now())
			},
			Refused: func(part []byte) {
				if len(facts.Refusal) < maxRefusal {
					facts.Refusal = append(facts.Refusal, part...)
				}
			},
			BrokeOff: func() { settle(0) },
		})
		if err != nil {
			settle(0)
			web.Fail(c, err)
		}
	}
}

// beginRead authenticates and charges a read. Errors: those of authenticate and decide.
func (p *pipeline) beginRead(c *gin.Context, op *operation.Operation) (*inbound, error) {
	bearer, err := p.keys.authenticate(c)
	if err != nil {
		return nil, err
	}
	replaceBody(c.Request, nil) // a read has no body
	in := newInbound(bearer, op, reserve(c.Request, *op))
	return in, p.decide(c.Request.Context(), c.Writer.Header(), in, p.admitter.Charge)
}

// settling returns what settles a read to the rows that the service returned.
func (p *pipeline) settling(c *gin.Context, in *inbound) func(rows int) {
	facts, header := web.FactsOf(c), c.Writer.Header()
	return func(rows int) {
		facts.Rows = rows
		if p.admitter.Settle(in.call, &in.decision, rows) {
			in.decision.Usage.WriteRowsRemaining(header)
		}
	}
}

// maxRefusal is about how much of a refusal is kept for the request log, which knows no error_code of a longer one.
const maxRefusal = 64 << 10

// waitForPage waits in the queue of the seller; a detail has no need to. Errors: those of queues.acquire.
func (p *pipeline) waitForPage(ctx context.Context, in *inbound) (end func(), err error) {
	if in.op.Charge != operation.ChargePage {
		return func() {}, nil
	}
	return p.queues.wait(ctx, in, in.call.Reserve)
}

// reserve returns the maximum number of rows in an answer: the page's limit, or one for a detail. The service validates the
// limit; an invalid one reserves the maximum.
func reserve(r *http.Request, op operation.Operation) int {
	if op.Charge != operation.ChargePage {
		return 1
	}
	limit, err := strconv.Atoi(limitOf(r.URL))
	if err != nil || limit < 1 || limit > paging.MaxLimit {
		return paging.DefaultLimit
	}
	return limit
}

// Only a query in an unusual form has to be parsed as a whole.
func limitOf(address *url.URL) string {
	if strings.ContainsAny(address.RawQuery, "%;+") {
		return address.Query().Get("limit")
	}
	for parameter := range strings.SplitSeq(address.RawQuery, "&") {
		if value, ok := strings.CutPrefix(parameter, "limit="); ok {
			return value
		}
	}
	return ""
}

// rowsOf returns the number of rows that a service reports; 0 if it does not report any, as with a refusal.
func rowsOf(answer http.Header) int {
	rows, err := strconv.Atoi(answer.Get(principal.RowsHeader))
	if err != nil || rows < 0 || rows > ratelimit.MaxRows {
		return 0
	}
	return rows
}
