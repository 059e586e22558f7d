package e2e

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	table "sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/e2e/stacktest"
)

// Logs, metrics and traces are read by many people and kept for long; none may contain a key or personal data.
func TestTelemetry_holdsNoKeysOrPersonalData(t *testing.T) {
	t.Parallel()
	s := openTraced(t)
	seller := s.Seller(t)
	canary := "CANARY" + strings.ToUpper(uuid.NewString()[:8])
	order := canaried(seller.ID, canary, stacktest.InState("shipping"))
	order.OrderNo = strings.ToUpper(uuid.NewString())
	s.Place(t, order)
	number := order.GetOrderNo()
	item := order.GetSellers()[0].GetLines()[0].GetItemId()
	calls := []stacktest.Call{
		stacktest.Get(seller.Key, "/open/v1/orders"), stacktest.Get(seller.Key, "/open/v1/orders/"+number),
		stacktest.Get(seller.Key, "/open/v1/orders", "order_no", canary), stacktest.Get(seller.Key, "/open/v1/orders", canary, canary),
		stacktest.Get(seller.Key, "/open/v1/orders/"+canary), stacktest.Get("vpk_test_"+canary, "/open/v1/orders"),
		stacktest.Get(seller.Key, "/"+canary),
		{Method: "CANARY", Path: "/open/v1/orders", Key: seller.Key},
	}
	client := newTraced(t, s)
	for _, call := range calls {
		client.do(t, call)
	}
	for _, operation := range operations {
		client.do(t, operation.call(seller.Key, number, item))
	}
	reused := operationNamed(table.PrepareOrder).call(seller.Key, number, item)
	client.do(t, reused)
	reused.Path = strings.Replace(reused.Path, number, canary, 1)
	require.Equal(t, http.StatusConflict, client.do(t, reused).Status, "the key is refused, and the order not looked up")
	logs := s.Logs()
	require.Contains(t, logs, seller.Key[:12], "the log names keys by their first characters")
	for service, address := range s.MetricsURLs {
		page := fetch(t, address)
		require.Contains(t, page, "go_goroutines", service)
		requireNoneOf(t, page, canary, seller.Key, seller.Key[12:])
	}
	requireNoneOf(t, logs, canary, seller.Key, seller.Key[12:])
	require.NotRegexp(t, `"0x[0-9a-f]{6,}"|!ERROR|!BADKEY|%!`, logs, "a line shows values, and no addresses in memory")
	last := newTraced(t, s) // spans are exported in order: once these have arrived, all earlier ones have
	last.do(t, stacktest.Get(seller.Key, "/open/v1/orders"))
	last.do(t, stacktest.Get(seller.Key, "/open/v1/claims"))
	last.do(t, stacktest.Get(seller.Key, "/open/v1/qna"))
	for _, service := range []string{"orders", "claims", "qna"} {
		last.requireWay(t, telemetrytest.Step{Service: "gateway"}, telemetrytest.Step{Name: "forward"},
			telemetrytest.Step{Service: service})
	}
	require.Greater(t, len(s.Spans.Linked(client.trace)), 100)
	requireNoneOf(t, s.Spans.String(), canary, seller.Key, seller.Key[12:])
}

func requireNoneOf(t *testing.T, text string, secrets ...string) {
	t.Helper()
	for _, secret := range secrets {
		require.NotContains(t, text, secret)
	}
}

func fetch(t *testing.T, address string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(body)
}
