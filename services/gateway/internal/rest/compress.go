package rest

import (
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// compressFromBytes is the minimum size for compression: smaller answers fit into one packet.
const compressFromBytes = 1400

// Compressed compresses answers with zstd or gzip for clients that accept one of them, in the client's order of preference,
// else zstd. It uses the fastest levels: they shrink a page of orders to a tenth, and each further percent would cost more time
// than it saves.
func Compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(compressFromBytes),
		gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.ContentTypes([]string{"application/json"}),
	)
	if err != nil {
		panic(err) // cannot happen: only for contradictory options
	}
	handler := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A list may be sent in several lines, but the library reads only the first.
		if lines := r.Header["Accept-Encoding"]; len(lines) > 1 {
			r.Header.Set("Accept-Encoding", strings.Join(lines, ", "))
		}
		handler(w, r)
	})
}
