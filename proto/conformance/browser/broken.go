package browser

import "testing"

// Broken returns the layout problems of the page in its window, one per line: identifiers in tables that are broken in the middle,
// and the elements that make the page wider than the window.
func (b *Browser) Broken(t *testing.T) string {
	t.Helper()
	return b.Text(t, broken)
}

const broken = `[
	...[...document.querySelectorAll("td code, td a")]
		.filter((code) => code.getClientRects().length > 1 && !/\s/.test(code.textContent.trim()))
		.map((code) => code.textContent),
	...(document.documentElement.scrollWidth > window.innerWidth ? ["wider than the window: " + [...document.querySelectorAll("body *")]
		.filter((one) => one.getBoundingClientRect().right > window.innerWidth)
		.slice(0, 5).map((one) => one.tagName + "." + one.className).join(", ")] : []),
].join("\n")`
