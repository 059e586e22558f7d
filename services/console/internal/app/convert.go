package app

import (
	"encoding/hex"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/console/internal/pages"
)

// timeOf converts a timestamp; nil is the zero time.
func timeOf(at *timestamppb.Timestamp) time.Time {
	if at == nil {
		return time.Time{}
	}
	return at.AsTime()
}

var keyStates = map[gatewayv1.KeyState]pages.KeyState{
	gatewayv1.KeyState_KEY_STATE_ACTIVE:  pages.KeyActive,
	gatewayv1.KeyState_KEY_STATE_REVOKED: pages.KeyRevoked,
	gatewayv1.KeyState_KEY_STATE_EXPIRED: pages.KeyExpired,
}

func keyView(key *gatewayv1.Key) pages.Key {
	return pages.Key{
		ID: key.GetKeyId(), Prefix: key.GetPrefix(), Purpose: key.GetPurpose(), Scopes: key.GetScopes(),
		State: keyStates[key.GetState()], IssuedAt: timeOf(key.GetIssuedAt()), ExpiresAt: timeOf(key.GetExpiresAt()),
		RevokedAt: timeOf(key.GetRevokedAt()),
	}
}

var idempotencies = map[gatewayv1.IdempotencyOutcome]pages.Idempotency{
	gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_FIRST:       pages.IdempotencyFirst,
	gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_REPLAYED:    pages.IdempotencyReplayed,
	gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_IN_PROGRESS: pages.IdempotencyInProgress,
	gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_REUSED:      pages.IdempotencyReused,
	gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_GONE:        pages.IdempotencyGone,
}

func callView(call *gatewayv1.LoggedRequest) pages.Call {
	return pages.Call{
		ID: call.GetLogId(), At: timeOf(call.GetAt()), KeyID: call.GetKeyId(), KeyPrefix: call.GetKeyPrefix(),
		Operation: call.GetOperation(), RequestID: call.GetRequestId(), Record: call.GetRecord(), Query: call.GetQuery(),
		Status: int(call.GetStatus()), ErrorCode: call.GetErrorCode(), ErrorData: call.GetErrorData(), Rows: int64(call.GetRows()),
		Took: call.GetTook().AsDuration(), Idempotency: idempotencies[call.GetIdempotency()],
		IdempotencyDigest: hex.EncodeToString(call.GetIdempotencyKeyDigest()), Client: call.GetClient(), UserAgent: call.GetUserAgent(),
		TraceID: call.GetTraceId(),
	}
}

func callViews(calls []*gatewayv1.LoggedRequest) []pages.Call {
	views := make([]pages.Call, len(calls))
	for i, call := range calls {
		views[i] = callView(call)
	}
	return views
}

var webhookStates = map[gatewayv1.WebhookState]pages.WebhookState{
	gatewayv1.WebhookState_WEBHOOK_STATE_ACTIVE: pages.WebhookActive,
	gatewayv1.WebhookState_WEBHOOK_STATE_PAUSED: pages.WebhookPaused,
	gatewayv1.WebhookState_WEBHOOK_STATE_FAILED: pages.WebhookFailed,
}

func webhookView(hook *gatewayv1.Webhook) pages.Webhook {
	return pages.Webhook{
		ID: hook.GetWebhookId(), URL: hook.GetUrl(), State: webhookStates[hook.GetState()], CreatedAt: timeOf(hook.GetCreatedAt()),
		PausedAt: timeOf(hook.GetPausedAt()), FailingSince: timeOf(hook.GetFailingSince()),
		OldSecretUntil: timeOf(hook.GetPreviousSecretUntil()),
	}
}

func deliveryView(delivery *gatewayv1.WebhookDelivery) pages.Delivery {
	return pages.Delivery{
		ID: delivery.GetDeliveryId(), Type: delivery.GetType(), At: timeOf(delivery.GetAt()), Status: int(delivery.GetStatus()),
		Failure: delivery.GetFailure(), Took: time.Duration(delivery.GetMilliseconds()) * time.Millisecond,
	}
}
