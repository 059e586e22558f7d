package docs_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/conformance/browser"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/proto/openapi/docs"
)

// A browser that prefers Korean gets the page in Korean, and each language has its own address.
func TestPage_speaksTheReadersLanguage(t *testing.T) {
	t.Parallel()
	site := docs.New(documentPath, readsKorean)
	const english, korean = `<html lang="en">`, `<html lang="ko">`
	require.Contains(t, get(t, site, docs.Base).Body.String(), english)
	asked := get(t, site, docs.Base, "Accept-Language", "ko")
	require.Contains(t, asked.Body.String(), korean)
	require.Contains(t, asked.Header().Values("Vary"), "Accept-Language")
	require.Contains(t, get(t, site, docs.English, "Accept-Language", "ko").Body.String(), english)
	page := get(t, site, docs.Korean)
	require.Contains(t, page.Body.String(), korean)
	require.Contains(t, page.Body.String(), `data-document="`+docs.KoreanDocument+`"`)
	document := get(t, site, docs.KoreanDocument)
	require.Equal(t, http.StatusOK, document.Code)
	require.Equal(t, "application/json", document.Header().Get("Content-Type"))
}

// A Korean reader finds every operation by its Korean name, and can switch to the English page.
func TestPage_inKorean(t *testing.T) {
	t.Parallel()
	h, b := serve(t), browser.Open(t)
	b.Visit(t, h.URL+docs.Korean)
	b.Await(t, `document.body.innerText.includes("계약 문서 조회(YAML)")`)
	page := b.Text(t, "document.body.innerText")
	operations, err := openapi.KoreanOperations()
	require.NoError(t, err)
	for _, operation := range operations {
		require.Contains(t, page, operation.Summary)
	}
	for _, label := range []string{"소개", "서버", "예제 언어"} { // those of the library
		require.Contains(t, page, label)
	}
	require.NotRegexp(t, `(?m)^(Introduction|Server|Authentication|Client Libraries|Operations|Test Request|Responses)$`, page)
	b.Run(t, `document.querySelector("nav a[lang=en]").click()`)
	b.Arrives(t, docs.English)
	require.Empty(t, b.Complaints(h.URL))
}

// A link to an operation, such as a search result, shows this operation.
func TestPage_addressOfOperation(t *testing.T) {
	t.Parallel()
	h, b := serve(t), browser.Open(t)
	operations, err := openapi.Operations()
	require.NoError(t, err)
	last := operations[len(operations)-1]
	b.Visit(t, h.URL+docs.English+docs.Fragment(last))
	part := fmt.Sprintf(`document.querySelector("[id$='%s%s']")`, last.Method, last.Path)
	b.Await(t, fmt.Sprintf(
		`(() => { const at = %s?.getBoundingClientRect(); return at && at.top < innerHeight && at.bottom > 0 && scrollY > innerHeight; })()`, part))
	require.Equal(t, "list_requests", last.ID)
}

// The search of the library finds nothing of the guides and no synonyms: the page leads to that of the site instead.
func TestPage_leadsToTheSearch(t *testing.T) {
	t.Parallel()
	h, b := serve(t), browser.Open(t)
	for path, link := range map[string]string{docs.English: "/docs/en#search", docs.Korean: "/docs/ko#search"} {
		b.Visit(t, h.URL+path)
		b.Await(t, `document.querySelectorAll(".markdown").length > 3`)
		require.Equal(t, "true", b.Text(t, `String(document.querySelector("body > nav a[href='`+link+`']").checkVisibility())`))
		require.Equal(t, "0",
			b.Text(t, `String(document.querySelectorAll("[class*='sidebar-search'], button[aria-label*='Search']").length)`))
	}
}

// ofLibrary are the barriers in what the library renders, which this page cannot remove, by axe rule.
var ofLibrary = map[string]string{
	"landmark-no-duplicate-main": "the form to try a call has a main part of its own, in front of that of the page; HTML permits " +
		"no other role for it",
}

var ruleOf = regexp.MustCompile(`(?m)^([a-z-]+): `)

// The page has no barriers, in either language, on a wide and on a narrow screen, in light and in dark mode.
func TestPage_hasNoBarriers(t *testing.T) {
	t.Parallel()
	h, b := serve(t), browser.Open(t)
	for _, path := range []string{docs.English, docs.Korean} {
		for _, width := range []int64{1400, 400} {
			b.Size(t, width, 1000)
			b.Dark(t, false)
			b.Visit(t, h.URL+path)
			b.Await(t, `document.querySelectorAll(".markdown").length > 3`)
			b.Await(t, mended)
			name := fmt.Sprintf("%s-%d", path[len("/docs/"):][:2], width)
			require.Empty(t, b.Barriers(t), name)
			require.Empty(t, b.Broken(t), name)
			b.Keep(t, "reference-"+name)
			b.Dark(t, true)
			b.Await(t, `document.body.classList.contains("dark-mode")`)
			require.Empty(t, b.Barriers(t), "%s in dark mode", name)
			b.Keep(t, "reference-dark-"+name)
		}
	}
}

// The same holds for an operation and for the form that tries it, which the library draws when they are visible or opened.
func TestPage_operationHasNoBarriers(t *testing.T) {
	t.Parallel()
	h, b := serve(t), browser.Open(t)
	b.Size(t, 1400, 1000)
	b.Dark(t, true)
	b.Visit(t, h.URL+docs.Korean)
	const open = `document.querySelector("[id$='POST/open/v1/orders/{order_no}/shipment'] .show-api-client-button")`
	b.Await(t, `document.querySelectorAll(".markdown").length > 3`)
	b.Run(t, `document.querySelector("[id$='POST/open/v1/orders/{order_no}/shipment']").scrollIntoView()`)
	b.Await(t, "!!"+open)
	b.Await(t, mended)
	require.Empty(t, b.Barriers(t))
	b.Keep(t, "reference-dark-operation")
	b.Run(t, open+".click()")
	b.Await(t, `!!document.querySelector(".cm-content")?.checkVisibility()`)
	b.Await(t, mended)
	for _, isDark := range []bool{true, false} {
		b.Dark(t, isDark)
		b.Await(t, fmt.Sprintf(`document.body.classList.contains("dark-mode") === %t`, isDark))
		found := b.Barriers(t)
		for _, rule := range ruleOf.FindAllStringSubmatch(found, -1) {
			require.Contains(t, ofLibrary, rule[1], found)
		}
		b.Keep(t, fmt.Sprintf("reference-form-dark-%t", isDark))
	}
}

// mended tells when the page has added what the library leaves out, which it does a frame after each change.
const mended = `document.querySelectorAll(".code-input-lite__editor:not([aria-expanded]), .cm-content:not([aria-label])").length === 0`
