package webhooksrpc

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/rpc"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/gateway/internal/webhook"
)

var states = map[webhook.State]gatewayv1.WebhookState{
	webhook.Active: gatewayv1.WebhookState_WEBHOOK_STATE_ACTIVE,
	webhook.Paused: gatewayv1.WebhookState_WEBHOOK_STATE_PAUSED,
	webhook.Failed: gatewayv1.WebhookState_WEBHOOK_STATE_FAILED,
}

func message(hook webhook.Webhook) *gatewayv1.Webhook {
	return &gatewayv1.Webhook{
		WebhookId: hook.ID.String(), SellerId: hook.SellerID.String(), Url: hook.URL, State: states[hook.State],
		CreatedAt: timestamppb.New(hook.CreatedAt), PausedAt: rpc.Timestamp(hook.PausedAt),
		FailingSince: rpc.Timestamp(hook.FailingSince), PreviousSecretUntil: rpc.Timestamp(hook.PreviousUntil),
	}
}

func deliveryMessage(delivery webhook.Delivery) *gatewayv1.WebhookDelivery {
	return &gatewayv1.WebhookDelivery{
		DeliveryId: delivery.ID.String(), Type: string(delivery.Type), At: timestamppb.New(delivery.At),
		Status:  int32(delivery.Status), //nolint:gosec // three digits
		Failure: delivery.Failure, Milliseconds: delivery.Took.Milliseconds(),
	}
}
