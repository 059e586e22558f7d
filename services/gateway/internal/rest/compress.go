package rest

import (
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// compressFromBytes is the size below which an answer fits into one packet anyway.
const compressFromBytes = 1400

// Compressed answers in zstd or gzip to clients that accept one of them, in the one they prefer and in zstd when they do
// not mind. The fastest levels are used: a page of orders shrinks to a tenth with them, and the next percent would cost
// more time than it saves.
func Compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(compressFromBytes),
		gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.ContentTypes([]string{"application/json"}),
	)
	if err != nil {
		panic(err) // only for options that contradict each other
	}
	handler := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A list may be sent in several lines; the library looks at the first.
		if lines := r.Header["Accept-Encoding"]; len(lines) > 1 {
			r.Header.Set("Accept-Encoding", strings.Join(lines, ", "))
		}
		handler(w, r)
	})
}
