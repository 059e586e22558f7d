package keysrpc

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
)

// MaxMessageBytes limits a message of gateway.v1.Keys; the longest valid one has a few kilobytes. The messages of refused
// callers are read too.
const MaxMessageBytes = 64 << 10

// refusalTimeout limits how long writing the entry of a refused call may take.
const refusalTimeout = 5 * time.Second

// wanted maps each procedure to its action.
var wanted = map[string]audit.Action{
	gatewayv1connect.KeysRegisterSellerProcedure: audit.Registered,
	gatewayv1connect.KeysIssueKeyProcedure:       audit.Issued,
	gatewayv1connect.KeysListKeysProcedure:       audit.Listed,
	gatewayv1connect.KeysRevealKeyProcedure:      audit.Revealed,
	gatewayv1connect.KeysRevokeKeyProcedure:      audit.Revoked,

	gatewayv1connect.WebhooksAddWebhookProcedure:            audit.WebhookAdded,
	gatewayv1connect.WebhooksListWebhooksProcedure:          audit.WebhooksListed,
	gatewayv1connect.WebhooksRotateWebhookSecretProcedure:   audit.WebhookRotated,
	gatewayv1connect.WebhooksPauseWebhookProcedure:          audit.WebhookPaused,
	gatewayv1connect.WebhooksResumeWebhookProcedure:         audit.WebhookResumed,
	gatewayv1connect.WebhooksTestWebhookProcedure:           audit.WebhookTested,
	gatewayv1connect.WebhooksRemoveWebhookProcedure:         audit.WebhookRemoved,
	gatewayv1connect.WebhooksListWebhookDeliveriesProcedure: audit.WebhookDeliveriesShown,

	gatewayv1connect.RequestsListRequestsProcedure:  audit.RequestsListed,
	gatewayv1connect.RequestsGetRequestProcedure:    audit.RequestShown,
	gatewayv1connect.RequestsFindRequestProcedure:   audit.RequestShown,
	gatewayv1connect.RequestsCountRequestsProcedure: audit.RequestsCounted,
	gatewayv1connect.RequestsListKeyUsesProcedure:   audit.KeyUsesListed,
	gatewayv1connect.RequestsListLimitUsesProcedure: audit.LimitUsesListed,
}

// NewRecorder returns a recorder that writes each call that package rpc refuses to the audit trail, even if its caller has
// disconnected. A call that cannot be written is in the log alone.
func NewRecorder(write func(context.Context, audit.Refusal) error, logger *slog.Logger) rpc.Recorder {
	return func(ctx context.Context, refused rpc.Refusal) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refusalTimeout)
		defer cancel()
		if err := write(ctx, read(refused)); err != nil {
			logger.ErrorContext(ctx, "a refused call could not be written to the audit trail", "error", err)
		}
	}
}

// read returns the fields of a refused call for the trail. They are untrusted: invalid ones count as missing.
func read(refused rpc.Refusal) audit.Refusal {
	refusal := audit.Refusal{
		Author: audit.Author{Caller: refused.Caller}, Action: wanted[refused.Procedure], Cause: audit.NotPermitted,
	}
	if m, ok := refused.Message.(interface{ GetActor() string }); ok {
		var form apikey.Form
		if actor := form.Text("actor", m.GetActor()); form.Err() == nil {
			refusal.Author.Actor = actor
		}
	}
	if m, ok := refused.Message.(interface{ GetSellerId() string }); ok {
		refusal.SellerID = named(m.GetSellerId())
	}
	if m, ok := refused.Message.(interface{ GetKeyId() string }); ok {
		refusal.KeyID = named(m.GetKeyId())
	}
	if m, ok := refused.Message.(interface{ GetWebhookId() string }); ok {
		refusal.WebhookID = named(m.GetWebhookId())
	}
	return refusal
}

// named parses an id of a message; nil if it is invalid.
func named(text string) *uuid.UUID {
	var form apikey.Form
	id := form.UUID("", text)
	if form.Err() != nil {
		return nil
	}
	return &id
}
