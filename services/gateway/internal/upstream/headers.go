package upstream

import (
	"net/http"
	"slices"
	"strings"
)

// requestHeaders are the headers of a client that a service gets to see.
var requestHeaders = []string{"Accept-Language", "Content-Type", "Content-Encoding"}

// ourHeaders is how many headers the gateway adds at most.
const ourHeaders = 6

// headersFor are the headers of a client's request that are for the service and no other, with room for ours.
func headersFor(r *http.Request) http.Header {
	header := make(http.Header, len(requestHeaders)+ourHeaders)
	for _, name := range requestHeaders {
		if values, sent := r.Header[name]; sent && !forNextHop(r.Header, name) {
			header[name] = values
		}
	}
	return header
}

// forNextHop reports whether the header Connection names another header, which is then not to be passed on.
func forNextHop(header http.Header, name string) bool {
	for _, line := range header["Connection"] {
		if slices.ContainsFunc(strings.Split(line, ","), func(word string) bool { return strings.EqualFold(strings.TrimSpace(word), name) }) {
			return true
		}
	}
	return false
}
