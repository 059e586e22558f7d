package rest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/services/orders/internal/rest"
)

// The gateway forwards what the contract describes to these routes, and there is nothing here that it does not describe.
func TestTheRoutesAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	operations, err := openapi.Operations()
	require.NoError(t, err)
	var want []string
	for _, operation := range operations {
		if strings.HasPrefix(operation.Scope, "orders:") {
			want = append(want, operation.Route())
		}
	}
	engine := web.NewEngine(web.Options{Service: "orders", Telemetry: telemetry.Discard(t)})
	(&rest.API{}).Register(engine)
	routes := engine.Routes()
	got := make([]string, 0, len(routes))
	for _, route := range routes {
		got = append(got, route.Method+" "+route.Path)
	}
	require.NotEmpty(t, want)
	require.ElementsMatch(t, want, got)
}
