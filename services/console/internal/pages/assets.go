package pages

import (
	_ "embed" // the files
	"net/http"

	"sellerapi.dev/proto/openapi/look"
	"sellerapi.dev/proto/openapi/precompressed"
)

// Policy lets a page load nothing from elsewhere, run no script but its own files, and send forms to this console only.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

var (
	//go:embed assets/console.css
	style []byte
	//go:embed assets/console.js
	script []byte
	//go:embed assets/usage.js
	usageScript []byte
	//go:embed assets/uplot.js
	chartScript []byte
	//go:embed assets/uplot.css
	chartStyle []byte
)

type assetPaths struct{ Style, Script, Usage, Chart, ChartStyle string }

type asset struct {
	media   string
	content precompressed.Content
}

type assets struct {
	paths assetPaths
	files map[string]asset
}

var files = newAssets()

func newAssets() assets {
	const css, js = "text/css; charset=utf-8", "text/javascript; charset=utf-8"
	a := assets{files: map[string]asset{}}
	a.paths = assetPaths{
		Style:  a.add("console", ".css", css, look.With(style)),
		Script: a.add("console", ".js", js, script),
		Usage:  a.add("usage", ".js", js, usageScript),
		Chart:  a.add("uplot", ".js", js, chartScript), ChartStyle: a.add("uplot", ".css", css, chartStyle),
	}
	return a
}

// add returns the path of a file, which changes with its content.
func (a *assets) add(name, ending, media string, text []byte) string {
	content := precompressed.New(text)
	path := AssetsPath + name + "." + content.Version() + ending
	a.files[path] = asset{media: media, content: content}
	return path
}

// Assets serves the files that pages load, below [AssetsPath]. Browsers may cache them indefinitely.
func Assets() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, there := files.files[r.URL.Path]
		if !there {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", file.media)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		file.content.ServeHTTP(w, r)
	})
}
