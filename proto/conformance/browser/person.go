package browser

import (
	"fmt"
	"testing"

	permissions "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Language lets the browser ask for pages in a language, as one whose user reads it does.
func (b *Browser) Language(t *testing.T, language string) {
	t.Helper()
	headers := network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": language}}
	_, err := chromedp.Call(b.tab, network.SetExtraHTTPHeaders, headers)
	require.NoError(t, err)
}

// Click clicks on the visible link, button or label whose text is or begins with the given one.
func (b *Browser) Click(t *testing.T, text string) {
	t.Helper()
	found := fmt.Sprintf(`((text) => {
		const list = [...document.querySelectorAll("main a, main button, main label, form button, a, button")]
			.filter((one) => one.checkVisibility());
		const is = (one) => one.innerText.trim();
		return list.find((one) => is(one) === text) ?? list.find((one) => is(one).startsWith(text));
	})(%q)`, text)
	b.Await(t, found)
	b.Run(t, `{ const one = `+found+`; one.scrollIntoView({ block: "center" }); one.click(); }`)
}

// Follow clicks on what leads to another page, and waits for that.
func (b *Browser) Follow(t *testing.T, text string) {
	t.Helper()
	b.Run(t, `window.before = true`)
	b.Click(t, text)
	b.Await(t, `!window.before && document.readyState === "complete"`)
}

// Type enters a text into the field with an id.
func (b *Browser) Type(t *testing.T, id, text string) {
	t.Helper()
	b.Run(t, fmt.Sprintf(`document.getElementById(%q).focus()`, id))
	_, err := chromedp.Call(b.tab, input.InsertText, input.InsertTextParams{Text: text})
	require.NoError(t, err)
}

// LetCopy lets pages write to the clipboard, which the page in front may, and the test read it.
func (b *Browser) LetCopy(t *testing.T) {
	t.Helper()
	focus := emulation.SetFocusEmulationEnabledParams{Enabled: true}
	_, err := chromedp.Call(b.tab, emulation.SetFocusEmulationEnabled, focus)
	require.NoError(t, err)
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err := chromedp.Call(b.tab, permissions.SetPermission, permissions.SetPermissionParams{
			Permission: &permissions.PermissionDescriptor{Name: name}, Setting: permissions.PermissionSettingGranted,
		})
		require.NoError(t, err)
	}
}

// Copied returns what is in the clipboard.
func (b *Browser) Copied(t *testing.T) string {
	t.Helper()
	return b.Text(t, `navigator.clipboard.readText()`)
}
