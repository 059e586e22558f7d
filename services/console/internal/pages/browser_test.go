package pages_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/proto/conformance/browser"
	"sellerapi.dev/services/console/internal/pages"
)

// serve serves the samples at /LANGUAGE/NAME under the policy.
func serve(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("GET "+pages.AssetsPath, pages.Assets())
	for _, s := range samples() {
		for _, lang := range languages {
			text := s.render(t, lang)
			mux.HandleFunc("GET /"+lang.String()+"/"+s.name, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Security-Policy", pages.Policy)
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				_, _ = w.Write([]byte(text))
			})
		}
	}
	h := httptest.NewServer(mux)
	t.Cleanup(h.Close)
	return h
}

// Every page can be read by everybody: contrast and structure in both themes, no wider than the narrowest window, and no script
// or style that the policy refuses.
func TestPages_inBrowser(t *testing.T) {
	t.Parallel()
	for _, lang := range languages {
		t.Run(lang.String(), func(t *testing.T) {
			t.Parallel()
			h, b := serve(t), browser.Open(t)
			for _, s := range samples() {
				b.Visit(t, h.URL+"/"+lang.String()+"/"+s.name)
				for _, width := range []int64{400, 1000, 1400} {
					b.Size(t, width, 1000)
					require.Empty(t, b.Broken(t), "%s at %d", s.name, width)
					for theme, dark := range map[string]bool{"light": false, "dark": true} {
						b.Dark(t, dark)
						b.Keep(t, fmt.Sprintf("%s-%s-%d-%s", s.name, lang, width, theme))
						if width == 1400 {
							require.Empty(t, b.Barriers(t), "%s %s", s.name, theme)
						}
					}
				}
			}
			require.Empty(t, b.Complaints(h.URL))
		})
	}
}

// The script shows times in the reader's zone and leaves the UTC in the title; a picture is drawn of the numbers in the table.
func TestScript_timesAndPicture(t *testing.T) {
	t.Parallel()
	h, b := serve(t), browser.Open(t)
	b.Visit(t, h.URL+"/en/usage")
	b.Await(t, `document.querySelector(".chart canvas") && document.querySelectorAll(".legend li").length === 4`)
	require.NotContains(t, b.Text(t, `document.querySelector("time").textContent`), "UTC")
	require.True(t, strings.HasSuffix(b.Text(t, `document.querySelector("time").title`), " UTC"))
	require.Empty(t, b.Complaints(h.URL))
}

// The text of a key is hidden after a minute, also where the clock of the page was stopped meanwhile.
func TestScript_hidesSecret(t *testing.T) {
	t.Parallel()
	h, b := serve(t), browser.Open(t)
	b.Visit(t, h.URL+"/en/key-issued")
	b.Await(t, `/Hidden in \d+ s/.test(document.querySelector(".left").textContent)`)
	require.Equal(t, keyText, b.Text(t, `document.getElementById("secret").textContent`))
	b.Run(t, `{ const later = Date.now() + 61000; Date.now = () => later; }`)
	b.Await(t, `!document.documentElement.outerHTML.includes("`+keyText+`")`)
	require.Contains(t, b.Text(t, `document.querySelector(".secret").innerText`), "It is hidden now.")
}

// Without scripts everything can be read and sent: the buttons that need one are not there.
func TestPages_withoutScripts(t *testing.T) {
	t.Parallel()
	for _, s := range samples() {
		root := parse(t, s.render(t, apierr.English))
		for _, node := range elements(root, "button") {
			if kind, _ := attribute(node, "type"); kind == "button" {
				_, hidden := attribute(node, "hidden")
				require.True(t, hidden, s.name)
			}
		}
	}
}
