package site

import (
	"html"
	"html/template"
	"strings"

	"sellerapi.dev/pkg/apierr"
)

// withKey adds the address of the system and the key that it shows to the page with which developers begin, before their first
// call. The address is the one that the script of the page puts there.
func withKey(lang apierr.Lang, slug string, body template.HTML, settings Settings) template.HTML {
	if slug != "start" || settings.Key == nil {
		return body
	}
	key := settings.Key()
	if key == "" {
		return body
	}
	added := `<h2 id="this-system">` + words.here.In(lang) + "</h2>\n<p>" + words.hereLead.In(lang) + "</p>\n" +
		`<pre tabindex="0"><code>export GATEWAY_URL=https://seller-api.example` + "\nexport SELLER_A_KEY=" +
		html.EscapeString(key) + "</code></pre>\n"
	text := string(body)
	before, _, _ := strings.Cut(text, "<pre") // the first call is the first block
	at := max(0, strings.LastIndex(before, "<h2"))
	return template.HTML(text[:at] + added + text[at:]) //nolint:gosec // made of files of the program, and an escaped text
}
