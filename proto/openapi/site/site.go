package site

import (
	"embed"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/proto/openapi/look"
	"sellerapi.dev/proto/openapi/precompressed"
)

// Base is the path of the site.
const Base = "/docs"

var (
	//go:embed pages
	pages embed.FS
	//go:embed site.css
	style []byte
	//go:embed site.js
	script []byte
	//go:embed settings.js
	settingsScript []byte
)

// Asset is a file that pages load. Its path changes with its content, so that browsers may cache it indefinitely.
type Asset struct {
	Path    string
	media   string
	content precompressed.Content
}

func asset(name, ending, media string, text []byte) Asset {
	content := precompressed.New(text)
	return Asset{Path: Base + "/" + name + "." + content.Version() + "." + ending, media: media, content: content}
}

// Assets are the files that pages load.
type Assets struct{ Style, Script, Settings Asset }

// NewAssets returns the files that pages load, compressed.
func NewAssets() Assets {
	return Assets{
		Style:    asset("site", "css", "text/css; charset=utf-8", look.With(style)),
		Script:   asset("site", "js", "text/javascript; charset=utf-8", script),
		Settings: asset("settings", "js", "text/javascript; charset=utf-8", settingsScript),
	}
}

// Site serves the pages. Each is compressed when its first reader comes: most instances have none.
type Site struct {
	assets     []Asset
	settings   func() precompressed.Content
	compressed sync.Map // by the name in pages
}

// New returns the site of an installation.
func New(settings Settings) *Site {
	assets := NewAssets()
	return &Site{
		assets: []Asset{assets.Style, assets.Script, assets.Settings},
		settings: sync.OnceValue(func() precompressed.Content {
			text, _ := json.Marshal(map[string]any{ // texts are always valid
				apierr.English.String(): settings.Texts(apierr.English), apierr.Korean.String(): settings.Texts(apierr.Korean),
			})
			return precompressed.New(text)
		}),
	}
}

// content returns a file of pages, which has no more files than were rendered.
func (s *Site) content(name string) (precompressed.Content, bool) {
	if content, known := s.compressed.Load(name); known {
		return content.(precompressed.Content), true
	}
	text, err := pages.ReadFile("pages/" + name)
	if err != nil {
		return precompressed.Content{}, false
	}
	content, _ := s.compressed.LoadOrStore(name, precompressed.New(text))
	return content.(precompressed.Content), true
}

// policy lets a page load nothing from elsewhere, run no script but its own files, and ask its own host for the index and the
// settings only.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Serve answers a GET request of a path under /docs, and reports whether there is something.
func (s *Site) Serve(w http.ResponseWriter, r *http.Request) bool {
	return s.serveFile(w, r) || s.servePage(w, r)
}

func (s *Site) serveFile(w http.ResponseWriter, r *http.Request) bool {
	const unversioned = "public, no-cache"
	name := strings.TrimPrefix(r.URL.Path, Base+"/")
	if name == "settings.json" {
		serve(w, r, s.settings(), "application/json", unversioned)
		return true
	}
	for _, file := range s.assets {
		if r.URL.Path == file.Path {
			serve(w, r, file.content, file.media, "public, max-age=31536000, immutable")
			return true
		}
	}
	if !strings.HasSuffix(name, ".json") {
		return false
	}
	index, there := s.content(name)
	if there {
		serve(w, r, index, "application/json", unversioned)
	}
	return there
}

func serve(w http.ResponseWriter, r *http.Request, content precompressed.Content, media, caching string) {
	w.Header().Set("Content-Type", media)
	w.Header().Set("Cache-Control", caching)
	content.ServeHTTP(w, r)
}

func (s *Site) servePage(w http.ResponseWriter, r *http.Request) bool {
	path := strings.TrimPrefix(r.URL.Path, Base) // empty for the front page
	if _, open := s.content("en" + path + ".html"); open {
		w.Header().Add("Vary", "Accept-Language")
		path = "/" + apierr.ParseAcceptLanguage(r.Header.Get("Accept-Language")).String() + path
	}
	page, there := s.content(strings.TrimPrefix(path, "/") + ".html")
	if there {
		page.ServePage(w, r, policy)
	}
	return there
}
