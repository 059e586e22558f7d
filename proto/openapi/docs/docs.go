package docs

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/hex"
	"html/template"
	"io"
	"net/http"
	"strings"
)

var (
	//go:embed page.html
	pageText string
	//go:embed start.js
	startScript []byte
	// library is Scalar's API reference, compressed as it is sent. See assets/README.md for where it comes from.
	//go:embed assets/scalar.js.gz
	library []byte

	page = template.Must(template.New("page").Parse(pageText))
)

// Base is the path of the page.
const Base = "/docs"

// Site is the page and the two scripts that it needs.
type Site struct {
	routes map[string]http.HandlerFunc
	names  pageNames
}

// pageNames is what the template is filled with.
type pageNames struct{ Document, Library, Start string }

// New returns the site that shows the document at the given path of the same host, such as /open/v1/openapi.json.
func New(document string) *Site {
	s := &Site{names: pageNames{
		Document: document,
		Library:  Base + "/scalar." + fingerprint(library) + ".js",
		Start:    Base + "/start." + fingerprint(startScript) + ".js",
	}}
	s.routes = map[string]http.HandlerFunc{
		Base:            s.servePage,
		s.names.Library: serveLibrary,
		s.names.Start:   serveStart,
	}
	return s
}

// fingerprint is a name that changes with the content, so that browsers may keep what they have forever.
func fingerprint(content []byte) string {
	digest := sha256.Sum256(content)
	return hex.EncodeToString(digest[:6])
}

// Paths are all paths that the site answers, for routers that want to know them one by one. Each takes GET.
func (s *Site) Paths() []string { return []string{Base, s.names.Library, s.names.Start} }

// ServeHTTP answers the paths of the site, and 404 to others.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	serve, ok := s.routes[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	serve(w, r)
}

// servePage answers with the page.
func (s *Site) servePage(w http.ResponseWriter, _ *http.Request) {
	var text bytes.Buffer
	if err := page.Execute(&text, s.names); err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	_, _ = w.Write(text.Bytes())
}

// policy lets the page load nothing from elsewhere, run no script but the two files, and talk to its own host only. Style
// sheets and attributes may be inline, because the library writes its own; without a way to load anything they are
// harmless.
const policy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// asset answers with content that never changes under its name.
func asset(w http.ResponseWriter) {
	header := w.Header()
	header.Set("Content-Type", "text/javascript; charset=utf-8")
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("X-Content-Type-Options", "nosniff")
}

func serveStart(w http.ResponseWriter, _ *http.Request) {
	asset(w)
	_, _ = w.Write(startScript)
}

// serveLibrary sends the library compressed to anyone who accepts that, which is every browser.
func serveLibrary(w http.ResponseWriter, r *http.Request) {
	asset(w)
	w.Header().Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(library)
		return
	}
	plain, err := gzip.NewReader(bytes.NewReader(library))
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	_, _ = io.Copy(w, plain)
}
