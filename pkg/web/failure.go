package web

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
)

// Fail answers with the failure of err and aborts the handler chain.
// Middleware uses it; handlers return their error to [Handle] instead.
func Fail(c *gin.Context, err error) {
	c.Abort()
	WriteFailure(c.Writer, c.Request, err)
}

// WriteFailure answers with the failure that err stands for where there is no
// gin context, such as in the error handler of a proxy. Inside a request of an
// engine it also leaves the failure for the log. When the answer has already
// begun, the failure is only logged.
func WriteFailure(w http.ResponseWriter, r *http.Request, err error) {
	failure := asFailure(err)
	rec := recordFrom(r.Context())
	if rec == nil {
		rec = newRecord(r)
		w.Header().Set(RequestIDHeader, rec.RequestID)
		w.Header().Set("Cache-Control", "no-store")
	}
	if begun, ok := w.(interface{ Written() bool }); ok && begun.Written() {
		rec.Failure = failure
		return
	}
	buffer := buffers.Get().(*bytes.Buffer)
	defer putBuffer(buffer)
	failure = renderFailure(buffer, rec, failure)
	noteFailure(w.Header(), rec, failure)
	send(w, failure.Code.Status(), buffer.Bytes())
}

// noteFailure records the failure for the log and sets Retry-After if the failure has one.
func noteFailure(header http.Header, rec *record, failure *apierr.Error) {
	rec.Failure = failure
	header.Del("Content-Encoding")
	if seconds := failure.RetryAfterSeconds(); seconds > 0 {
		header.Set("Retry-After", strconv.Itoa(seconds))
	}
}

// asFailure returns the failure of an error. A code that is not the failure of a
// whole request, like the one that exists only in batch responses, must not
// become a 200, and a nil error is a programming error.
func asFailure(err error) *apierr.Error {
	failure := apierr.From(err)
	switch {
	case failure == nil:
		return apierr.Internal.Because(errors.New("failed without an error"))
	case failure.Code.Status() < http.StatusBadRequest:
		return apierr.Internal.Because(failure)
	default:
		return failure
	}
}

func renderFailure(buffer *bytes.Buffer, rec *record, failure *apierr.Error) *apierr.Error {
	lang := apierr.ParseAcceptLanguage(rec.acceptLanguage)
	data := failure.Public(lang)
	data["request_id"] = rec.RequestID
	answer := Envelope{Meta: Meta{
		Code:      failure.Code.Status(),
		Message:   failure.Message(lang),
		ErrorData: data,
	}}
	if wire := failure.Code.WireCode(); wire != "" {
		answer.Meta.ErrorCode = &wire
	}
	if err := encodeInto(buffer, &answer); err != nil {
		// Only error_data can fail to encode; the failure is sent without it.
		buffer.Reset()
		answer.Meta.ErrorData = map[string]any{"request_id": rec.RequestID}
		failure = failure.Because(errors.Join(failure.Cause, err))
		_ = encodeInto(buffer, &answer)
	}
	return failure
}
