package browser

import (
	_ "embed" // the pinned version
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Size sets the size of the window, in pixels.
func (b *Browser) Size(t *testing.T, width, height int64) {
	t.Helper()
	require.NoError(t, chromedp.Do(b.tab, chromedp.EmulateViewport(width, height)))
}

// Dark switches the browser to dark mode, or back.
func (b *Browser) Dark(t *testing.T, on bool) {
	t.Helper()
	scheme := map[bool]string{true: "dark", false: "light"}[on]
	preference := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{
		Name:  "prefers-color-scheme",
		Value: scheme,
	}}}
	_, err := chromedp.Call(b.tab, emulation.SetEmulatedMedia, preference)
	require.NoError(t, err)
}

// Keys sends keys to the focused element: "\t" is Tab, "\r" is Enter.
func (b *Browser) Keys(t *testing.T, keys string) {
	t.Helper()
	require.NoError(t, chromedp.Do(b.tab, chromedp.KeyEvent(keys)))
}

// Arrives waits until the window shows the page at a path.
func (b *Browser) Arrives(t *testing.T, path string) {
	t.Helper()
	b.Await(t, fmt.Sprintf(`location.pathname === %q && document.readyState === "complete"`, path))
}

// WithoutScripts disables scripts.
func (b *Browser) WithoutScripts(t *testing.T) {
	t.Helper()
	_, err := chromedp.Call(b.tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	require.NoError(t, err)
}

// Keep writes a screenshot of the window into the folder that the environment variable SCREENSHOTS names, for people to look
// at. It does nothing if the variable is not set.
func (b *Browser) Keep(t *testing.T, name string) {
	t.Helper()
	folder := os.Getenv("SCREENSHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(b.tab, chromedp.CaptureScreenshot())
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(folder, 0o750))
	require.NoError(t, os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o600))
}

var (
	//go:embed axe/package.json
	axePackage []byte
	//go:embed axe/package-lock.json
	axeLock []byte
)

// axe is the script that finds accessibility barriers, installed once per process.
var axe = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "axe")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	for name, text := range map[string][]byte{"package.json": axePackage, "package-lock.json": axeLock} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return "", err
		}
	}
	install := exec.Command("npm", "ci", "--silent", "--no-audit", "--no-fund")
	install.Dir = folder
	if err := install.Run(); err != nil {
		return "", err
	}
	script, err := os.ReadFile(filepath.Join(folder, "node_modules", "axe-core", "axe.min.js"))
	return string(script), err
})

// Barriers returns the accessibility barriers that axe finds on the page: contrast, names, keyboard, structure.
func (b *Browser) Barriers(t *testing.T) string {
	t.Helper()
	script, err := axe()
	require.NoError(t, err, "npm installs axe-core")
	if missing, err := b.evaluate(`typeof axe === "undefined"`); err != nil || missing {
		b.Run(t, script+"; 0") // half a megabyte
	}
	return b.Text(t, `axe.run(document, { resultTypes: ["violations"] }).then((found) => found.violations.map((one) =>
		one.id + ": " + one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")).join("\n"))`)
}
