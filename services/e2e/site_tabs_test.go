package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/conformance/browser"
	"sellerapi.dev/services/e2e/stacktest"
)

const readable = `[...document.querySelectorAll(".program")].filter((program) => program.checkVisibility()).map((program) => program.dataset.language).join(" ")`

func press(t *testing.T, b *browser.Browser, key string) {
	t.Helper()
	b.Run(t, fmt.Sprintf(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true }))`, key))
}

// A developer reads programs in one language: it is chosen once, also with the keyboard, and every page in English and Korean
// shows it.
func TestSite_tabsRememberTheLanguage(t *testing.T) {
	t.Parallel()
	s, b := stacktest.Use(t), browser.Open(t)
	b.Visit(t, s.GatewayURL+"/docs/en/start")
	b.Await(t, `document.querySelectorAll("[role=tab]").length === 4`)
	require.Equal(t, "sh", b.Text(t, readable))
	b.Run(t, `document.querySelector("[role=tab][tabindex='0']").focus()`)
	for _, step := range []struct{ key, shows string }{
		{"ArrowRight", "go"},
		{"ArrowRight", "ts"},
		{"End", "python"},
		{"ArrowRight", "sh"},
		{"ArrowLeft", "python"},
		{"Home", "sh"},
		{"ArrowRight", "go"},
	} {
		press(t, b, step.key)
		require.Equal(t, step.shows, b.Text(t, readable), step.key)
		require.Equal(t, step.shows, b.Text(t, `document.activeElement.dataset.language`), "the focus follows the selected tab")
	}
	b.Run(t, `document.querySelector("[role=tab][data-language=python]").click()`)
	for _, page := range []string{"/ko/start", "/en/claims", "/ko/ship"} {
		b.Visit(t, s.GatewayURL+"/docs"+page)
		b.Await(t, `document.querySelector("[role=tab][aria-selected=true]")?.textContent === "Python"`)
		require.Equal(t, "python", b.Text(t, readable), page)
	}
	require.Empty(t, b.Complaints(s.GatewayURL))
}

// Tabs are distinguishable and accessible, also in dark mode and on a narrow screen, whichever is open.
func TestSite_tabsAreReadable(t *testing.T) {
	t.Parallel()
	s, b := stacktest.Use(t), browser.Open(t)
	look := func(name string) {
		for _, width := range []int64{1400, 400} {
			b.Size(t, width, 1000)
			b.Visit(t, s.GatewayURL+"/docs/ko/exchange")
			for _, language := range []string{"ts", "python", "go"} {
				b.Run(t, fmt.Sprintf(`document.querySelector("[role=tab][data-language=%s]").click()`, language))
				require.Empty(t, b.Broken(t), "%s %s at %d", name, language, width)
				require.Empty(t, b.Barriers(t), "%s %s at %d", name, language, width)
			}
			b.Run(t, `document.querySelector("[role=tablist]").scrollIntoView()`)
			b.Keep(t, fmt.Sprintf("tabs-%s-%d", name, width))
		}
	}
	look("light")
	b.Dark(t, true)
	look("dark")
}

// Without scripts, the programs are shown one after the other, each under its language.
func TestSite_programsWithoutScripts(t *testing.T) {
	t.Parallel()
	s, b := stacktest.Use(t), browser.Open(t)
	b.WithoutScripts(t)
	b.Visit(t, s.GatewayURL+"/docs/en/ship")
	require.Equal(t, "sh go ts python", b.Text(t, readable))
	require.Equal(t, "curl Go TypeScript Python", b.Text(t,
		`[...document.querySelectorAll(".program .language")].filter((label) => label.checkVisibility()).map((label) => label.textContent).join(" ")`))
	b.Keep(t, "tabs-none")
}
