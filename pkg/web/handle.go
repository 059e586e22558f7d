package web

import (
	"bytes"
	"net/http"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
)

// successHead opens the envelope of every success; what follows is the data and
// a closing brace.
var successHead = [...]string{
	apierr.English: `{"meta":{"code":200,"message":"OK","error_code":null,"error_data":null},"data":`,
	apierr.Korean:  `{"meta":{"code":200,"message":"정상 처리되었습니다.","error_code":null,"error_data":null},"data":`,
}

// Handle returns a handler for a function that returns the data of the response
// or an error. It writes the envelope: 200 with the data, or the failure of the
// error (see [apierr.From]). The function may set headers on c but must not write
// the response; nil data is null.
func Handle(fn func(*gin.Context) (any, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		data, err := fn(c)
		if err == nil {
			err = succeed(c, data)
		}
		if err != nil {
			Fail(c, err)
		}
	}
}

// succeed writes the success envelope. Data that cannot be encoded is an error,
// and nothing has been written then.
func succeed(c *gin.Context, data any) error {
	if c.Writer.Written() {
		return nil
	}
	if answer, rendered := data.(Answer); rendered {
		sendAnswer(c, answer)
		return nil
	}
	buffer := buffers.Get().(*bytes.Buffer)
	defer putBuffer(buffer)
	if err := renderSuccess(buffer, Language(c), data); err != nil {
		return err
	}
	send(c.Writer, http.StatusOK, buffer.Bytes())
	return nil
}
