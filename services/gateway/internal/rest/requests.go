package rest

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/requestlog"
)

// Requests is what the gateway answers list_requests from.
type Requests struct {
	Log interface {
		ListRequests(ctx context.Context, seller uuid.UUID, filter requestlog.Filter, after *paging.Position, limit int) (
			paging.Page[requestlog.Entry], error)
	}
	Cursors *paging.Signer
}

const (
	requestedAtGTEParam = "requested_at_gte"
	requestedAtLTEParam = "requested_at_lte"
	keyParam            = "key"
	operationParam      = "operation"
	errorCodeParam      = "error_code"
	requestIDParam      = "request_id"
	recordParam         = "record"
)

const (
	maxRequestID = 64
	maxRecord    = 64
	prefixChars  = 12
)

// requestList describes the list of the calls of a seller, of all its keys.
func (r *Requests) list() *web.ListOperation[requestlog.Filter, requestlog.Entry] {
	return &web.ListOperation[requestlog.Filter, requestlog.Entry]{
		Name: "requests", Read: readRequestFilter, Page: r.Log.ListRequests,
		Filters: []string{
			requestedAtGTEParam, requestedAtLTEParam, keyParam, operationParam, errorCodeParam, requestIDParam, recordParam,
		},
		View: func(entries []requestlog.Entry, _ apierr.Lang) any { return viewRequests(entries) },
	}
}

// readRequests answers a call that was charged from the request log.
func (p *pipeline) readRequests(c *gin.Context, in *inbound, settle func(rows int)) {
	ctx := principal.NewContext(c.Request.Context(), in.bearer.Principal)
	ctx, cancel := context.WithTimeout(ctx, in.remaining().Timeout)
	defer cancel()
	c.Request = c.Request.WithContext(ctx)
	web.Handle(func(c *gin.Context) (any, error) {
		data, rows, err := web.ReadList(c, p.requests.Cursors, p.requests.list())
		settle(rows)
		p.callers.Returned(in.bearer.SellerID, rows, time.Now())
		return data, err
	})(c)
}

func readRequestFilter(q *web.Query) (requestlog.Filter, error) {
	from, until := q.Range(requestedAtGTEParam, requestedAtLTEParam)
	return requestlog.Filter{
		From: from, Until: until, KeyPrefix: q.String(keyParam, prefixChars),
		Operation: q.Enum(operationParam, operationNames()), Code: q.Enum(errorCodeParam, errorCodes()),
		RequestID: q.String(requestIDParam, maxRequestID), Record: q.String(recordParam, maxRecord),
	}, nil
}

func operationNames() []string {
	operations := operation.All()
	names := make([]string, len(operations))
	for i, op := range operations {
		names[i] = op.Name
	}
	return names
}

// errorCodes returns the codes of the error table.
func errorCodes() []string {
	var codes []string
	for _, row := range apierr.Codes() {
		if code := row.Code.WireCode(); code != "" && !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return codes
}

// requestView is an element of the list. Not among its fields are the address and the program of the client: any key reads the
// calls of all keys of its seller, also one that was issued to a contractor, whom the seller's other systems do not concern.
type requestView struct {
	RequestedAt timestamp.Time  `json:"requested_at"`
	RequestID   string          `json:"request_id"`
	Key         string          `json:"key"`
	Operation   string          `json:"operation"`
	Record      *string         `json:"record"`
	Query       *string         `json:"query"`
	Status      int             `json:"status"`
	ErrorCode   *string         `json:"error_code"`
	ErrorData   json.RawMessage `json:"error_data"`
	Rows        int             `json:"rows"`
	DurationMS  int64           `json:"duration_ms"`
	Idempotency *string         `json:"idempotency"`
}

func viewRequests(entries []requestlog.Entry) []requestView {
	views := make([]requestView, len(entries))
	for i := range entries {
		e := &entries[i]
		views[i] = requestView{
			RequestedAt: timestamp.Time(e.At), RequestID: e.RequestID, Key: e.KeyPrefix, Operation: e.Operation,
			Record: orNull(e.Record), Query: orNull(e.Query), Status: e.Status, ErrorCode: orNull(e.Code), ErrorData: e.Data,
			Rows: e.Rows, DurationMS: e.Took.Round(time.Millisecond).Milliseconds(), Idempotency: orNull(string(e.Idempotency)),
		}
	}
	return views
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
