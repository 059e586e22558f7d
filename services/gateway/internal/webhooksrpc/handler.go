// Package webhooksrpc implements gateway.v1.Webhooks, with which the marketplace's partner console and operators manage the
// addresses that are told of changes. It converts messages to requests of package webhook and maps refusals to the codes of the
// contract. Package rpc authenticates callers beforehand; package keysrpc records those that it refuses.
package webhooksrpc

import (
	"context"
	"errors"

	"connectrpc.com/connect"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/webhook"
)

// Handler implements gateway.v1.Webhooks with the use cases of package webhook.
type Handler struct {
	hooks     *webhook.Hooks
	addresses webhook.Addresses
}

// New returns the handler. It refuses URLs that deliveries would not go to.
func New(hooks *webhook.Hooks, addresses webhook.Addresses) *Handler {
	return &Handler{hooks: hooks, addresses: addresses}
}

var _ gatewayv1connect.WebhooksHandler = (*Handler)(nil)

// AddWebhook adds an address. A repeated request id returns the answer of the first call.
func (h *Handler) AddWebhook(ctx context.Context, sent *gatewayv1.AddWebhookRequest) (*gatewayv1.AddWebhookResponse, error) {
	var form apikey.Form
	request := webhook.AddRequest{
		SellerID:  form.UUID("seller_id", sent.GetSellerId()),
		URL:       sent.GetUrl(),
		Author:    author(ctx, form.Text("actor", sent.GetActor())),
		RequestID: form.UUID("request_id", sent.GetRequestId()),
	}
	if problem := h.addresses.CheckURL(request.URL); problem != "" {
		form.Add("url", apierr.FieldMalformed, problem)
	}
	if err := form.Err(); err != nil {
		return nil, err
	}
	hook, text, err := h.hooks.Add(ctx, request)
	if err != nil {
		return nil, refusal(err)
	}
	return &gatewayv1.AddWebhookResponse{Webhook: message(hook), Secret: text.Reveal()}, nil
}

// ListWebhooks returns the addresses of a seller, oldest first.
func (h *Handler) ListWebhooks(
	ctx context.Context, sent *gatewayv1.ListWebhooksRequest,
) (*gatewayv1.ListWebhooksResponse, error) {
	var form apikey.Form
	request := webhook.Request{
		SellerID: form.UUID("seller_id", sent.GetSellerId()),
		Author:   author(ctx, form.Text("actor", sent.GetActor())),
	}
	if err := form.Err(); err != nil {
		return nil, err
	}
	hooks, err := h.hooks.List(ctx, request)
	if err != nil {
		return nil, refusal(err)
	}
	answer := &gatewayv1.ListWebhooksResponse{Webhooks: make([]*gatewayv1.Webhook, len(hooks))}
	for i, hook := range hooks {
		answer.Webhooks[i] = message(hook)
	}
	return answer, nil
}

// RotateWebhookSecret replaces the secret of an address. A repeated request id returns the answer of the first call.
func (h *Handler) RotateWebhookSecret(
	ctx context.Context, sent *gatewayv1.RotateWebhookSecretRequest,
) (*gatewayv1.RotateWebhookSecretResponse, error) {
	form, request := read(ctx, sent)
	request.RequestID = form.UUID("request_id", sent.GetRequestId())
	if err := form.Err(); err != nil {
		return nil, err
	}
	hook, text, err := h.hooks.Rotate(ctx, request)
	if err != nil {
		return nil, refusal(err)
	}
	return &gatewayv1.RotateWebhookSecretResponse{Webhook: message(hook), Secret: text.Reveal()}, nil
}

// PauseWebhook stops the deliveries to an address.
func (h *Handler) PauseWebhook(
	ctx context.Context, sent *gatewayv1.PauseWebhookRequest,
) (*gatewayv1.PauseWebhookResponse, error) {
	form, request := read(ctx, sent)
	if err := form.Err(); err != nil {
		return nil, err
	}
	hook, err := h.hooks.Pause(ctx, request)
	if err != nil {
		return nil, refusal(err)
	}
	return &gatewayv1.PauseWebhookResponse{Webhook: message(hook)}, nil
}

// ResumeWebhook starts the deliveries to an address again.
func (h *Handler) ResumeWebhook(
	ctx context.Context, sent *gatewayv1.ResumeWebhookRequest,
) (*gatewayv1.ResumeWebhookResponse, error) {
	form, request := read(ctx, sent)
	if err := form.Err(); err != nil {
		return nil, err
	}
	hook, err := h.hooks.Resume(ctx, request)
	if err != nil {
		return nil, refusal(err)
	}
	return &gatewayv1.ResumeWebhookResponse{Webhook: message(hook)}, nil
}

// TestWebhook makes a delivery that says that nothing has changed.
func (h *Handler) TestWebhook(ctx context.Context, sent *gatewayv1.TestWebhookRequest) (*gatewayv1.TestWebhookResponse, error) {
	form, request := read(ctx, sent)
	if err := form.Err(); err != nil {
		return nil, err
	}
	delivery, err := h.hooks.Test(ctx, request)
	if err != nil {
		return nil, refusal(err)
	}
	return &gatewayv1.TestWebhookResponse{Delivery: deliveryMessage(delivery)}, nil
}

// RemoveWebhook removes an address.
func (h *Handler) RemoveWebhook(
	ctx context.Context, sent *gatewayv1.RemoveWebhookRequest,
) (*gatewayv1.RemoveWebhookResponse, error) {
	form, request := read(ctx, sent)
	if err := form.Err(); err != nil {
		return nil, err
	}
	return &gatewayv1.RemoveWebhookResponse{}, refusal(h.hooks.Remove(ctx, request))
}

// ListWebhookDeliveries returns deliveries to an address, latest first.
func (h *Handler) ListWebhookDeliveries(
	ctx context.Context, sent *gatewayv1.ListWebhookDeliveriesRequest,
) (*gatewayv1.ListWebhookDeliveriesResponse, error) {
	form, request := read(ctx, sent)
	before := uuid.Max
	if sent.GetBefore() != "" {
		before = form.UUID("before", sent.GetBefore())
	}
	if err := form.Err(); err != nil {
		return nil, err
	}
	deliveries, err := h.hooks.Deliveries(ctx, request, before)
	if err != nil {
		return nil, refusal(err)
	}
	answer := &gatewayv1.ListWebhookDeliveriesResponse{Deliveries: make([]*gatewayv1.WebhookDelivery, len(deliveries))}
	for i, delivery := range deliveries {
		answer.Deliveries[i] = deliveryMessage(delivery)
	}
	return answer, nil
}

// read reads the fields that the messages about one webhook share.
func read(ctx context.Context, sent interface {
	GetSellerId() string
	GetWebhookId() string
	GetActor() string
},
) (*apikey.Form, webhook.Request) {
	var form apikey.Form
	return &form, webhook.Request{
		SellerID: form.UUID("seller_id", sent.GetSellerId()),
		ID:       form.UUID("webhook_id", sent.GetWebhookId()),
		Author:   author(ctx, form.Text("actor", sent.GetActor())),
	}
}

// author returns the author of a call: the system that the token authenticates, and the person that the message names.
func author(ctx context.Context, actor string) audit.Author {
	return audit.Author{Caller: rpc.Caller(ctx), Actor: actor}
}

// codes maps the errors of package webhook to the codes of the contract.
var codes = map[error]connect.Code{
	apikey.ErrSellerUnknown: connect.CodeNotFound,
	webhook.ErrUnknown:      connect.CodeNotFound,
	webhook.ErrTooMany:      connect.CodeResourceExhausted,
	webhook.ErrURLTaken:     connect.CodeAlreadyExists,
	webhook.ErrOtherContent: connect.CodeAlreadyExists,
	webhook.ErrUnderWay:     connect.CodeAborted,
}

// refusal maps errors to the codes of the contract; package rpc maps those that are not in codes.
func refusal(err error) error {
	for known, code := range codes {
		if errors.Is(err, known) {
			return connect.NewError(code, known)
		}
	}
	return err
}
