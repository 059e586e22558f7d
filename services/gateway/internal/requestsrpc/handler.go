// Package requestsrpc implements gateway.v1.Requests, with which the marketplace's partner console and operators find out what
// became of the calls of a seller. Each look is in the audit trail before the log is read. Package rpc authenticates callers
// beforehand; package keysrpc records those that it refuses.
package requestsrpc

import (
	"context"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/rpc"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/requestlog"
)

// Store reads the request log and keys.
type Store interface {
	// RecordLook writes a look at the log of a seller to the audit trail.
	RecordLook(ctx context.Context, author audit.Author, action audit.Action, seller uuid.UUID) error
	ListRequests(ctx context.Context, seller uuid.UUID, filter requestlog.Filter, after *paging.Position, limit int) (
		paging.Page[requestlog.Entry], error)
	LocateRequest(ctx context.Context, requestID string) (seller, id uuid.UUID, found bool, err error)
	FindRequest(ctx context.Context, seller, id uuid.UUID) (requestlog.Entry, bool, error)
	CountRequests(ctx context.Context, seller uuid.UUID, from, until time.Time) ([]requestlog.Count, error)
	LastUses(ctx context.Context, seller uuid.UUID) ([]requestlog.LastUse, error)
	// SellerKeys returns the keys of a seller, newest first.
	SellerKeys(ctx context.Context, seller uuid.UUID) ([]apikey.Key, error)
}

// Handler implements gateway.v1.Requests.
type Handler struct {
	store   Store
	windows Windows
}

// New returns the handler.
func New(store Store, windows Windows) *Handler { return &Handler{store: store, windows: windows} }

var _ gatewayv1connect.RequestsHandler = (*Handler)(nil)

// ListRequests returns a page of calls of a seller, latest first.
func (h *Handler) ListRequests(
	ctx context.Context, sent *gatewayv1.ListRequestsRequest,
) (*gatewayv1.ListRequestsResponse, error) {
	form, look := read(ctx, sent, audit.RequestsListed)
	filter, after, limit := filterOf(form, sent), position(form, sent.GetAfter()), limitOf(form, sent.GetLimit())
	if err := h.record(ctx, form, look); err != nil {
		return nil, err
	}
	page, err := h.store.ListRequests(ctx, look.seller, filter, after, limit)
	if err != nil {
		return nil, err
	}
	answer := &gatewayv1.ListRequestsResponse{Requests: make([]*gatewayv1.LoggedRequest, len(page.Rows))}
	for i := range page.Rows {
		answer.Requests[i] = message(&page.Rows[i])
	}
	if page.Next != nil {
		answer.Next = page.Next.ID.String()
	}
	return answer, nil
}

// GetRequest returns a call by its id in the log, or the latest with a request id.
func (h *Handler) GetRequest(ctx context.Context, sent *gatewayv1.GetRequestRequest) (*gatewayv1.GetRequestResponse, error) {
	form, look := read(ctx, sent, audit.RequestShown)
	find := h.finder(form, sent)
	if err := h.record(ctx, form, look); err != nil {
		return nil, err
	}
	entry, err := known(find(ctx, look.seller))
	if err != nil {
		return nil, err
	}
	return &gatewayv1.GetRequestResponse{Request: message(&entry)}, nil
}

// FindRequest returns the latest call with a request id, whosever it is. Its seller alone is read before the look is in the audit
// trail, where each entry has a seller.
func (h *Handler) FindRequest(ctx context.Context, sent *gatewayv1.FindRequestRequest) (*gatewayv1.FindRequestResponse, error) {
	var form apikey.Form
	id := form.Text("request_id", sent.GetRequestId())
	look := look{
		author: audit.Author{Caller: rpc.Caller(ctx), Actor: form.Text("actor", sent.GetActor())}, action: audit.RequestShown,
	}
	if err := form.Err(); err != nil {
		return nil, err
	}
	seller, logID, found, err := h.store.LocateRequest(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, connect.NewError(connect.CodeNotFound, requestlog.ErrUnknown)
	}
	look.seller = seller
	if err := h.record(ctx, &form, look); err != nil {
		return nil, err
	}
	entry, err := known(h.store.FindRequest(ctx, seller, logID))
	if err != nil {
		return nil, err
	}
	return &gatewayv1.FindRequestResponse{SellerId: seller.String(), Request: message(&entry)}, nil
}

// known returns a call that the store has, and the error of the RPC otherwise.
func known(entry requestlog.Entry, found bool, err error) (requestlog.Entry, error) {
	if err == nil && !found {
		err = connect.NewError(connect.CodeNotFound, requestlog.ErrUnknown)
	}
	return entry, err
}

// finder reads which call is meant and returns what finds it.
func (h *Handler) finder(
	form *apikey.Form, sent *gatewayv1.GetRequestRequest,
) func(context.Context, uuid.UUID) (requestlog.Entry, bool, error) {
	if _, byRequestID := sent.GetId().(*gatewayv1.GetRequestRequest_RequestId); !byRequestID {
		id := form.UUID("log_id", sent.GetLogId())
		return func(ctx context.Context, seller uuid.UUID) (requestlog.Entry, bool, error) {
			return h.store.FindRequest(ctx, seller, id)
		}
	}
	filter := requestlog.Filter{RequestID: form.Text("request_id", sent.GetRequestId())}
	return func(ctx context.Context, seller uuid.UUID) (requestlog.Entry, bool, error) {
		page, err := h.store.ListRequests(ctx, seller, filter, nil, 1)
		if err != nil || len(page.Rows) == 0 {
			return requestlog.Entry{}, false, err
		}
		return page.Rows[0], true, nil
	}
}

// longest is the longest time range whose calls are counted.
const longest = 7 * 24 * time.Hour

// CountRequests returns the numbers of calls of a seller.
func (h *Handler) CountRequests(
	ctx context.Context, sent *gatewayv1.CountRequestsRequest,
) (*gatewayv1.CountRequestsResponse, error) {
	form, look := read(ctx, sent, audit.RequestsCounted)
	from, until := form.Time("from", rpc.Time(sent.GetFrom())), form.Time("until", rpc.Time(sent.GetUntil()))
	requireRange(form, from, until)
	if err := h.record(ctx, form, look); err != nil {
		return nil, err
	}
	counts, err := h.store.CountRequests(ctx, look.seller, *from, *until)
	if err != nil {
		return nil, err
	}
	answer := &gatewayv1.CountRequestsResponse{Counts: make([]*gatewayv1.RequestCount, len(counts))}
	for i, count := range counts {
		answer.Counts[i] = countMessage(count)
	}
	return answer, nil
}

func requireRange(form *apikey.Form, from, until *time.Time) {
	if from == nil {
		form.Add("from", apierr.FieldRequired, "is required")
	}
	if until == nil {
		form.Add("until", apierr.FieldRequired, "is required")
	}
	if from != nil && until != nil && (!until.After(*from) || until.Sub(*from) > longest) {
		form.Add("until", apierr.FieldRange, "must be after from, by at most seven days")
	}
}

// ListKeyUses returns when each key of a seller was last used.
func (h *Handler) ListKeyUses(
	ctx context.Context, sent *gatewayv1.ListKeyUsesRequest,
) (*gatewayv1.ListKeyUsesResponse, error) {
	form, look := read(ctx, sent, audit.KeyUsesListed)
	if err := h.record(ctx, form, look); err != nil {
		return nil, err
	}
	uses, err := h.store.LastUses(ctx, look.seller)
	if err != nil {
		return nil, err
	}
	answer := &gatewayv1.ListKeyUsesResponse{Uses: make([]*gatewayv1.KeyUse, len(uses))}
	for i, use := range uses {
		answer.Uses[i] = useMessage(use)
	}
	return answer, nil
}

// look is what the audit trail has of a call.
type look struct {
	seller uuid.UUID
	author audit.Author
	action audit.Action
}

// read reads the fields that all messages share: the seller, and the person who acts in the system that the token authenticates.
func read(ctx context.Context, sent interface {
	GetSellerId() string
	GetActor() string
}, action audit.Action,
) (*apikey.Form, look) {
	var form apikey.Form
	return &form, look{
		seller: form.UUID("seller_id", sent.GetSellerId()),
		author: audit.Author{Caller: rpc.Caller(ctx), Actor: form.Text("actor", sent.GetActor())},
		action: action,
	}
}

// record writes a look to the audit trail if the message is valid. The log is not shown when that fails.
func (h *Handler) record(ctx context.Context, form *apikey.Form, look look) error {
	if err := form.Err(); err != nil {
		return err
	}
	return h.store.RecordLook(ctx, look.author, look.action, look.seller)
}
