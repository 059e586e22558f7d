// Package keysrpc implements gateway.v1.Keys, with which the marketplace's partner console and operators manage sellers and keys.
// It converts messages to requests of package apikey, collects all validation errors, and maps refusals to the codes of the
// contract. Package rpc authenticates callers beforehand; each message names the acting representative, who is written to the
// audit trail together with the caller.
package keysrpc

import (
	"context"
	"errors"
	"time"

	"connectrpc.com/connect"

	"sellerapi.dev/pkg/rpc"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
)

// Handler implements gateway.v1.Keys with the use cases of package apikey.
type Handler struct{ keys *apikey.Keys }

// New returns the handler.
func New(keys *apikey.Keys) *Handler { return &Handler{keys: keys} }

var _ gatewayv1connect.KeysHandler = (*Handler)(nil)

// RegisterSeller registers a seller or updates its name.
func (h *Handler) RegisterSeller(ctx context.Context,
	sent *gatewayv1.RegisterSellerRequest,
) (*gatewayv1.RegisterSellerResponse, error) {
	var form apikey.Form
	request := apikey.RegisterRequest{
		SellerID: form.UUID("seller_id", sent.GetSellerId()),
		Name:     form.Text("name", sent.GetName()),
		Author:   author(ctx, form.Text("actor", sent.GetActor())),
	}
	if err := form.Err(); err != nil {
		return nil, err
	}
	return &gatewayv1.RegisterSellerResponse{}, refusal(h.keys.Register(ctx, request))
}

// IssueKey issues a key. A repeated request id returns the answer of the first call.
func (h *Handler) IssueKey(ctx context.Context, sent *gatewayv1.IssueKeyRequest) (*gatewayv1.IssueKeyResponse, error) {
	var form apikey.Form
	request := apikey.IssueRequest{
		SellerID:  form.UUID("seller_id", sent.GetSellerId()),
		Scopes:    form.Scopes("scopes", sent.GetScopes()),
		Purpose:   form.OptionalText("purpose", sent.GetPurpose()),
		ExpiresAt: form.Time("expires_at", rpc.Time(sent.GetExpiresAt())),
		Author:    author(ctx, form.Text("actor", sent.GetActor())),
		RequestID: form.UUID("request_id", sent.GetRequestId()),
	}
	if err := form.Err(); err != nil {
		return nil, err
	}
	key, text, err := h.keys.Issue(ctx, request)
	return &gatewayv1.IssueKeyResponse{Key: message(key), Text: text.Reveal()}, refusal(err)
}

// ListKeys returns every key of a seller, newest first.
func (h *Handler) ListKeys(ctx context.Context, sent *gatewayv1.ListKeysRequest) (*gatewayv1.ListKeysResponse, error) {
	var form apikey.Form
	request := apikey.ViewRequest{
		SellerID: form.UUID("seller_id", sent.GetSellerId()),
		Author:   author(ctx, form.Text("actor", sent.GetActor())),
	}
	if err := form.Err(); err != nil {
		return nil, err
	}
	keys, err := h.keys.List(ctx, request)
	if err != nil {
		return nil, refusal(err)
	}
	answer := &gatewayv1.ListKeysResponse{Keys: make([]*gatewayv1.Key, len(keys))}
	for i, key := range keys {
		answer.Keys[i] = message(key)
	}
	return answer, nil
}

// RevealKey returns the text of an issued key.
func (h *Handler) RevealKey(ctx context.Context, sent *gatewayv1.RevealKeyRequest) (*gatewayv1.RevealKeyResponse, error) {
	var form apikey.Form
	request := apikey.ViewRequest{
		SellerID: form.UUID("seller_id", sent.GetSellerId()),
		KeyID:    form.UUID("key_id", sent.GetKeyId()),
		Author:   author(ctx, form.Text("actor", sent.GetActor())),
	}
	if err := form.Err(); err != nil {
		return nil, err
	}
	text, err := h.keys.Reveal(ctx, request)
	return &gatewayv1.RevealKeyResponse{Text: text.Reveal()}, refusal(err)
}

// RevokeKey revokes a key. When it has returned, no replica accepts the key any more. Unavailable with the text of
// ErrUnconfirmed: the key is revoked, but Redis has not stored the revocation yet.
func (h *Handler) RevokeKey(ctx context.Context, sent *gatewayv1.RevokeKeyRequest) (*gatewayv1.RevokeKeyResponse, error) {
	var form apikey.Form
	request := apikey.RevokeRequest{
		SellerID: form.UUID("seller_id", sent.GetSellerId()),
		KeyID:    form.UUID("key_id", sent.GetKeyId()),
		Author:   author(ctx, form.Text("actor", sent.GetActor())),
		Reason:   form.OptionalText("reason", sent.GetReason()),
	}
	if err := form.Err(); err != nil {
		return nil, err
	}
	ctx, cancel := inTime(ctx)
	defer cancel()
	key, err := h.keys.Revoke(ctx, request)
	return &gatewayv1.RevokeKeyResponse{Key: message(key)}, refusal(err)
}

// author returns the author of a call: the system that the token authenticates, and the person that the message names.
func author(ctx context.Context, actor string) audit.Author {
	return audit.Author{Caller: rpc.Caller(ctx), Actor: actor}
}

// answerMargin is the part of a call's timeout that is reserved for the answer: a caller that has timed out would not learn that
// its key is revoked.
const answerMargin = 250 * time.Millisecond

// inTime returns a context that ends before the caller's deadline.
func inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, limited := ctx.Deadline()
	if !limited {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-answerMargin))
}

// refusal maps the errors of package apikey to the codes of the contract; package rpc maps all others.
func refusal(err error) error {
	if limited, ok := errors.AsType[*apikey.LimitError](err); ok {
		return connect.NewError(connect.CodeResourceExhausted, limited)
	}
	switch {
	case errors.Is(err, apikey.ErrSellerUnknown):
		return connect.NewError(connect.CodeNotFound, apikey.ErrSellerUnknown)
	case errors.Is(err, apikey.ErrKeyUnknown):
		return connect.NewError(connect.CodeNotFound, apikey.ErrKeyUnknown)
	case errors.Is(err, apikey.ErrOtherContent):
		return connect.NewError(connect.CodeAlreadyExists, apikey.ErrOtherContent)
	case errors.Is(err, apikey.ErrUnconfirmed):
		return connect.NewError(connect.CodeUnavailable, apikey.ErrUnconfirmed)
	default:
		return err
	}
}
