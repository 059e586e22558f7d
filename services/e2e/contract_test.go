package e2e

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/proto/conformance/browser"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/proto/openapi/docs"
	"sellerapi.dev/services/e2e/stacktest"
)

// Generators and people fetch the contract from the address that they call, and it names that address; a client that has the
// current version already gets a 304.
func TestContract_servedWithoutKey(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	for path, document := range map[string]openapi.Document{
		"/open/v1/openapi.json": openapi.JSON(), "/open/v1/openapi.yaml": openapi.YAML(),
	} {
		call := stacktest.Call{Path: path}
		answer := s.Raw(t, call)
		require.Equal(t, http.StatusOK, answer.Status)
		require.Equal(t, string(document.At(s.GatewayURL).Bytes()), string(answer.Body))
		require.Contains(t, string(answer.Body), s.GatewayURL)
		call.Header = http.Header{"If-None-Match": {answer.Header.Get("Etag")}}
		again := s.Raw(t, call)
		require.Equal(t, http.StatusNotModified, again.Status)
		require.Empty(t, again.Body)
	}
}

// A code that the services have and the contract does not would reach clients that do not know it.
func TestContract_codesOfErrorTable(t *testing.T) {
	t.Parallel()
	checker, err := stacktest.Contract()
	require.NoError(t, err)
	answers, entries := map[string]int{}, map[string]bool{}
	for _, promised := range checker.Promised() {
		switch {
		case promised.Code == "":
		case promised.Status == http.StatusOK:
			entries[promised.Code] = true
		default:
			answers[promised.Code] = promised.Status
		}
	}
	wantAnswers, wantEntries := map[string]int{}, map[string]bool{}
	for _, row := range apierr.Codes() {
		if row.Batch {
			wantEntries[string(row.Code)] = true
		}
		if !row.Unpublished && row.Status != http.StatusOK {
			wantAnswers[string(row.Code)] = row.Status
		}
	}
	require.Equal(t, wantAnswers, answers)
	require.Equal(t, wantEntries, entries)
}

// The messages in examples are those of the services, in both languages: a text that changes in a table changes in the contract.
func TestContract_messagesOfTables(t *testing.T) {
	t.Parallel()
	said := map[string]string{"OK": "OK", suspicious.English: suspicious.Korean}
	hints := []apierr.Phrase{
		{},
		apierr.HintFrozen, apierr.HintParcel, apierr.HintCarriers.With(strings.Join(carrier.Names(), ", ")),
		apierr.HintSent.With("Content-Type", "text/plain"),
	}
	for _, row := range apierr.Codes() {
		for _, hint := range hints {
			e := &apierr.Error{Code: row.Code, Hint: hint}
			said[e.Message(apierr.English)] = e.Message(apierr.Korean)
		}
	}
	missing := apierr.Problem("tracking_no", apierr.FieldRequired, apierr.IsMissingMeant.With("trackingNo", "tracking_no"))
	repeated := apierr.Problem("item_ids[1]", apierr.FieldRepeated, apierr.RepeatedIn.With("item_ids"))
	malformed := apierr.Invalid(missing, repeated)
	said[malformed.Message(apierr.English)] = malformed.Message(apierr.Korean)
	for _, problem := range []apierr.FieldError{missing, repeated} {
		said[problem.Message] = problem.Korean
	}
	english, korean := exampleMessages(t, openapi.JSON()), exampleMessages(t, openapi.Korean())
	require.Greater(t, len(english), 70)
	require.Len(t, korean, len(english))
	for i, text := range english {
		require.Contains(t, said, text)
		require.Equal(t, said[text], korean[i], text)
	}
}

// suspicious is the text of the warning in the examples, which TestHints_warningOfTheExamples gets from the system.
var suspicious = apierr.Phrase{
	English: "The last digit of the tracking number does not fit the others; it may be mistyped.",
	Korean:  "송장번호의 마지막 숫자가 맞지 않습니다. 잘못 입력되었을 수 있습니다.",
}

func exampleMessages(t *testing.T, document openapi.Document) []string {
	t.Helper()
	_, examples, found := strings.Cut(string(document.Bytes()), `"examples":{"order_page"`)
	require.True(t, found)
	messages := regexp.MustCompile(`"message":("(?:[^"\\]|\\.)*")`).FindAllStringSubmatch(examples, -1)
	list := make([]string, 0, len(messages))
	for _, text := range messages {
		unquoted, err := strconv.Unquote(text[1])
		require.NoError(t, err)
		list = append(list, unquoted)
	}
	return list
}

// A developer who has a key opens the page, enters the key, sends a call with its prefilled form, and reads the response of the
// real system. The forms name an order of the seller's own, so that a write operation succeeds too.
func TestDocsPage_showsLiveAnswers(t *testing.T) {
	t.Parallel()
	d, b := openSession(t), browser.Open(t)
	host := d.Witnessed(t)
	orderNo, ids := d.place(t)
	// the page renders only what is visible
	const shipment = `document.querySelector("[id$='POST/open/v1/orders/{order_no}/shipment']")`
	for _, try := range []struct{ method, path, answered string }{
		{http.MethodGet, "/open/v1/orders", `document.body.innerText.includes("paid_at")`},
		{
			http.MethodPost, "/open/v1/orders/{order_no}/shipment",
			`performance.getEntriesByType("resource").some((e) => e.name.endsWith("/` + orderNo +
				`/shipment") && e.responseStatus === 200)`,
		},
	} {
		b.Visit(t, host+docs.Base)
		b.Await(t, `!!document.querySelector(".scalar-password-input")`)
		b.TypeKey(t, d.seller.Key)
		b.Await(t, `(`+shipment+`?.scrollIntoView(), `+shipment+`?.innerText.includes("`+ids[0]+`"))`)
		b.Try(t, try.method, try.path)
		b.Await(t, try.answered)
		b.Keep(t, "try-"+strings.ToLower(try.method))
	}
	require.Equal(t, []string{"shipping"}, states(d.order(t, orderNo)))
	require.Empty(t, b.Complaints(host))
}
