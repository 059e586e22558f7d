package docs_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/proto/openapi/docs"
)

// patience is how long a browser on a busy machine may take for the whole test.
const patience = 3 * time.Minute

// host is a server with the page, the document, and an interface that answers everything with its own words.
type host struct {
	*httptest.Server
	mutex sync.Mutex
	calls []*http.Request
}

// words is what the interface of the test answers, to be found again on the page.
const words = "words of the test host"

func serve(t *testing.T) *host {
	t.Helper()
	h := &host{}
	site := docs.New(documentPath)
	mux := http.NewServeMux()
	for _, path := range site.Paths() {
		mux.Handle("GET "+path, site)
	}
	mux.Handle("GET "+documentPath, openapi.JSON())
	mux.HandleFunc("/open/v1/", func(w http.ResponseWriter, r *http.Request) {
		h.mutex.Lock()
		h.calls = append(h.calls, r)
		h.mutex.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"meta":{"message":%q}}`, words)
	})
	h.Server = httptest.NewServer(mux)
	t.Cleanup(h.Close)
	return h
}

// browser is a tab of a headless Chromium, and what it noticed.
type browser struct {
	tab      context.Context //nolint:containedctx // a tab is a context to the library
	mutex    sync.Mutex
	requests []string
	console  []string
}

// open starts a Chromium of its own. Without one the test fails: the page is part of the product.
func open(t *testing.T) *browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1400, 1000),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	limited, stop := context.WithTimeout(t.Context(), patience)
	t.Cleanup(stop)
	allocator, stop := chromedp.NewExecAllocator(limited, options...)
	t.Cleanup(stop)
	tab, stop := chromedp.NewContext(allocator)
	t.Cleanup(stop)
	b := &browser{tab: tab}
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

func (b *browser) note(list *[]string, line string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	*list = append(*list, line)
}

// complaints are the console's warnings, errors and exceptions, and the requests that left the host.
func (b *browser) complaints(h *host) []string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	var list []string
	for _, line := range b.console {
		if !strings.HasPrefix(line, "info ") && !strings.HasPrefix(line, "log ") && !strings.HasPrefix(line, "debug ") {
			list = append(list, line)
		}
	}
	for _, url := range b.requests {
		if !strings.HasPrefix(url, h.URL+"/") && !strings.HasPrefix(url, "data:") {
			list = append(list, "request to "+url)
		}
	}
	return list
}

// await waits until a JavaScript expression is true.
func (b *browser) await(t *testing.T, expression string) {
	t.Helper()
	_, err := chromedp.Run(b.tab, chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingInterval(50*time.Millisecond),
		chromedp.WithPollingTimeout(patience)))
	if err != nil {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		require.NoError(t, err, "waiting for %s; console: %q", expression, b.console)
	}
}

// run evaluates JavaScript.
func (b *browser) run(t *testing.T, script string) {
	t.Helper()
	_, err := chromedp.Run(b.tab, chromedp.Evaluate[chromedp.Void](script, chromedp.EvalAwaitPromise))
	require.NoError(t, err)
}

func (b *browser) text(t *testing.T, expression string) string {
	t.Helper()
	value, err := chromedp.Run(b.tab, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	return value
}

func (b *browser) visit(t *testing.T, url string) {
	t.Helper()
	require.NoError(t, chromedp.Do(b.tab, chromedp.Navigate(url)))
}

func TestThePageShowsTheDocumentAndSendsCallsToItsOwnHostOnly(t *testing.T) {
	t.Parallel()
	h, b := serve(t), open(t)
	b.visit(t, h.URL+docs.Base)
	b.await(t, `document.body.innerText.includes("Get this document as YAML")`)
	page := b.text(t, "document.body.innerText")
	for _, item := range document(t).Paths.Map() {
		for _, operation := range item.Operations() {
			require.Contains(t, page, operation.Summary)
		}
	}
	require.Contains(t, page, "Collecting changes")

	const key = "vpk_test_typed_by_somebody"
	b.run(t, `(() => {
		const field = document.querySelector(".scalar-password-input");
		field.value = "`+key+`";
		for (const name of ["input", "change", "blur"]) field.dispatchEvent(new Event(name, { bubbles: true }));
		document.querySelector("[id$='GET/open/v1/orders']").scrollIntoView();
	})()`)
	b.await(t, `!!document.querySelector("[id$='GET/open/v1/orders'] .show-api-client-button")`)
	b.run(t, `document.querySelector("[id$='GET/open/v1/orders'] .show-api-client-button").click()`)
	const send = `[...document.querySelectorAll("button")].find((b) => /^Send\b/.test(b.textContent.trim()) && b.checkVisibility())`
	b.await(t, "!!"+send)
	b.run(t, send+".click()")
	b.await(t, `document.body.innerText.includes("`+words+`")`)

	require.Len(t, h.calls, 1)
	require.Equal(t, "/open/v1/orders", h.calls[0].URL.String(), "filters of the examples are off")
	require.Equal(t, key, h.calls[0].Header.Get("X-Api-Key"))
	require.NotContains(t, b.text(t, everythingStored), key, "a key must not outlive the page")
	require.Empty(t, b.complaints(h))
}

// everythingStored is what the page keeps in the browser, as one text.
const everythingStored = `(async () => {
	const kept = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie];
	const wait = (request) => new Promise((done, fail) => {
		request.onsuccess = () => done(request.result);
		request.onerror = () => fail(request.error);
	});
	for (const { name } of await indexedDB.databases()) {
		const database = await wait(indexedDB.open(name));
		for (const store of database.objectStoreNames) {
			kept.push(JSON.stringify(await wait(database.transaction(store).objectStore(store).getAll())));
		}
		database.close();
	}
	return kept.join("\n");
})()`

// The policy is what stands between a flaw in four megabytes of foreign code and a seller's key.
func TestThePolicyStopsForeignScriptsImagesAndCalls(t *testing.T) {
	t.Parallel()
	h, b := serve(t), open(t)
	b.visit(t, h.URL+docs.Base)
	b.run(t, `(async () => {
		window.blocked = [];
		document.addEventListener("securitypolicyviolation", (event) => window.blocked.push(event.effectiveDirective));
		const inline = document.createElement("script");
		inline.textContent = "window.ran = true";
		const image = document.createElement("img");
		image.src = "http://other.invalid/x.png";
		document.body.append(inline, image);
		await fetch("http://other.invalid/").catch(() => {});
	})()`)
	b.await(t, `["script-src-elem", "img-src", "connect-src"].every((rule) => window.blocked.includes(rule))`)
	require.Equal(t, "undefined", b.text(t, "typeof window.ran"))
}

// A page that stays white tells nobody what to do.
func TestADocumentThatIsAwayIsSaidOnThePage(t *testing.T) {
	t.Parallel()
	h, b := serve(t), open(t)
	site := docs.New("/nowhere.json")
	missing := httptest.NewServer(site)
	t.Cleanup(missing.Close)
	b.visit(t, missing.URL+docs.Base)
	b.await(t, `document.body.innerText.includes("cannot be shown: /nowhere.json answered 404")`)
	require.Empty(t, h.calls)
}
