package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/conformance/browser"
	"sellerapi.dev/services/allinone/stack/stacktest"
)

// typeSearch types into the field of the search.
func typeSearch(t *testing.T, b *browser.Browser, text string) {
	t.Helper()
	b.Run(t, fmt.Sprintf(`(() => {
		const field = document.getElementById("search");
		field.value = %q;
		field.dispatchEvent(new Event("input", { bubbles: true }));
	})()`, text))
}

// What was searched for is in sight when the reader arrives: the chapter of a page, or the operation of the reference.
func TestSite_searchLeadsToTheChapter(t *testing.T) {
	t.Parallel()
	s, b := stacktest.Use(t), browser.Open(t)
	b.Size(t, 1400, 400) // so that no page shows all of itself
	for _, search := range []struct{ language, typed, path, hash, heading string }{
		{"en", "carriers", "/docs/en/ship", "#carriers", "Carriers"},
		{"en", "parts of a line", "/docs/en/claims", "#parts-of-a-line", "Parts of a line"},
		{"en", "answer_inquiry", "/docs/en/reference", "#tag/inquiries/POST/open/v1/qna/{qna_id}/answer", "Answer a product inquiry"},
		{"ko", "수거 완료", "/docs/ko/reference", "#tag/claims/POST/open/v1/claims/{claim_no}/collect-done", "수거 완료"},
	} {
		b.Visit(t, s.GatewayURL+"/docs/"+search.language+"/start")
		typeSearch(t, b, search.typed)
		hit := fmt.Sprintf(`[...document.querySelectorAll("#found a")].find((link) => link.getAttribute("href") === %q)`, search.path+search.hash)
		b.Await(t, "!!"+hit)
		b.Run(t, hit+".click()")
		b.Arrives(t, search.path)
		b.Await(t, fmt.Sprintf(`[...document.querySelectorAll("h2, h3")].some((heading) => {
			const { top } = heading.getBoundingClientRect();
			return heading.innerText.includes(%q) && top >= 0 && top < innerHeight && scrollY > innerHeight / 2;
		})`, search.heading))
	}
	require.Empty(t, b.Complaints(s.GatewayURL))
}
