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
	b.Await(t, fmt.Sprintf(`(() => { const at = %s?.getBoundingClientRect(); return at && at.top < innerHeight && at.bottom > 0 && scrollY > innerHeight; })()`, part))
	require.Equal(t, "answer_inquiry", last.ID)
}

// ofLibrary are the barriers in what the library renders, which this page cannot remove, by axe rule.
var ofLibrary = map[string]string{
	"aria-input-field-name":       "the field of a value to try has no name beside its placeholder",
	"aria-required-attr":          "the same field says that it completes, and not whether its list is open",
	"color-contrast":              "its colours of methods, badges and placeholders",
	"link-name":                   "links of the narrow page that are pictures",
	"scrollable-region-focusable": "lists of operations that scroll without a stop for the keyboard",
}

// ruleOf matches the rule in a line of barriers.
var ruleOf = regexp.MustCompile(`(?m)^([a-z-]+): `)

// Texts of the contract and the head of the page have no barriers, in either language, on a wide and on a narrow screen; the
// library's own barriers are known.
func TestPage_barriersAreKnown(t *testing.T) {
	t.Parallel()
	h, b := serve(t), browser.Open(t)
	for _, path := range []string{docs.English, docs.Korean} {
		for _, width := range []int64{1400, 400} {
			b.Size(t, width, 1000)
			b.Visit(t, h.URL+path)
			b.Await(t, `document.querySelectorAll(".markdown").length > 3`)
			found := b.Barriers(t)
			for _, rule := range ruleOf.FindAllStringSubmatch(found, -1) {
				require.Contains(t, ofLibrary, rule[1], "%s at %d: %s", path, width, found)
			}
			require.Empty(t, b.Text(t, oursOnly), "%s at %d", path, width)
			require.Empty(t, b.Broken(t), "%s at %d", path, width)
			b.Keep(t, fmt.Sprintf("reference-%s-%d", path[len("/docs/"):][:2], width))
		}
	}
}

// oursOnly evaluates to the barriers of the head of the page and of the texts of the contract.
const oursOnly = `axe.run({ include: [["body > nav"], [".markdown"]] }, { resultTypes: ["violations"] }).then((found) =>
	found.violations.map((one) => one.id + ": " + one.nodes.map((node) => node.html.slice(0, 200)).join(" | ")).join("\n"))`
