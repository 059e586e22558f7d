package precompressed_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/openapi/precompressed"
)

var text = []byte(strings.Repeat("송장 and waybill, ", 500))

func get(t *testing.T, content precompressed.Content, header http.Header) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	r.Header = header
	w := httptest.NewRecorder()
	content.ServeHTTP(w, r)
	require.Equal(t, "Accept-Encoding", w.Header().Get("Vary"))
	return w
}

func unzip(t *testing.T, body io.Reader) []byte {
	t.Helper()
	reader, err := gzip.NewReader(body)
	require.NoError(t, err)
	plain, err := io.ReadAll(reader)
	require.NoError(t, err)
	return plain
}

// A client gets the form that it accepts, of known length, each form with its own entity tag.
func TestContent_formAsAccepted(t *testing.T) {
	t.Parallel()
	content := precompressed.New(text)
	for accept, zipped := range map[string]bool{
		"": false, "identity": false, "br, zstd": false, "gzip;q=0": false, "gzip; q=0.000, br": false,
		"*;q=0": false, "x-gzip2": false,
		"gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "*": true, "gzip;level=9": true,
	} {
		w := get(t, content, http.Header{"Accept-Encoding": {accept}})
		require.Equal(t, http.StatusOK, w.Code, accept)
		require.Equal(t, strconv.Itoa(w.Body.Len()), w.Header().Get("Content-Length"), accept)
		if !zipped {
			require.Empty(t, w.Header().Get("Content-Encoding"), accept)
			require.Equal(t, content.ETag(), w.Header().Get("ETag"), accept)
			require.Equal(t, text, w.Body.Bytes(), accept)
			continue
		}
		require.Equal(t, "gzip", w.Header().Get("Content-Encoding"), accept)
		require.NotEqual(t, content.ETag(), w.Header().Get("ETag"), accept)
		require.Less(t, w.Body.Len(), len(text)/5, accept)
		require.Equal(t, text, unzip(t, w.Body), accept)
	}
}

// A client that has the content in one of its forms gets a 304 without a body.
func TestContent_304(t *testing.T) {
	t.Parallel()
	content := precompressed.New(text)
	zipped := get(t, content, http.Header{"Accept-Encoding": {"gzip"}}).Header().Get("ETag")
	for _, tags := range [][]string{{content.ETag()}, {"W/" + zipped}, {`"a"`, `"b", ` + content.ETag()}, {"*"}} {
		w := get(t, content, http.Header{"If-None-Match": tags})
		require.Equal(t, http.StatusNotModified, w.Code, tags)
		require.Zero(t, w.Body.Len(), tags)
	}
	for _, tags := range [][]string{nil, {`"other"`}, {content.ETag()[1:]}} {
		require.Equal(t, http.StatusOK, get(t, content, http.Header{"If-None-Match": tags}).Code, tags)
	}
	require.NotEqual(t, content.ETag(), precompressed.New([]byte("other")).ETag())
}

// Content of which only the compressed form is held is sent unchanged, and decompressed for clients that accept
// nothing else.
func TestFromGzip_bothForms(t *testing.T) {
	t.Parallel()
	var zipped bytes.Buffer
	writer := gzip.NewWriter(&zipped)
	_, err := writer.Write(text)
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	content := precompressed.FromGzip(zipped.Bytes(), "0123456789abcdef")
	require.Equal(t, zipped.Bytes(), get(t, content, http.Header{"Accept-Encoding": {"gzip"}}).Body.Bytes())
	require.Equal(t, text, get(t, content, nil).Body.Bytes())
}
