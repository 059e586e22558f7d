package operation_test

import (
	"flag"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
)

var update = flag.Bool("update", false, "rewrite TABLE.md")

// published is the published API, repeated here by hand.
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

// Every published operation is in the table with its path and scope; there may be additional operations.
func TestAll_holdsThePublishedInterface(t *testing.T) {
	t.Parallel()
	got := make([]string, 0, len(published))
	for _, op := range operation.All() {
		got = append(got, op.Method+" "+op.Path+" "+string(op.Scope))
	}
	require.Subset(t, got, published)
}

// The columns of a row must agree with each other, because rows are often copied without checking every column.
func TestAll_rowsAreConsistent(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, op := range operation.All() {
		require.False(t, names[op.Name], op.Name)
		names[op.Name] = true
		read := op.Method == http.MethodGet
		require.Equal(t, read, op.Class == operation.Read, op.Name)
		require.Equal(t, read, op.MaxBodyBytes == 0, op.Name)
		require.Equal(t, read, op.Charge != operation.ChargeNone, op.Name)
		require.Equal(t, strings.HasPrefix(op.Name, "list_"), op.Charge == operation.ChargePage, op.Name)
		require.Positive(t, op.Timeout, op.Name)
		if op.Service == operation.Gateway {
			require.Empty(t, op.Scope, op.Name)
			continue
		}
		require.Contains(t, operation.Services(), op.Service)
		require.True(t, op.Scope.Known(), op.Name)
		require.True(t, strings.HasPrefix(string(op.Scope), string(op.Service)+":"), op.Name)
		require.Equal(t, read, strings.HasSuffix(string(op.Scope), ":read"), op.Name)
	}
}

// Only a batch needs a large body and a long timeout; no other operation may have them.
func TestAll_onlyABatchIsLargeAndSlow(t *testing.T) {
	t.Parallel()
	for _, op := range operation.All() {
		batch := op.Name == operation.ShipOrders || op.Name == operation.CheckShipments
		require.Equal(t, batch, op.MaxBodyBytes == 4<<20, op.Name)
		require.Equal(t, batch, op.MaxEntries == 500, op.Name)
		require.Equal(t, batch, op.Timeout > 15*time.Second, op.Name)
	}
}

// Callers get copies: changing one does not change the table.
func TestAll_returnsACopy(t *testing.T) {
	t.Parallel()
	operation.All()[0].Path = "/elsewhere"
	require.Equal(t, "/open/v1/orders", operation.All()[0].Path)
}

// Every operation belongs to exactly one service.
func TestOf_partitionsTheTable(t *testing.T) {
	t.Parallel()
	all := make([]operation.Operation, 0, len(operation.All()))
	for _, service := range append(operation.Services(), operation.Gateway) {
		all = append(all, operation.Of(service)...)
	}
	require.ElementsMatch(t, operation.All(), all)
}

// Any key may call an operation without a scope, and only a key with its scope any other.
func TestOpenTo(t *testing.T) {
	t.Parallel()
	orders := principal.Principal{Scopes: []principal.Scope{"orders:read"}}
	for name, open := range map[string]bool{operation.ListRequests: true, operation.ListOrders: true, operation.ListClaims: false} {
		require.Equal(t, open, operation.Named(name).OpenTo(orders), name)
	}
}

// A handler that asks for the row of an operation gets it, or the program does not start.
func TestNamed(t *testing.T) {
	t.Parallel()
	for _, op := range operation.All() {
		require.Equal(t, op, operation.Named(op.Name))
	}
	require.Panics(t, func() { operation.Named("no_such") })
}

// TABLE.md is the documentation of the table and must match the code.
func TestDocument(t *testing.T) {
	t.Parallel()
	if *update {
		require.NoError(t, os.WriteFile("TABLE.md", []byte(markdown()), 0o600))
	}
	page, err := os.ReadFile("TABLE.md")
	require.NoError(t, err)
	require.Equal(t, markdown(), string(page), "run go generate in pkg/operation")
}
