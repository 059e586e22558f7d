package render

import (
	"html/template"
	"strings"

	"sellerapi.dev/pkg/apierr"
)

// withKey adds the address of the system and the key that it shows to the page with which developers begin, before their first
// call. The address is the one that the script of the page puts there, and the part is hidden where no key is shown.
func withKey(lang apierr.Lang, body template.HTML) template.HTML {
	added := `<div data-with="key" hidden>` + "\n" + `<h2 id="this-system">` + words.here.In(lang) + "</h2>\n<p>" +
		words.hereLead.In(lang) + "</p>\n" +
		`<pre tabindex="0"><code>export GATEWAY_URL=https://seller-api.example</code>` + "\n" +
		`<code>export SELLER_A_KEY=<span data-setting="key"></span></code></pre>` + "\n</div>\n"
	text := string(body)
	before, _, _ := strings.Cut(text, "<pre") // the first call is the first block
	at := max(0, strings.LastIndex(before, "<h2"))
	return template.HTML(text[:at] + added + text[at:]) //nolint:gosec // made of files of the repository
}
