// Package browser provides a headless Chromium for tests of web pages.
package browser

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

const (
	// lifetime limits a whole test in a browser on a busy machine: one that checks every page takes minutes on an idle one.
	lifetime = 30 * time.Minute
	timeout  = 5 * time.Minute
)

// Browser is a tab of a headless Chromium, with the problems that it recorded.
type Browser struct {
	tab      context.Context //nolint:containedctx // a tab is a context to the library
	mutex    sync.Mutex
	requests []string
	console  []string
}

// Open starts a separate Chromium, which runs until the end of the test. If there is none the test fails: the page is part of the
// product.
func Open(t *testing.T) *Browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1400, 1000),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	limited, stop := context.WithTimeout(t.Context(), lifetime)
	t.Cleanup(stop)
	allocator, stop := chromedp.NewExecAllocator(limited, options...)
	t.Cleanup(stop)
	tab, stop := chromedp.NewContext(allocator)
	t.Cleanup(stop)
	b := &Browser{tab: tab}
	console, requests := chromedp.Console(tab), chromedp.Events(tab, network.RequestWillBeSent)
	_, err := chromedp.Call(tab, network.Enable, network.EnableParams{})
	require.NoError(t, err, "Chromium did not start")
	go func() {
		for message, err := range console {
			if err != nil {
				return // the browser has been closed
			}
			b.note(&b.console, fmt.Sprintf("%s %s %s", message.Type, message.Source, message.Text))
		}
	}()
	go func() {
		for event, err := range requests {
			if err != nil {
				return
			}
			b.note(&b.requests, event.Request.URL)
		}
	}()
	return b
}

func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	require.Fail(t, "there is no Chromium: install the package chromium")
	return ""
}

func (b *Browser) note(list *[]string, line string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	*list = append(*list, line)
}

// Complaints returns the console's warnings, errors and exceptions, and the requests to hosts other than this one, each as
// scheme, name and port.
func (b *Browser) Complaints(host string) []string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	var list []string
	for _, line := range b.console {
		if !strings.HasPrefix(line, "info ") && !strings.HasPrefix(line, "log ") && !strings.HasPrefix(line, "debug ") {
			list = append(list, line)
		}
	}
	for _, url := range b.requests {
		if !strings.HasPrefix(url, host+"/") && !strings.HasPrefix(url, "data:") {
			list = append(list, "request to "+url)
		}
	}
	return list
}

// Await waits until a JavaScript expression is true. It goes on when the page is unloaded meanwhile, where chromedp.Poll fails,
// and when the expression fails, for example because an element is still missing.
func (b *Browser) Await(t *testing.T, expression string) {
	t.Helper()
	met := func() bool { value, err := b.evaluate(expression); return err == nil && value }
	require.Eventually(t, met, timeout, 50*time.Millisecond, "waiting for %s; console: %v", expression, b)
}

// String returns what the console has shown.
func (b *Browser) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return fmt.Sprintf("%q", b.console)
}

// evaluate reports whether an expression is true, in the sense of JavaScript.
func (b *Browser) evaluate(expression string) (bool, error) {
	return chromedp.Run(b.tab, chromedp.Evaluate[bool]("!!("+expression+")"))
}

// Run evaluates JavaScript.
func (b *Browser) Run(t *testing.T, script string) {
	t.Helper()
	_, err := chromedp.Run(b.tab, chromedp.Evaluate[chromedp.Void](script, chromedp.EvalAwaitPromise))
	require.NoError(t, err)
}

// Text evaluates a JavaScript expression and returns its value, a string.
func (b *Browser) Text(t *testing.T, expression string) string {
	t.Helper()
	value, err := chromedp.Run(b.tab, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	return value
}

// Visit navigates to an address.
func (b *Browser) Visit(t *testing.T, url string) {
	t.Helper()
	require.NoError(t, chromedp.Do(b.tab, chromedp.Navigate(url)))
}

// TypeKey enters an API key on the page, as a user does to try calls.
func (b *Browser) TypeKey(t *testing.T, key string) {
	t.Helper()
	b.Run(t, fmt.Sprintf(`(() => {
		const field = document.querySelector(".scalar-password-input");
		field.value = %q;
		for (const name of ["input", "change", "blur"]) field.dispatchEvent(new Event(name, { bubbles: true }));
	})()`, key))
}

// Try opens the form of an operation, given by its method and path in the contract, and sends it as it is prefilled.
func (b *Browser) Try(t *testing.T, method, path string) {
	t.Helper()
	part := fmt.Sprintf(`document.querySelector("[id$='%s%s']")`, method, path)
	open := fmt.Sprintf(`document.querySelector("[id$='%s%s'] .show-api-client-button")`, method, path)
	b.Run(t, part+".scrollIntoView()")
	b.Await(t, "!!"+open)
	b.Run(t, open+".click()")
	const send = `[...document.querySelectorAll("button")].find((b) => /^Send\b/.test(b.textContent.trim()) && b.checkVisibility())`
	b.Await(t, "!!"+send)
	b.Run(t, send+".click()")
}
