package apierr_test

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
)

var update = flag.Bool("update", false, "rewrite TABLE.md from the table")

// TABLE.md is the documentation of the table and must match the code.
func TestTableDocumentIsCurrent(t *testing.T) {
	t.Parallel()
	want := renderTable()
	if *update {
		require.NoError(t, os.WriteFile("TABLE.md", []byte(want), 0o644))
	}
	got, err := os.ReadFile("TABLE.md")
	require.NoError(t, err)
	require.Equal(t, want, string(got), "run go generate in pkg/apierr")
}

func renderTable() string {
	var page strings.Builder
	page.WriteString(`<!-- Rendered from table.go by "go generate"; edit the table, not this page. -->

# Errors

A code in italics is a name for logs and metrics; clients receive a null ` + "`error_code`" + `.
Batch: may stand in ` + "`data.failed[].error_code`" + ` of a batch shipment. Stored: the answer is kept
under its idempotency key for 24 hours. Retry-After: the default of the header, in seconds.
The texts in Korean are in table.go.

| HTTP | Code | Batch | Stored | Retry-After | Text |
|---|---|---|---|---|---|
`)
	for _, row := range apierr.Codes() {
		name := "`" + string(row.Code) + "`"
		if row.Unpublished {
			name = "*" + string(row.Code) + "*"
		}
		wait := ""
		if row.RetryAfter > 0 {
			wait = strconv.Itoa(row.RetryAfter)
		}
		fmt.Fprintf(&page, "| %d | %s | %s | %s | %s | %s |\n",
			row.Status, name, mark(row.Batch), mark(row.Stored), wait, row.English)
	}
	return page.String()
}

func mark(yes bool) string {
	if yes {
		return "yes"
	}
	return ""
}
