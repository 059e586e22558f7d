package docs_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/conformance/browser"
	"sellerapi.dev/proto/conformance/oracle"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/proto/openapi/docs"
)

// host is a server with the page, the document, and an API that answers every call with the same text.
type host struct {
	*httptest.Server
	mutex  sync.Mutex
	calls  []*http.Request
	bodies [][]byte
}

// words is the response of the test's API, which the test looks for on the page.
const words = "words of the test host"

func serve(t *testing.T) *host {
	t.Helper()
	h := &host{}
	site := docs.New(documentPath, readsKorean)
	mux := http.NewServeMux()
	for _, path := range site.Paths() {
		mux.Handle("GET "+path, site)
	}
	mux.Handle("GET "+documentPath, openapi.JSON())
	mux.HandleFunc("GET /open/v1/orders", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.RawQuery == "item_status=paid&limit=1" {
			_, _ = io.WriteString(w, paidOrder)
			return
		}
		h.answer(w, r)
	})
	mux.HandleFunc("/open/v1/", h.answer)
	h.Server = httptest.NewServer(mux)
	t.Cleanup(h.Close)
	return h
}

const paidOrder = `{"meta":{},"data":{"list":[{"order_no":"OWN-1","items":[{"item_id":"shipped-line","item_status":"shipping"},` +
	`{"item_id":"paid-line","item_status":"paid"}]}],"next_cursor":null}}`

func (h *host) answer(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	h.mutex.Lock()
	h.calls, h.bodies = append(h.calls, r), append(h.bodies, body)
	h.mutex.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"meta":{"message":%q}}`, words)
}

func TestPage_showsDocumentAndCallsOwnHost(t *testing.T) {
	t.Parallel()
	h, b := serve(t), browser.Open(t)
	b.Visit(t, h.URL+docs.Base)
	b.Await(t, `document.body.innerText.includes("Get this document as YAML")`)
	page := b.Text(t, "document.body.innerText")
	for _, item := range document(t).Paths.Map() {
		for _, operation := range item.Operations() {
			require.Contains(t, page, operation.Summary)
		}
	}
	require.Contains(t, page, "Collecting changes")

	const key = "vpk_test_typed_by_a_reader"
	b.TypeKey(t, key)
	b.Try(t, http.MethodGet, "/open/v1/orders")
	b.Await(t, `document.body.innerText.includes("`+words+`")`)

	require.Len(t, h.calls, 1)
	require.Equal(t, "/open/v1/orders", h.calls[0].URL.String(), "filters of the examples are off")
	require.Equal(t, key, h.calls[0].Header.Get("X-Api-Key"))
	require.NotContains(t, b.Text(t, everythingStored), key, "a key must not outlive the page")
	require.Empty(t, b.Complaints(h.URL))
}

// A process call that is sent from its prefilled form must match the contract, and have an idempotency key of its own.
func TestPage_processCallForm(t *testing.T) {
	t.Parallel()
	h, b := serve(t), browser.Open(t)
	checker, err := oracle.New()
	require.NoError(t, err)
	for range 2 {
		b.Visit(t, h.URL+docs.Base)
		b.Await(t, `!!document.querySelector(".scalar-password-input")`)
		b.TypeKey(t, "vpk_test_typed_by_a_reader")
		b.Try(t, http.MethodPost, "/open/v1/orders/{order_no}/shipment")
		b.Await(t, `document.body.innerText.includes("`+words+`")`)
	}
	require.Len(t, h.calls, 2)
	for i, call := range h.calls {
		require.Equal(t, "/open/v1/orders/20260314-0001842/shipment", call.URL.String())
		require.Equal(t, "vpk_test_typed_by_a_reader", call.Header.Get("X-Api-Key"))
		require.NoError(t, checker.CheckRequest(call, h.bodies[i]), "%s", h.bodies[i])
	}
	require.NotEqual(t, h.calls[0].Header.Get("Idempotency-Key"), h.calls[1].Header.Get("Idempotency-Key"))
	require.Empty(t, b.Complaints(h.URL))
}

// The forms name records of the seller whose key was entered, so that the prefilled call succeeds; the key is entered once.
func TestPage_formsNameOwnRecords(t *testing.T) {
	t.Parallel()
	h, b := serve(t), browser.Open(t)
	const key = "vpk_test_0123456789012345678901234567890123456789"
	b.Visit(t, h.URL+docs.Base)
	b.Await(t, `!!document.querySelector(".scalar-password-input")`)
	b.TypeKey(t, key)
	// the page renders only what is visible
	const shown = `document.querySelector("[id$='POST/open/v1/orders/{order_no}/shipment']")`
	b.Await(t, `(`+shown+`?.scrollIntoView(), `+shown+`?.innerText.includes("paid-line"))`)
	b.Try(t, http.MethodPost, "/open/v1/orders/{order_no}/shipment")
	b.Await(t, `document.body.innerText.includes("`+words+`")`)
	shipment := h.calls[len(h.calls)-1]
	require.Equal(t, "/open/v1/orders/OWN-1/shipment", shipment.URL.String())
	require.Equal(t, key, shipment.Header.Get("X-Api-Key"))
	require.Contains(t, string(h.bodies[len(h.bodies)-1]), `"paid-line"`)
	require.NotContains(t, b.Text(t, everythingStored), key, "a key must not outlive the page")
	require.Empty(t, b.Complaints(h.URL))
}

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

// A blank page would not tell the user what is wrong.
func TestPage_saysWhenDocumentIsAway(t *testing.T) {
	t.Parallel()
	h, b := serve(t), browser.Open(t)
	site := docs.New("/nowhere.json", readsKorean)
	missing := httptest.NewServer(site)
	t.Cleanup(missing.Close)
	b.Visit(t, missing.URL+docs.Base)
	b.Await(t, `document.body.innerText.includes("cannot be shown: /nowhere.json answered 404")`)
	require.Empty(t, h.calls)
}

// The field of the key shows how a key begins, instead of the library's placeholder, which means nothing to a developer.
func TestPage_keyPlaceholder(t *testing.T) {
	t.Parallel()
	h, b := serve(t), browser.Open(t)
	b.Visit(t, h.URL+docs.Base)
	b.Await(t, `!!document.querySelector(".scalar-password-input")`)
	b.Await(t, `[...document.querySelectorAll(".scalar-password-input")].every((field) => field.placeholder === "vpk_test_…")`)
	require.Equal(t, "0",
		b.Text(t, `String([...document.querySelectorAll("[placeholder]")].filter((field) => field.placeholder.startsWith("QUxM")).length)`))
}
