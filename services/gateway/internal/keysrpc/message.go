package keysrpc

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/gateway/internal/apikey"
)

var states = map[apikey.State]gatewayv1.KeyState{
	apikey.Active:  gatewayv1.KeyState_KEY_STATE_ACTIVE,
	apikey.Revoked: gatewayv1.KeyState_KEY_STATE_REVOKED,
	apikey.Expired: gatewayv1.KeyState_KEY_STATE_EXPIRED,
}

// message writes a key as the contract shows it.
func message(key apikey.Key) *gatewayv1.Key {
	scopes := make([]string, len(key.Scopes))
	for i, scope := range key.Scopes {
		scopes[i] = string(scope)
	}
	return &gatewayv1.Key{
		KeyId: key.ID.String(), Prefix: key.Prefix, SellerId: key.SellerID.String(), Scopes: scopes, Purpose: key.Purpose,
		State: states[key.State], IssuedAt: timestamppb.New(key.IssuedAt),
		ExpiresAt: timestamp(key.ExpiresAt), RevokedAt: timestamp(key.RevokedAt),
	}
}

// timestamp is absent for nil.
func timestamp(at *time.Time) *timestamppb.Timestamp {
	if at == nil {
		return nil
	}
	return timestamppb.New(*at)
}

// instant is nil for absent. A timestamp outside the range that the form allows stays outside of it.
func instant(at *timestamppb.Timestamp) *time.Time {
	if at == nil {
		return nil
	}
	t := at.AsTime()
	return &t
}
