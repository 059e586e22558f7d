package web

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/actor"
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/telemetry"
)

// record holds the engine's data of one request. The writers leave the failure
// in it and the access log reads it, so that it need not be passed through every call.
type record struct {
	Facts

	acceptLanguage string
	bodyBytesMax   int64              // the limit of the operation
	checkBody      func([]byte) error // whether it is the body that was signed; nil where none was
	notes          telemetry.Notes
	stack          []byte
}

type recordKey struct{}

// recordFrom returns the record of the request, or nil outside of an engine.
func recordFrom(ctx context.Context) *record {
	rec, _ := ctx.Value(recordKey{}).(*record)
	return rec
}

// newRecord is a record that is not attached to its request yet. Such a one also stands in
// where a writer is called outside of an engine.
func newRecord(r *http.Request) *record {
	return &record{
		Facts:          Facts{RequestID: actor.ChooseRequestID(r.Header.Get(RequestIDHeader))},
		acceptLanguage: r.Header.Get("Accept-Language"),
		bodyBytesMax:   operation.BodyBytes,
	}
}

// recordOf returns the record of the request, or a spare one that is never logged.
func recordOf(r *http.Request) *record {
	if rec := recordFrom(r.Context()); rec != nil {
		return rec
	}
	return newRecord(r)
}

// attach attaches the record to the request, whose context is to be ctx.
func (r *record) attach(ctx context.Context, c *gin.Context) {
	c.Request = c.Request.WithContext(context.WithValue(ctx, recordKey{}, r))
}

// SetCaller records the caller for the access log: the seller, and the public prefix of
// its key.
func SetCaller(c *gin.Context, seller uuid.UUID, keyPrefix string) {
	rec := recordOf(c.Request)
	rec.Seller, rec.KeyPrefix = seller, keyPrefix
}

// Held records that the request was held for a time on the client's wish, which is not part of its duration in metrics and the
// access log.
func Held(c *gin.Context, duration time.Duration) { recordOf(c.Request).Held += duration }

// Language returns the client's preferred language for texts. Handlers need it
// only for texts in their data.
func Language(c *gin.Context) apierr.Lang {
	return apierr.ParseAcceptLanguage(c.GetHeader("Accept-Language"))
}
