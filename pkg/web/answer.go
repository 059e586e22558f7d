package web

import (
	"bytes"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
)

// Answer is a complete response in encoded form, which can be stored so that a
// repetition gets the same bytes. If a handler returns one as its data, it is
// written unchanged.
type Answer struct {
	Status int
	Body   []byte
	// Failure is the failure for the log; nil for a success, and for a stored
	// response.
	Failure *apierr.Error
}

// Render returns the response that [Handle] would write for a function's results.
func Render(c *gin.Context, data any, err error) Answer {
	var buffer bytes.Buffer
	if err == nil {
		if err = renderSuccess(&buffer, Language(c), data); err == nil {
			return Answer{Status: http.StatusOK, Body: buffer.Bytes()}
		}
		buffer.Reset()
	}
	failure := asFailure(err)
	failure = renderFailure(&buffer, recordOf(c.Request), failure)
	return Answer{Status: failure.Code.Status(), Body: buffer.Bytes(), Failure: failure}
}

// sendAnswer writes an answer unchanged and records its failure for the log.
func sendAnswer(c *gin.Context, answer Answer) {
	if answer.Failure != nil {
		noteFailure(c.Writer.Header(), recordOf(c.Request), answer.Failure)
	}
	send(c.Writer, answer.Status, answer.Body)
}

func renderSuccess(buffer *bytes.Buffer, lang apierr.Lang, data any) error {
	buffer.WriteString(successHead[lang])
	if err := encodeInto(buffer, data); err != nil {
		return apierr.Internal.Because(fmt.Errorf("encode answer: %w", err))
	}
	buffer.WriteByte('}')
	return nil
}
