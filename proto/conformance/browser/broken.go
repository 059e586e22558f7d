package browser

import "testing"

// Broken returns the layout problems of the page in its window, one per line: identifiers and words in tables that are broken
// in the middle, and the elements that make the page wider than the window.
func (b *Browser) Broken(t *testing.T) string {
	t.Helper()
	return b.Text(t, broken)
}

const broken = `[
	...[...document.querySelectorAll("td code, td a")]
		.filter((code) => code.getClientRects().length > 1 && !/\s/.test(code.textContent.trim()))
		.map((code) => code.textContent),
	...[...document.querySelectorAll("td, th")].flatMap((cell) => {
		const list = [], walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
		while (walker.nextNode()) {
			for (const word of walker.currentNode.data.matchAll(/[\p{L}\p{N}]+/gu)) {
				const range = document.createRange();
				range.setStart(walker.currentNode, word.index);
				range.setEnd(walker.currentNode, word.index + word[0].length);
				if (new Set([...range.getClientRects()].map((part) => part.top)).size > 1) list.push(word[0]);
			}
		}
		return list;
	}),
	...(document.documentElement.scrollWidth > window.innerWidth ? ["wider than the window: " +
		[...document.querySelectorAll("body *")]
		.filter((one) => one.getBoundingClientRect().right > window.innerWidth)
		.slice(0, 5).map((one) => one.tagName + "." + one.className).join(", ")] : []),
].join("\n")`
