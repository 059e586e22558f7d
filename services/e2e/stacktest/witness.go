package stacktest

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/conformance/oracle"
	"sellerapi.dev/proto/openapi/docs"
)

// contract returns the oracle of this test binary, which records the exchanges of all its tests.
var contract = sync.OnceValues(func() (*oracle.Oracle, error) { return oracle.New() })

// Contract returns the oracle that has seen every exchange of this test binary.
func Contract() (*oracle.Oracle, error) { return contract() }

// witness is a transport that checks every exchange against the contract: each response, and each request that succeeded. A
// violation is returned as an error of the transport.
type witness struct {
	contract *oracle.Oracle
	next     http.RoundTripper
}

// HTTPClient returns a client for tests that send requests in their own way. Every exchange is checked against the contract.
func HTTPClient(t *testing.T) *http.Client {
	t.Helper()
	checker, err := contract()
	require.NoError(t, err)
	return newHTTPClient(checker, nil)
}

// RoundTrip implements http.RoundTripper. It returns after the whole response has been received.
func (w *witness) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	sent, err := atHand(&r.Body)
	if err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	response, err := w.next.RoundTrip(r)
	if err != nil || isPage(r, response) {
		return response, err
	}
	body, err := atHand(&response.Body)
	if err != nil {
		return nil, fmt.Errorf("read the response: %w", err)
	}
	if body, err = decompressed(body, response.Header.Get("Content-Encoding")); err != nil {
		return nil, err
	}
	if err := w.check(r, sent, response, body); err != nil {
		return nil, fmt.Errorf("%w\n%s %s\n%s", err, r.Method, r.URL, body)
	}
	Record(body)
	return response, nil
}

// isPage reports whether a response is the documentation page or a part of it, which is not part of the interface.
func isPage(r *http.Request, response *http.Response) bool {
	return strings.HasPrefix(r.URL.Path, docs.Base) && (response.StatusCode == http.StatusOK ||
		response.StatusCode == http.StatusNotModified)
}

// errWithin is returned when a call is marked as beyond the contract but the contract describes it.
var errWithin = errors.New("the contract describes this request: it is not beyond it")

func (w *witness) check(r *http.Request, sent []byte, response *http.Response, body []byte) error {
	if r.Context().Value(beyond{}) == nil {
		_, err := w.contract.CheckExchange(r, sent, response.StatusCode, response.Header, body)
		return err
	}
	if w.contract.CheckRequest(r, sent) == nil {
		return errWithin
	}
	_, err := w.contract.Check(r, response.StatusCode, response.Header, body)
	return err
}

type beyond struct{}

func withBeyond(ctx context.Context) context.Context { return context.WithValue(ctx, beyond{}, true) }

func atHand(body *io.ReadCloser) ([]byte, error) {
	if *body == nil || *body == http.NoBody {
		return nil, nil
	}
	text, err := io.ReadAll(*body)
	if closed := (*body).Close(); err == nil {
		err = closed
	}
	*body = io.NopCloser(bytes.NewReader(text))
	return text, err
}

func decompressed(body []byte, encoding string) ([]byte, error) {
	switch encoding {
	case "":
		return body, nil
	case "gzip":
		reader, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(reader)
	case "zstd":
		reader, err := zstd.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		defer reader.Close()
		return io.ReadAll(reader)
	default:
		return nil, fmt.Errorf("unknown Content-Encoding %q", encoding)
	}
}

// Witnessed returns another address of the gateway, for programs that tests cannot instrument: every exchange there is checked
// against the contract, and a violation fails the test. A request that its client gives up, as a browser does when it leaves a
// page, is none.
func (s *Stack) Witnessed(t *testing.T) string {
	t.Helper()
	gateway, err := url.Parse(s.GatewayURL)
	require.NoError(t, err)
	checker, err := contract()
	require.NoError(t, err)
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:   func(p *httputil.ProxyRequest) { p.SetURL(gateway) },
		Transport: &witness{contract: checker, next: newTransport(nil)},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() == nil {
				t.Errorf("%v", err)
			}
			w.WriteHeader(http.StatusBadGateway)
		},
	})
	t.Cleanup(server.Close)
	return server.URL
}
