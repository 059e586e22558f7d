package web

import (
	"bytes"
	"net/http"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// encoding holds the one set of rules for JSON that leaves a service. Members of
// maps are sorted, so that equal answers are equal bytes. Broken UTF-8 is
// replaced rather than refused: it can only come from what a client sent, and
// must not turn a refusal into a 500.
var encoding = json.JoinOptions(json.Deterministic(true), jsontext.AllowInvalidUTF8(true))

// Marshal encodes a value by the rules of this package's answers, for golden
// files of views and for values that are kept as JSON.
func Marshal(value any) ([]byte, error) { return json.Marshal(value, encoding) }

// bufferBytesKept is the largest buffer that goes back to the pool; a page of a
// hundred orders fits. A rare larger answer does not stay in memory.
const bufferBytesKept = 512 << 10

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBuffer(buffer *bytes.Buffer) {
	if buffer.Cap() > bufferBytesKept {
		return
	}
	buffer.Reset()
	buffers.Put(buffer)
}

// Appender is data that writes its own JSON. Where answers are large and
// frequent, finding out by reflection what they consist of takes longer than
// all else that is done for them.
type Appender interface {
	// AppendJSON appends one JSON value to b. The value is not validated.
	AppendJSON(b []byte) []byte
}

// encodeInto appends the value to the buffer.
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
