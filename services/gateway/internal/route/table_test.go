package route_test

import (
	"flag"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/services/gateway/internal/route"
)

var update = flag.Bool("update", false, "rewrite the route table of the README")

// The interface as it is published, written out a second time by hand.
var published = []string{
	"GET /open/v1/orders orders:read",
	"GET /open/v1/orders/:order_no orders:read",
	"POST /open/v1/orders/:order_no/preparation orders:write",
	"POST /open/v1/orders/:order_no/shipment orders:write",
	"POST /open/v1/orders/batch/shipment orders:write",
	"POST /open/v1/orders/:order_no/delivery orders:write",
	"GET /open/v1/claims claims:read",
	"GET /open/v1/claims/:claim_no claims:read",
	"POST /open/v1/claims/:claim_no/approve claims:write",
	"POST /open/v1/claims/:claim_no/reject claims:write",
	"POST /open/v1/claims/:claim_no/pickup claims:write",
	"POST /open/v1/claims/:claim_no/collect-done claims:write",
	"POST /open/v1/claims/:claim_no/inspect claims:write",
	"POST /open/v1/claims/:claim_no/reship claims:write",
	"GET /open/v1/qna qna:read",
	"POST /open/v1/qna/:qna_id/answer qna:write",
}

func TestTheTableIsThePublishedInterface(t *testing.T) {
	t.Parallel()
	got := make([]string, 0, len(published))
	for _, operation := range route.All() {
		got = append(got, operation.Method+" "+operation.Path+" "+string(operation.Scope))
	}
	require.Equal(t, published, got)
}

// Clients know operations by the names, paths and scopes of the contract.
func TestTheTableIsTheContracts(t *testing.T) {
	t.Parallel()
	described, err := openapi.Operations()
	require.NoError(t, err)
	var want []string
	for _, operation := range described {
		if operation.Scope != "" { // the contract itself needs no key and is served beside the table
			want = append(want, operation.ID+" "+operation.Route()+" "+operation.Scope)
		}
	}
	got := make([]string, 0, len(published))
	for _, operation := range route.All() {
		got = append(got, operation.Name+" "+operation.Method+" "+operation.Path+" "+string(operation.Scope))
	}
	require.ElementsMatch(t, want, got)
}

func TestEveryRowIsWholeAndConsistent(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, operation := range route.All() {
		require.False(t, names[operation.Name], operation.Name)
		names[operation.Name] = true
		require.Contains(t, route.Upstreams(), operation.Upstream)
		require.True(t, operation.Scope.Known(), operation.Name)
		require.True(t, strings.HasPrefix(string(operation.Scope), string(operation.Upstream)+":"), operation.Name)
		require.Equal(t, operation.Method == http.MethodGet, operation.Class == route.Read, operation.Name)
		require.Equal(t, operation.Method == http.MethodGet, operation.MaxBodyBytes == 0, operation.Name)
		require.Equal(t, operation.Class == route.Read, strings.HasSuffix(string(operation.Scope), ":read"), operation.Name)
		require.Positive(t, operation.Timeout, operation.Name)
		require.LessOrEqual(t, operation.Timeout, principal.Life, "the signed principal must outlive %s", operation.Name)
	}
}

func TestOnlyABatchMayBeLargeAndSlow(t *testing.T) {
	t.Parallel()
	for _, operation := range route.All() {
		batch := operation.Name == "ship_orders"
		require.Equal(t, batch, operation.MaxBodyBytes == 4<<20, operation.Name)
		require.Equal(t, batch, operation.Timeout > 15*time.Second, operation.Name)
	}
}

func TestChangingACopyLeavesTheTableAlone(t *testing.T) {
	t.Parallel()
	route.All()[0].Path = "/elsewhere"
	require.Equal(t, "/open/v1/orders", route.All()[0].Path)
}

const (
	tableBegin = "edit the table there -->\n"
	tableEnd   = "<!-- end of routes -->"
)

// The READMEs are what people read; they must say what the code does.
func TestTheReadmesShowTheTable(t *testing.T) {
	t.Parallel()
	for _, readme := range []string{"../../README.md", "../../../../README.md"} {
		page, err := os.ReadFile(readme)
		require.NoError(t, err)
		before, rest, found := strings.Cut(string(page), tableBegin)
		require.True(t, found, readme)
		_, after, found := strings.Cut(rest, tableEnd)
		require.True(t, found, readme)
		want := before + tableBegin + route.Markdown() + tableEnd + after
		if *update {
			require.NoError(t, os.WriteFile(readme, []byte(want), 0o600))
			continue
		}
		require.Equal(t, want, string(page), "run go generate in services/gateway/internal/route")
	}
}
