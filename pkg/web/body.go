package web

import (
	"errors"
	"mime"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
)

// Body reads the JSON object of a request and collects its problems. Its fields
// are read with the methods of [Object]; a field that is absent or invalid reads
// as the zero value, and [Body.Err] returns the problems once all have been read:
//
//	b := web.ReadBody(c)
//	ids := b.Strings("item_ids", web.List{Min: 1, Max: 200, Unique: true, Element: invalid.Text{NotEmpty: true}})
//	carrier := b.String("carrier_name", invalid.Text{Max: 50})
//	if err := b.Err(); err != nil {
//		return nil, err
//	}
//
// Unknown fields are ignored, unless their name is that of a known
// field in another letter case: that mistake would otherwise go unnoticed.
type Body struct {
	*Object
	// refused is the reason why the body was not decoded.
	refused error
	checked bool
}

// ReadBody reads a body up to the size that its operation allows. An operation
// with a body has no query parameters, so one that is sent is a problem too.
func ReadBody(c *gin.Context) *Body {
	if err := acceptJSON(c.Request.Header); err != nil {
		return refuse(err)
	}
	var body *Body
	err := InSlot(c.Request.Context(), c.Request.ContentLength, func() { body = readBody(c) })
	if err != nil {
		return refuse(err)
	}
	return body
}

// readBody reads a body in its slot.
func readBody(c *gin.Context) *Body {
	raw, err := signedBody(c)
	if err != nil {
		return refuse(err)
	}
	s := &sink{Problems: ParseQuery(c).problems}
	return &Body{Object: parseBody(raw, s)}
}

// refuse returns a body whose fields all read as the zero value.
func refuse(err error) *Body {
	return &Body{Object: &Object{sink: &sink{}, unreadable: true}, refused: err}
}

// Err returns the error of the request: the refusal of the whole body (401, 413,
// 415), else VALIDATION_ERROR with all problems, else nil. Call it after all
// fields have been read.
func (b *Body) Err() error {
	if b.refused != nil {
		return b.refused
	}
	if !b.checked {
		b.checked = true
		b.sink.reportLetterCase()
	}
	return b.sink.Err()
}

// signedBody reads the body up to the size that the operation allows. A body that
// the gateway did not sign is answered like a request without a signature.
func signedBody(c *gin.Context) ([]byte, error) {
	rec := recordOf(c.Request)
	raw, err := rawBody(c, rec.bodyBytesMax)
	if err != nil || rec.checkBody == nil {
		return raw, err
	}
	if err := rec.checkBody(raw); err != nil {
		return nil, apierr.Unauthenticated.Because(err)
	}
	return raw, nil
}

// rawBody reads the bytes of a body up to a limit, whatever they are. More is
// BodyTooLarge, also when the length was not announced; a body that ends early
// is VALIDATION_ERROR.
func rawBody(c *gin.Context, limit int64) ([]byte, error) {
	if c.Request.Body == nil || c.Request.ContentLength == 0 {
		return nil, nil
	}
	if c.Request.ContentLength > limit {
		return nil, TooLarge(limit)
	}
	raw, err := ReadAll(c.Request.Body, c.Request.ContentLength, limit)
	switch {
	case errors.Is(err, apierr.BodyTooLarge):
		return nil, err
	case err != nil && c.Request.Context().Err() != nil:
		return nil, apierr.From(c.Request.Context().Err()).Because(err)
	case err != nil:
		incomplete := apierr.Problem("body", apierr.FieldSyntax, apierr.Unreadable)
		return nil, apierr.Invalid(incomplete).Because(err)
	}
	return raw, nil
}

// bodyHeaders are the headers that describe a body, the values that are accepted, and the member of error_data that shows
// another one.
var bodyHeaders = []struct {
	name, member string
	accepts      func(value string) bool
}{
	{"Content-Encoding", "content_encoding", isPlain},
	{"Content-Type", "content_type", isJSON},
}

// acceptJSON refuses a body with another Content-Type, or with a Content-Encoding, and says which. One without a Content-Type
// is read as JSON.
func acceptJSON(header http.Header) error {
	for _, rule := range bodyHeaders {
		for _, value := range header.Values(rule.name) {
			if value = strings.TrimSpace(value); !rule.accepts(value) {
				sent := shown(value)
				return apierr.UnsupportedMediaType.With(map[string]any{rule.member: sent}).Meaning(apierr.HintSent.With(rule.name, sent))
			}
		}
	}
	return nil
}

// maxShown is the largest number of characters of a header that a refusal shows.
const maxShown = 100

// shown returns the beginning of a header's value as a text that can be shown: a header may have any bytes.
func shown(value string) string {
	printable := func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}
	text := []rune(strings.Map(printable, value[:min(len(value), utf8.UTFMax*maxShown)]))
	return string(text[:min(len(text), maxShown)])
}

func isPlain(encoding string) bool { return strings.EqualFold(encoding, "identity") }

func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil || media != "application/json" {
		return false
	}
	charset, named := params["charset"]
	return !named || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "utf8")
}
