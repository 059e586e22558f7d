package docs_test

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/proto/openapi/docs"
)

const (
	libraryVersion = "1.72.1"
	librarySHA256  = "bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c"
)

const documentPath = "/open/v1/openapi.json"

func readsKorean(r *http.Request) bool { return r.Header.Get("Accept-Language") == "ko" }

func get(t *testing.T, site http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	return w
}

// The headers of the page forbid loading anything from other hosts.
func TestContentPolicy_nothingFromElsewhere(t *testing.T) {
	t.Parallel()
	page := get(t, docs.New(documentPath, readsKorean), docs.Base)
	require.Equal(t, http.StatusOK, page.Code)
	rules := map[string]string{}
	for rule := range strings.SplitSeq(page.Header().Get("Content-Security-Policy"), "; ") {
		name, sources, _ := strings.Cut(rule, " ")
		rules[name] = sources
	}
	require.Equal(t, map[string]string{
		"default-src": "'none'", "script-src": "'self'", "style-src": "'unsafe-inline'", "img-src": "'self' data:",
		"connect-src": "'self'", "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'",
	}, rules)
	require.Equal(t, "nosniff", page.Header().Get("X-Content-Type-Options"))
	require.Equal(t, "no-referrer", page.Header().Get("Referrer-Policy"))
	require.NotContains(t, page.Body.String(), "://")
}

// The page names the document and its scripts, which are cacheable; the path is escaped.
func TestPage_namesDocumentAndScripts(t *testing.T) {
	t.Parallel()
	site := docs.New(documentPath, readsKorean)
	page := get(t, site, docs.Base).Body.String()
	require.Contains(t, page, `data-document="`+documentPath+`"`)
	require.Len(t, site.Paths(), 6)
	for _, path := range site.Paths()[4:] {
		require.Contains(t, page, `src="`+path+`"`)
		script := get(t, site, path)
		require.Equal(t, http.StatusOK, script.Code)
		require.Equal(t, "text/javascript; charset=utf-8", script.Header().Get("Content-Type"))
		require.Contains(t, script.Header().Get("Cache-Control"), "immutable")
	}
	require.NotContains(t, get(t, docs.New(`"><script>alert(1)</script>`, readsKorean), docs.Base).Body.String(), "<script>alert")
}

// A browser may keep the page, and is not sent again what it has; the two languages of one address are told apart.
func TestPage_isSentOnce(t *testing.T) {
	t.Parallel()
	site := docs.New(documentPath, readsKorean)
	tags := map[string]bool{}
	for _, path := range []string{docs.Base, docs.English, docs.Korean} {
		first := get(t, site, path)
		tag := first.Header().Get("ETag")
		require.NotEmpty(t, tag, path)
		require.Equal(t, "public, no-cache", first.Header().Get("Cache-Control"), path)
		require.Contains(t, first.Header().Values("Vary"), "Accept-Encoding", path)
		again := get(t, site, path, "If-None-Match", tag)
		require.Equal(t, http.StatusNotModified, again.Code, path)
		require.Empty(t, again.Body.Bytes(), path)
		require.NotEmpty(t, again.Header().Get("Content-Security-Policy"), path)
		tags[tag] = true
	}
	require.Len(t, tags, 2)
	english := get(t, site, docs.Base).Header().Get("ETag")
	require.Equal(t, http.StatusOK, get(t, site, docs.Base, "If-None-Match", english, "Accept-Language", "ko").Code)
}

// Paths other than those of the page and its scripts are not found.
func TestPage_otherPathsNotFound(t *testing.T) {
	t.Parallel()
	site := docs.New(documentPath, readsKorean)
	for _, path := range []string{"/", "/docs/", "/docs/scalar.js", "/docs/page.html", "/docs/../doc.go"} {
		require.Equal(t, http.StatusNotFound, get(t, site, path).Code, path)
	}
}

// The library equals the published one byte for byte, and it is compressed for clients that accept it.
func TestLibrary_isThePublishedOne(t *testing.T) {
	t.Parallel()
	site := docs.New(documentPath, readsKorean)
	plain := get(t, site, site.Paths()[4])
	require.Empty(t, plain.Header().Get("Content-Encoding"))
	require.Contains(t, plain.Body.String(), libraryVersion)
	digest := sha256.Sum256(plain.Body.Bytes())
	require.Equal(t, librarySHA256, hex.EncodeToString(digest[:]))

	compressed := get(t, site, site.Paths()[4], "Accept-Encoding", "gzip, deflate, br")
	require.Equal(t, "gzip", compressed.Header().Get("Content-Encoding"))
	require.Equal(t, "Accept-Encoding", compressed.Header().Get("Vary"))
	require.Less(t, compressed.Body.Len(), plain.Body.Len()/3)
	reader, err := gzip.NewReader(compressed.Body)
	require.NoError(t, err)
	again, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, plain.Body.Bytes(), again)
}

func document(t *testing.T) *openapi3.T {
	t.Helper()
	read, err := openapi3.NewLoader().LoadFromData(openapi.YAML().Bytes())
	require.NoError(t, err)
	return read
}
