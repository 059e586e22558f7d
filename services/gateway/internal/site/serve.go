package site

import (
	"net/http"
	"sync"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/proto/clients/postman"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/proto/openapi/precompressed"
)

// Site serves the pages. It is made when the first reader comes.
type Site struct {
	made func() *made
	// requests is a file with the calls of the interface, for programs in which people try them.
	requests http.Handler
}

// requestsPath is where the guides link to the requests.
const requestsPath = Base + "/" + postman.Name

// New returns the site of an installation.
func New(settings Settings) *Site {
	return &Site{requests: openapi.NewAddressed(postman.Collection), made: sync.OnceValue(func() *made {
		m, err := newMade(settings)
		if err != nil {
			panic(err) // only for files that no test has seen: they are part of the program
		}
		return m
	})}
}

type made struct {
	pages map[string]precompressed.Content // by path, with the language
	open  map[string]bool                  // paths without the language
	files map[string]file
}

// file is what pages name: its name changes with its content.
type file struct {
	content precompressed.Content
	media   string
}

func newMade(settings Settings) (*made, error) {
	m := &made{pages: map[string]precompressed.Content{}, open: map[string]bool{}, files: map[string]file{}}
	style := m.file("site", "css", "text/css; charset=utf-8", styleSheet)
	script := m.file("site", "js", "text/javascript; charset=utf-8", script)
	for _, lang := range languages {
		b := &build{lang: lang, pages: map[string]precompressed.Content{}}
		b.assets = assets{style: style, script: script, index: at(lang, "search.json")}
		if err := b.all(settings); err != nil {
			return nil, err
		}
		index, err := b.searchable()
		if err != nil {
			return nil, err
		}
		m.files[b.assets.index] = file{content: precompressed.New(index), media: "application/json"}
		for slug, content := range b.pages {
			m.pages[at(lang, slug)] = content
			m.open[slug] = true
		}
	}
	return m, nil
}

// file adds a file under a name of its version, and returns its path.
func (m *made) file(name, ending, media string, text []byte) string {
	content := precompressed.New(text)
	path := Base + "/" + name + "." + content.Version() + "." + ending
	m.files[path] = file{content: content, media: media}
	return path
}

// policy lets a page load nothing from elsewhere, run no script but its own file, and ask its own host for the index only.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Serve answers a GET request of a path under /docs, and reports whether there is something.
func (s *Site) Serve(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path == requestsPath {
		w.Header().Set("Content-Disposition", `attachment; filename="`+postman.Name+`"`)
		s.requests.ServeHTTP(w, r)
		return true
	}
	m, path := s.made(), r.URL.Path
	if found, there := m.files[path]; there {
		w.Header().Set("Content-Type", found.media)
		w.Header().Set("Cache-Control", caching(path))
		found.content.ServeHTTP(w, r)
		return true
	}
	if slug, open := m.slug(path); open {
		w.Header().Add("Vary", "Accept-Language")
		path = at(apierr.ParseAcceptLanguage(r.Header.Get("Accept-Language")), slug)
	}
	content, there := m.pages[path]
	if there {
		content.ServePage(w, r, policy)
	}
	return there
}

// slug is the rest of a path that names no language, where it names a page.
func (m *made) slug(path string) (string, bool) {
	if path == Base {
		return "", true
	}
	slug := path[len(Base)+1:]
	return slug, slug != "" && m.open[slug]
}

// caching: names of versions may be kept, others are asked about.
func caching(path string) string {
	if len(path) > 4 && path[len(path)-4:] == "json" {
		return "public, no-cache"
	}
	return "public, max-age=31536000, immutable"
}
