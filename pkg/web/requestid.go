package web

import (
	"context"

	"sellerapi.dev/pkg/actor"
)

// RequestIDHeader carries the request id in both directions.
const RequestIDHeader = actor.RequestIDHeader

// RequestID returns the id of the request of ctx, or "" outside of a request of
// this package's engine.
func RequestID(ctx context.Context) string {
	if rec := recordFrom(ctx); rec != nil {
		return rec.RequestID
	}
	return ""
}
