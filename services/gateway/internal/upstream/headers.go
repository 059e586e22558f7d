package upstream

import (
	"context"
	"net/http"
	"slices"
	"strings"
)

// requestHeaders are the headers of a client that a service gets to see.
var requestHeaders = []string{"Accept-Language", "Content-Type", "Content-Encoding"}

// inbound returns the client's request as the proxy sees it: with the headers that are for the service and no other. A proxy
// acts upon headers that are for the next hop alone, such as Upgrade, refuses values that it does not understand, and names
// them in its errors, which are logged.
func inbound(ctx context.Context, r *http.Request) *http.Request {
	in := r.WithContext(ctx)
	in.Header = make(http.Header, len(requestHeaders))
	for _, name := range requestHeaders {
		if values, sent := r.Header[name]; sent && !forNextHop(r.Header, name) {
			in.Header[name] = values
		}
	}
	in.TransferEncoding, in.Trailer = nil, nil
	return in
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
