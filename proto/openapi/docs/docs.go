package docs

import (
	_ "embed" // the page
	"html"
	"net/http"
	"slices"
	"strings"

	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/proto/openapi/precompressed"
)

var (
	//go:embed page.html
	pageText string
	//go:embed start.js
	startScript []byte
	// library is Scalar's API reference, compressed as it is sent. See assets/README.md for where it comes from.
	//go:embed assets/scalar.js.gz
	library []byte
	// libraryVersion is the beginning of its SHA-256, on a line.
	//go:embed assets/scalar.version
	libraryVersion string
)

const (
	// Base is the path of the page in the language that the browser asks for.
	Base = "/docs/reference"
	// English is the path of the page in English.
	English = "/docs/en/reference"
	// Korean is the path of the page in Korean.
	Korean = "/docs/ko/reference"
	// KoreanDocument is the path of the document that the Korean page shows.
	KoreanDocument = "/docs/ko/openapi.json"
)

// Site serves the page in two languages and the two scripts that it needs.
type Site struct {
	routes map[string]http.HandlerFunc
	paths  []string
}

// New returns the site that shows the document at the given path of the same host, such as /open/v1/openapi.json, and its
// translation to readers of Korean. The names of the scripts change with their content, so that browsers may cache them
// indefinitely.
func New(document string, readsKorean func(*http.Request) bool) *Site {
	scalar, start := precompressed.FromGzip(library, strings.TrimSpace(libraryVersion)), precompressed.New(startScript)
	libraryPath, startPath := Base+"/scalar."+scalar.Version()+".js", Base+"/start."+start.Version()+".js"
	inEnglish := servePage(map[string]string{
		"Lang": "en", "Other": "ko", "OtherName": "한국어", "Guides": "Guides, errors, limits", "Search": "Search",
		"NoScript": "This page needs JavaScript. The document itself:", "Failure": "The description cannot be shown:",
		"Document": document, "Library": libraryPath, "Start": startPath,
	})
	inKorean := servePage(map[string]string{
		"Lang": "ko", "Other": "en", "OtherName": "English", "Guides": "가이드, 오류 코드, 한도", "Search": "검색",
		"NoScript": "이 페이지는 JavaScript가 필요합니다. 계약 문서:", "Failure": "설명을 표시할 수 없습니다:",
		"Document": KoreanDocument, "Library": libraryPath, "Start": startPath,
	})
	return &Site{
		paths: []string{Base, English, Korean, KoreanDocument, libraryPath, startPath},
		routes: map[string]http.HandlerFunc{
			Base: negotiated(inEnglish, inKorean, readsKorean), English: inEnglish, Korean: inKorean,
			KoreanDocument: openapi.NewAddressed(openapi.Korean).ServeHTTP,
			libraryPath:    serveScript(scalar), startPath: serveScript(start),
		},
	}
}

func negotiated(english, korean http.HandlerFunc, readsKorean func(*http.Request) bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Language")
		if readsKorean(r) {
			korean(w, r)
			return
		}
		english(w, r)
	}
}

// Paths returns all paths that the site serves, for routers that register them one by one. Each accepts GET.
func (s *Site) Paths() []string { return slices.Clone(s.paths) }

// ServeHTTP serves the paths of the site, and responds with 404 to others.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	serve, ok := s.routes[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	serve(w, r)
}

// servePage fills the values into the page.
func servePage(values map[string]string) http.HandlerFunc {
	text := pageText
	for name, value := range values {
		text = strings.ReplaceAll(text, "{{."+name+"}}", html.EscapeString(value))
	}
	content := precompressed.New([]byte(text))
	return func(w http.ResponseWriter, r *http.Request) { content.ServePage(w, r, policy) }
}

// policy lets the page load nothing from elsewhere, run no script but the two files, and connect to its own host only. Style
// sheets and attributes may be inline, because the library writes its own; without a way to load anything they are harmless.
const policy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func serveScript(content precompressed.Content) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		content.ServeHTTP(w, r)
	}
}
