package upstream

import (
	"net/http"
	"strings"
)

// requestHeaders are the headers of a client that are forwarded to a service.
var requestHeaders = []string{"Accept-Language", "Content-Type", "Content-Encoding"}

const ourHeaders = 6

// headersFor returns the headers of a client's request for the service, with capacity for the gateway's.
func headersFor(r *http.Request) http.Header {
	header := make(http.Header, len(requestHeaders)+ourHeaders)
	for _, name := range requestHeaders {
		if values, sent := r.Header[name]; sent && !forNextHop(r.Header, name) {
			header[name] = values
		}
	}
	return header
}

// forNextHop reports whether the header Connection names another header, which must not be forwarded then.
func forNextHop(header http.Header, name string) bool {
	for _, line := range header["Connection"] {
		for word := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(word), name) {
				return true
			}
		}
	}
	return false
}
