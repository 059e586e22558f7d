package web

import (
	"bytes"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
)

// Answer is a whole answer in the form in which it leaves, for those who keep
// it: a repetition must get the same bytes. A handler that returns one as its
// data has it written as it is.
type Answer struct {
	Status int
	Body   []byte
	// Failure is what a refusal stands for, for the log; nil for a success, and
	// for an answer that was kept.
	Failure *apierr.Error
}

// Render is the answer that [Handle] would give to what its function returned.
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

// sendAnswer writes an answer as it is and leaves its failure for the log.
func sendAnswer(c *gin.Context, answer Answer) {
	if answer.Failure != nil {
		noteFailure(c.Writer.Header(), recordOf(c.Request), answer.Failure)
	}
	send(c.Writer, answer.Status, answer.Body)
}

// renderSuccess appends the success envelope.
func renderSuccess(buffer *bytes.Buffer, lang apierr.Lang, data any) error {
	buffer.WriteString(successHead[lang])
	if err := encodeInto(buffer, data); err != nil {
		return apierr.Internal.Because(fmt.Errorf("encode answer: %w", err))
	}
	buffer.WriteByte('}')
	return nil
}
