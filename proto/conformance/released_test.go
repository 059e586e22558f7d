package conformance_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/openapi"
)

// Clients were written against the released documents. Additions are allowed; anything that could break a client belongs in
// version 2.
func TestReleased_nothingReliedOnHasChanged(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../openapi/released/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		differences, corrected := breaking(t, info(t, text), openapi.YAML().Bytes()), map[string]bool{}
		differences = slices.DeleteFunc(differences, func(difference string) bool {
			_, what, _ := strings.Cut(difference, ": ")
			corrected[what] = true
			return slices.Contains(corrections, what)
		})
		require.Empty(t, differences, "against %s", file)
		require.Subset(t, slices.Collect(maps.Keys(corrected)), corrections, "a correction that %s does not need", file)
	}
}

// corrections are promises of a released document that no version of the system has ever kept. A client that relied on one
// never worked, so that taking it back breaks none; every other promise stands.
var corrections = []string{
	// The 429 of an address belongs to no key, and has no limits of one.
	"the response header `X-RateLimit-Limit` became optional for the status `429`",
	"the response header `X-RateLimit-Remaining` became optional for the status `429`",
}

// generated are names that no request contains but that clients depend on: their generators name methods and types after them.
var generated = map[string]checker.Level{
	checker.APIOperationIdRemovedId: checker.ERR,
	checker.APITagRemovedId:         checker.ERR,
	checker.APISchemasRemovedId:     checker.ERR,
}

func breaking(t *testing.T, from *load.SpecInfo, to []byte) []string {
	t.Helper()
	difference, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), from, info(t, to))
	require.NoError(t, err)
	config := checker.NewConfig(checker.GetAllChecks(), checker.WithSeverityLevels(generated))
	changes := checker.CheckBackwardCompatibility(config, difference, sources)
	texts := make([]string, 0, len(changes))
	for _, change := range changes {
		texts = append(texts, change.GetOperation()+" "+change.GetPath()+": "+
			change.GetUncolorizedText(checker.NewDefaultLocalizer()))
	}
	return texts
}

func info(t *testing.T, text []byte) *load.SpecInfo {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(text)
	require.NoError(t, err)
	return &load.SpecInfo{Spec: document, Version: document.Info.Version}
}

// edit is a change of the document's text, and what the comparison must report about it.
type edit struct{ from, to, says string }

func edited(t *testing.T, edits []edit) []byte {
	t.Helper()
	text := string(openapi.YAML().Bytes())
	for _, e := range edits {
		require.Contains(t, text, e.from, "the text to change is not there")
		text = strings.Replace(text, e.from, e.to, 1)
	}
	return []byte(text)
}

// The comparison must detect breaking changes: one of each part of the document, and those of the names of generated code.
func TestBreaking_changesAreNoticed(t *testing.T) {
	t.Parallel()
	edits := []edit{
		{"  /open/v1/claims/{claim_no}/reship:\n", "  /open/v1/claims/{claim_no}/ship:\n", "/reship: api path removed"},
		{"      operationId: ship_order\n", "      operationId: send_order\n", "ship_order"},
		{
			"      operationId: list_inquiries\n      tags: [Inquiries]\n", "      operationId: list_inquiries\n      tags: [Questions]\n",
			"`Inquiries` removed",
		},
		{"        - $ref: \"#/components/parameters/PaidAtGte\"\n", "", "deleted the `query` request parameter `paid_at_gte`"},
		{"        seller_paid_amount:\n", "        seller_total_amount:\n", "removed the required property `data/seller_paid_amount`"},
		{"          maxItems: 500\n", "          maxItems: 100\n", "`items` request property's maxItems was decreased to `100`"},
		{"x-extensible-enum: [pass, fail]", "enum: [pass, fail, null]", "enum value to the `data/inspect_result` response property"},
	}
	noticed := strings.Join(breaking(t, info(t, openapi.YAML().Bytes()), edited(t, edits)), "\n")
	for _, e := range edits {
		require.Contains(t, noticed, e.says, "%q to %q", e.from, e.to)
	}
}

// Additions and rewordings are not reported as breaking changes.
func TestBreaking_additionsAreNot(t *testing.T) {
	t.Parallel()
	require.Empty(t, breaking(t, info(t, openapi.YAML().Bytes()), edited(t, []edit{
		{
			from: "        currency:\n          type: string\n",
			to:   "        channel: { type: string }\n        currency:\n          type: string\n",
		},
		{from: "x-extensible-enum: [product, delivery,", to: "x-extensible-enum: [gift, product, delivery,"},
		{from: "        - RATE_LIMITED\n", to: "        - RATE_LIMITED\n        - SELLER_SUSPENDED\n"},
		{from: "        logistics_company: { $ref", to: "        note: { type: string }\n        logistics_company: { $ref"},
		{from: "enum: [waiting, answered] }", to: "enum: [waiting, answered, hidden] }"},
		{from: "롯데택배, 로젠택배]\n      x-enum", to: "롯데택배, 로젠택배, 경동택배]\n      x-enum"},
		{from: "Who bears the shipping fee", to: "Who pays for shipping"},
	})))
}
