package render

import (
	"regexp"
	"strings"

	"sellerapi.dev/pkg/apierr"
)

// programNames are what the languages of programs are called, by the name that a block of code has in the guides.
var programNames = map[string]string{"sh": "curl", "go": "Go", "ts": "TypeScript", "python": "Python"}

// block is a block of code as the writer of Markdown makes it; in code every < is escaped.
const block = `<pre><code class="language-(\w+)">[^<]*</code></pre>\n`

var (
	// sameCalls are commands with what stands folded in the file behind them: programs that do the same.
	sameCalls = regexp.MustCompile(block + `(?:(?:` + omitted + `\n)+` + block + omitted + `\n)+`)
	oneBlock  = regexp.MustCompile(block)
)

// omitted is what the writer of Markdown puts in the place of HTML, such as that which folds.
const omitted = `<!-- raw HTML omitted -->`

// withPrograms puts programs that do the same beside each other, each under its language. The script makes tabs of them; where
// none runs, all are shown.
func withPrograms(lang apierr.Lang, body string) string {
	return sameCalls.ReplaceAllStringFunc(body, func(group string) string {
		var b strings.Builder
		b.WriteString(`<div class="programs" data-label="` + words.programs.In(lang) + `">` + "\n")
		for _, found := range oneBlock.FindAllStringSubmatch(group, -1) {
			b.WriteString(`<div class="program" data-language="` + found[1] + `"><p class="language">` + programNames[found[1]] +
				"</p>\n" + found[0] + "</div>\n")
		}
		b.WriteString("</div>\n")
		return b.String()
	})
}
