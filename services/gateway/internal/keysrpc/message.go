package keysrpc

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/rpc"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/gateway/internal/apikey"
)

var states = map[apikey.State]gatewayv1.KeyState{
	apikey.Active:  gatewayv1.KeyState_KEY_STATE_ACTIVE,
	apikey.Revoked: gatewayv1.KeyState_KEY_STATE_REVOKED,
	apikey.Expired: gatewayv1.KeyState_KEY_STATE_EXPIRED,
}

func message(key apikey.Key) *gatewayv1.Key {
	return &gatewayv1.Key{
		KeyId: key.ID.String(), Prefix: key.Prefix, SellerId: key.SellerID.String(), Scopes: invalid.Names(key.Scopes),
		Purpose: key.Purpose,
		State:   states[key.State], IssuedAt: timestamppb.New(key.IssuedAt),
		ExpiresAt: rpc.Timestamp(key.ExpiresAt), RevokedAt: rpc.Timestamp(key.RevokedAt),
	}
}
