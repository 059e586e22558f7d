package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/conformance/browser"
	"sellerapi.dev/services/allinone/stack/stacktest"
)

// sitePages are the pages of the site in one language; of those of the codes, the one with the longest name and one with examples.
var sitePages = []string{
	"", "/start", "/copy", "/ship", "/claims", "/exchange", "/retries", "/limits", "/live", "/errors", "/clients", "/changes", "/status",
	"/errors/STATUS_CHANGED_FILTER_INCOMPLETE", "/errors/VALIDATION_ERROR",
}

// broken lists the identifiers of tables that a narrow page has broken in the middle, and reports whether the page itself is too wide.
const broken = `[
	...[...document.querySelectorAll("td code, td a")].filter((code) => code.getClientRects().length > 1 && !/\s/.test(code.textContent.trim())).map((code) => code.textContent),
	...(document.documentElement.scrollWidth > window.innerWidth ? ["the page is wider than the window"] : []),
].join("\n")`

// Whatever page a developer comes to, in whatever language and window, it can be read, by everybody.
func TestSite_everyPageIsReadable(t *testing.T) {
	t.Parallel()
	s, b := stacktest.Use(t), browser.Open(t)
	for _, language := range []string{"en", "ko"} {
		for _, page := range sitePages {
			b.Visit(t, s.GatewayURL+"/docs/"+language+page)
			for _, width := range []int64{1400, 400} {
				b.Size(t, width, 1000)
				name := fmt.Sprintf("%s%s at %d", language, page, width)
				require.Empty(t, b.Text(t, broken), name)
				b.Keep(t, picture(language, page, width))
			}
			require.Empty(t, b.Barriers(t), "%s%s", language, page)
		}
	}
	require.Empty(t, b.Complaints(s.GatewayURL))
}

// picture names what is kept for people to look at.
func picture(language, page string, width int64) string {
	return fmt.Sprintf("%s%s-%d", language, strings.ReplaceAll(page, "/", "-"), width)
}

// In the dark as by day, the colours of a page must be told apart.
func TestSite_readableInTheDark(t *testing.T) {
	t.Parallel()
	s, b := stacktest.Use(t), browser.Open(t)
	b.Dark(t)
	for _, page := range []string{"/en/claims", "/ko/errors/RATE_LIMITED"} {
		b.Visit(t, s.GatewayURL+"/docs"+page)
		require.Empty(t, b.Barriers(t), page)
	}
	b.Keep(t, "ko-dark")
}

// Developers search with the words of their trade, in either language, whatever the page calls it, and go on by keyboard.
func TestSite_searchKnowsTheTrade(t *testing.T) {
	t.Parallel()
	s, b := stacktest.Use(t), browser.Open(t)
	for _, search := range []struct{ language, typed, finds string }{
		{"en", "waybill", "/docs/en/ship"},
		{"en", "송장", "/docs/en/ship"},
		{"en", "collect_done", "/docs/en/claims"},
		{"en", "RATE_LIMITED", "/docs/en/errors/RATE_LIMITED"},
		{"ko", "송장", "/docs/ko/ship"},
		{"ko", "운송장", "/docs/ko/errors/SHIPMENT_FIELDS_REQUIRED"},
		{"ko", "waybill", "/docs/ko/ship"},
		{"ko", "멱등키", "/docs/ko/retries"},
		{"ko", "한도", "/docs/ko/limits"},
		{"ko", "반품", "/docs/ko/claims"},
	} {
		b.Visit(t, s.GatewayURL+"/docs/"+search.language+"/start")
		b.Run(t, fmt.Sprintf(`(() => {
			document.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
			document.activeElement.value = %q;
			document.activeElement.dispatchEvent(new Event("input", { bubbles: true }));
		})()`, search.typed))
		b.Await(t, fmt.Sprintf(`[...document.querySelectorAll("#found a")].some((link) => link.getAttribute("href").split("#")[0] === %q)`, search.finds))
		require.Empty(t, b.Barriers(t), search.typed)
	}
	b.Keep(t, "ko-search")
	b.Run(t, `document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }))`)
	b.Await(t, `document.activeElement.closest("#found") !== null`)
	require.Empty(t, b.Complaints(s.GatewayURL))
}

// The examples name the host that serves them, so that they can be copied.
func TestSite_examplesNameTheirHost(t *testing.T) {
	t.Parallel()
	s, b := stacktest.Use(t), browser.Open(t)
	b.Visit(t, s.GatewayURL+"/docs/en/start")
	b.Await(t, fmt.Sprintf(`document.querySelector("main").innerText.includes("GATEWAY_URL=%s")`, s.GatewayURL))
}

// A guide that is added is looked at as well.
func TestSite_noGuideIsLeftOut(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join(root, guides, "*", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, page := range pages {
		require.Contains(t, sitePages, "/"+strings.TrimSuffix(filepath.Base(page), ".md"))
	}
}
