package web

import (
	"context"

	"github.com/google/uuid"
)

// RequestIDHeader carries the request id in both directions.
const RequestIDHeader = "X-Request-Id"

// maxRequestID bounds, in bytes, the id that a client may choose.
const maxRequestID = 64

// RequestID returns the id of the request of ctx, or "" outside of a request of
// this package's engine.
func RequestID(ctx context.Context) string {
	if rec := recordFrom(ctx); rec != nil {
		return rec.requestID
	}
	return ""
}

// chooseRequestID returns the client's id if it is safe in logs and headers, else
// a new time-ordered one.
func chooseRequestID(sent string) string {
	if isSaneRequestID(sent) {
		return sent
	}
	if id, err := uuid.NewV7(); err == nil {
		return id.String()
	}
	return uuid.NewString()
}

func isSaneRequestID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}
