package web

import (
	"bytes"
	"net/http"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// encoding has the options for all JSON that a service sends. Members of maps are
// sorted, so that equal responses have equal bytes. Invalid UTF-8 is replaced
// rather than refused: it can only come from the client, and must not turn a
// refusal into a 500.
var encoding = json.JoinOptions(json.Deterministic(true), jsontext.AllowInvalidUTF8(true))

// Marshal encodes a value like a response of this package, for golden files of
// views and for values that are stored as JSON.
func Marshal(value any) ([]byte, error) { return json.Marshal(value, encoding) }

// bufferBytesKept is the largest buffer that is returned to the pool; a page of a
// hundred orders fits. The buffers of rare larger responses are not kept.
const bufferBytesKept = 512 << 10

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBuffer(buffer *bytes.Buffer) {
	if buffer.Cap() > bufferBytesKept {
		return
	}
	buffer.Reset()
	buffers.Put(buffer)
}

// Appender is data that encodes itself as JSON. For large and frequent responses,
// encoding by reflection takes longer than the rest of the request.
type Appender interface {
	// AppendJSON appends one JSON value to b. The value is not validated.
	AppendJSON(b []byte) []byte
}

func encodeInto(buffer *bytes.Buffer, value any) error {
	switch data := value.(type) {
	case listData:
		return data.encodeInto(buffer)
	case Appender:
		_, err := buffer.Write(data.AppendJSON(buffer.AvailableBuffer()))
		return err
	default:
		return json.MarshalWrite(buffer, value, encoding)
	}
}

// send writes a whole answer in one Write, so that with its length known it
// leaves in one piece and is never chunked. The error of a connection that
// broke is ignored: the client cannot receive the answer.
func send(w http.ResponseWriter, status int, body []byte) {
	header := w.Header()
	header["Content-Type"] = contentTypeJSON
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// contentTypeJSON is shared by all answers; header values are never modified in place.
var contentTypeJSON = []string{"application/json; charset=utf-8"}
