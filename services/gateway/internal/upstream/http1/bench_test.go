package http1_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkGet compares a GET of 20 KB with the standard library's transport and with this
// package's.
func BenchmarkGet(b *testing.B) {
	body := strings.Repeat("x", 20<<10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = io.WriteString(w, body)
	}))
	b.Cleanup(server.Close)
	ours := to(b, server.Listener.Addr().String())
	standard := &http.Transport{MaxIdleConnsPerHost: 512, DisableCompression: true}
	b.Cleanup(standard.CloseIdleConnections)
	for name, send := range map[string]func(*http.Request) (*http.Response, error){
		"standard": standard.RoundTrip,
		"ours":     func(r *http.Request) (*http.Response, error) { return ours.Do(r.Context(), r, soon()) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetParallelism(4)
			b.RunParallel(func(pb *testing.PB) {
				buffer := make([]byte, 32<<10)
				for pb.Next() {
					r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, server.URL, http.NoBody)
					if err != nil {
						b.Error(err)
						return
					}
					response, err := send(r)
					if err != nil {
						b.Error(err)
						return
					}
					if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, response.Body, buffer); err != nil {
						b.Error(err)
					}
					_ = response.Body.Close()
				}
			})
		})
	}
}
