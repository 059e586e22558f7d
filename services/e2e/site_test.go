package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/proto/conformance/browser"
	"sellerapi.dev/services/e2e/stacktest"
)

// sitePages returns the front page and all pages of its menu. The reference is checked separately, and so are the pages of codes.
func sitePages(t *testing.T, b *browser.Browser, address string) []string {
	t.Helper()
	b.Visit(t, address+"/docs/en")
	menu := b.Text(t, `[...document.querySelectorAll("nav.menu a")].map((link) => link.getAttribute("href")).join("\n")`)
	pages := []string{""}
	for path := range strings.Lines(menu) {
		if page, ours := strings.CutPrefix(strings.TrimSpace(path), "/docs/en"); ours && page != "/reference" { // checked separately
			pages = append(pages, page)
		}
	}
	require.Greater(t, len(pages), 12)
	return pages
}

// Every page can be read by everyone, in each language, window size and colour scheme.
func TestSite_everyPageIsReadable(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	for _, language := range []string{"en", "ko"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			b := browser.Open(t)
			for _, page := range sitePages(t, b, s.GatewayURL) {
				b.Visit(t, s.GatewayURL+"/docs/"+language+page)
				requireReadable(t, b, language, page)
			}
			require.Empty(t, b.Complaints(s.GatewayURL))
		})
	}
}

// The same holds for the page of every code. All of a language share a tab.
func TestSite_everyCodeIsReadable(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	for _, language := range []string{"en", "ko"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			b := browser.Open(t)
			for _, row := range apierr.Codes() {
				page := "/errors/" + row.Code.Page()
				b.Visit(t, s.GatewayURL+"/docs/"+language+page)
				require.Equal(t, row.Code.Page(), b.Text(t, `document.querySelector("h1").textContent`))
				requireReadable(t, b, language, page)
			}
			require.Empty(t, b.Complaints(s.GatewayURL))
		})
	}
}

func requireReadable(t *testing.T, b *browser.Browser, language, page string) {
	t.Helper()
	for _, width := range []int64{1400, 400} {
		b.Size(t, width, 1000)
		name := fmt.Sprintf("%s%s at %d", language, page, width)
		require.Empty(t, b.Broken(t), name)
		require.Empty(t, b.Barriers(t), name)
		b.Keep(t, picture(language, page, width))
	}
	b.Dark(t, true)
	require.Empty(t, b.Barriers(t), "%s%s in dark mode", language, page)
	b.Keep(t, picture(language, page+"/dark", 400))
	b.Dark(t, false)
}

func picture(language, page string, width int64) string {
	return fmt.Sprintf("%s%s-%d", language, strings.ReplaceAll(page, "/", "-"), width)
}

func tabTo(t *testing.T, b *browser.Browser, selector string) {
	t.Helper()
	for range 40 {
		b.Keys(t, "\t")
		if b.Text(t, fmt.Sprintf(`String(document.activeElement.matches(%q))`, selector)) == "true" {
			return
		}
	}
	require.Fail(t, "not reached by keyboard", selector)
}

// A developer without a mouse can reach the text, another page, the other language and a search result.
func TestSite_usedByKeyboard(t *testing.T) {
	t.Parallel()
	s, b := stacktest.Use(t), browser.Open(t)
	b.Visit(t, s.GatewayURL+"/docs/en/start")
	b.Keys(t, "\t")
	require.Equal(t, "skip", b.Text(t, `document.activeElement.className`), "the first focusable element skips the menu")
	b.Keys(t, "\r")
	b.Await(t, `document.activeElement.id === "content"`)
	for _, step := range []struct{ at, arrives string }{
		{`nav.menu a[href="/docs/en/ship"]`, "/docs/en/ship"},
		{`nav.languages a[lang=ko]`, "/docs/ko/ship"},
	} {
		tabTo(t, b, step.at)
		b.Keys(t, "\r")
		b.Arrives(t, step.arrives)
	}
	tabTo(t, b, "#search")
	b.Keys(t, "waybill")
	b.Await(t, `document.querySelectorAll("#found a").length > 0`)
	hit := b.Text(t, `document.querySelector("#found a").pathname`)
	b.Keys(t, "\r")
	b.Arrives(t, hit)
	require.Empty(t, b.Complaints(s.GatewayURL))
}

// typing enters a text into the search field.
const typing = `(() => {
	document.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
	document.activeElement.value = %q;
	document.activeElement.dispatchEvent(new Event("input", { bubbles: true }));
})()`

// Developers search with the terms of their trade, in either language, whatever the page calls it, and open a result with the
// keyboard.
func TestSite_searchKnowsTheTrade(t *testing.T) {
	t.Parallel()
	s, b := stacktest.Use(t), browser.Open(t)
	for _, search := range []struct{ language, typed, finds string }{
		{"en", "waybill", "/docs/en/ship"},
		{"en", "송장", "/docs/en/ship"},
		{"en", "collect_done", "/docs/en/claims"},
		{"en", "RATE_LIMITED", "/docs/en/errors/RATE_LIMITED"},
		{"ko", "송장", "/docs/ko/ship"},
		{"ko", "운송장", "/docs/ko/ship"},
		{"ko", "waybill", "/docs/ko/ship"},
		{"ko", "멱등키", "/docs/ko/retries"},
		{"ko", "한도", "/docs/ko/limits"},
		{"ko", "반품", "/docs/ko/claims"},
	} {
		b.Visit(t, s.GatewayURL+"/docs/"+search.language+"/start")
		b.Run(t, fmt.Sprintf(typing, search.typed))
		b.Await(t, fmt.Sprintf(
			`[...document.querySelectorAll("#found a")].some((link) => link.getAttribute("href").split("#")[0] === %q)`, search.finds))
		require.Empty(t, b.Barriers(t), search.typed)
	}
	b.Keep(t, "ko-search")
	b.Run(t, `document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }))`)
	b.Await(t, `document.activeElement.closest("#found") !== null`)
	require.Empty(t, b.Complaints(s.GatewayURL))
}

// The reference leads to the search, which is ready to type into.
func TestSite_searchFromTheReference(t *testing.T) {
	t.Parallel()
	s, b := stacktest.Use(t), browser.Open(t)
	b.Visit(t, s.GatewayURL+"/docs/ko/reference")
	b.Run(t, `document.querySelector("body > nav a[href$='#search']").click()`)
	b.Arrives(t, "/docs/ko")
	b.Await(t, `document.activeElement.id === "search"`)
	b.Keys(t, "송장")
	b.Await(t, `document.querySelectorAll("#found a").length > 0`)
	require.Empty(t, b.Complaints(s.GatewayURL))
}

// The examples name the host that serves them, so that they can be copied.
func TestSite_examplesNameTheirHost(t *testing.T) {
	t.Parallel()
	s, b := stacktest.Use(t), browser.Open(t)
	b.Visit(t, s.GatewayURL+"/docs/en/start")
	b.Await(t, fmt.Sprintf(`document.querySelector("main").innerText.includes("GATEWAY_URL=%s")`, s.GatewayURL))
}

// A search result leads to the chapter, or to the operation of the reference, and not to the top of a long page.
func TestSite_searchLeadsToTheChapter(t *testing.T) {
	t.Parallel()
	s, b := stacktest.Use(t), browser.Open(t)
	for _, search := range []struct{ language, typed, path, part string }{
		{"en", "carriers", "/docs/en/ship", "#carriers"},
		{"ko", "수거 완료", "/docs/ko/reference", "#tag/claims/POST/open/v1/claims/{claim_no}/collect-done"},
		{"ko", "auto_confirm_at", "/docs/ko/reference", "#schemas/OrderItem"},
		{"en", "logistics company", "/docs/en/reference", "#schemas/ShipmentRequest"},
	} {
		b.Visit(t, s.GatewayURL+"/docs/"+search.language+"/start")
		b.Run(t, fmt.Sprintf(typing, search.typed))
		found := fmt.Sprintf(`[...document.querySelectorAll("#found a")].find((link) => link.getAttribute("href") === %q)`,
			search.path+search.part)
		b.Await(t, "!!"+found)
		b.Run(t, found+".click()")
		b.Arrives(t, search.path)
		b.Await(t, fmt.Sprintf(`(() => {
			const at = [...document.querySelectorAll("[id]")].find((one) => one.id.endsWith(%q))?.getBoundingClientRect();
			return at && at.top < innerHeight && at.bottom > 0 && scrollY > 0;
		})()`, search.part[1:]))
	}
	require.Empty(t, b.Complaints(s.GatewayURL))
}
