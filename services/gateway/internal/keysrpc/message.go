package keysrpc

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/invalid"
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
		ExpiresAt: timestamp(key.ExpiresAt), RevokedAt: timestamp(key.RevokedAt),
	}
}

// timestamp converts a time; nil stays nil.
func timestamp(at *time.Time) *timestamppb.Timestamp {
	if at == nil {
		return nil
	}
	return timestamppb.New(*at)
}

// instant converts a timestamp; nil stays nil. A timestamp outside the valid range of a request stays outside it.
func instant(at *timestamppb.Timestamp) *time.Time {
	if at == nil {
		return nil
	}
	t := at.AsTime()
	return &t
}
