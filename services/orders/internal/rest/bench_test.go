package rest_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
	"sellerapi.dev/services/orders/internal/rest"
	"sellerapi.dev/services/orders/internal/store/storetest"
)

// BenchmarkListPage serves a page of 50 orders with two items each, from the signed request to the last byte, and reports the CPU
// time of this process for it: decoding, rules and encoding, without that of the database.
//
//	go test ./internal/rest -run '^$' -bench ListPage -benchtime 2000x
func BenchmarkListPage(b *testing.B) {
	s, _ := storetest.New(b)
	seller := uuid.New()
	placements := make([]order.Placement, 200)
	for i := range placements {
		placements[i] = ordertest.New(fmt.Sprintf("B-%03d", i), ordertest.Epoch, seller)
		line := ordertest.NewLine()
		ordertest.History(&line, ordertest.Epoch, time.Hour, order.Shipping, order.Delivered)
		placements[i].Parts[0].Lines = append(placements[i].Parts[0].Lines, line)
	}
	_, err := s.Place(b.Context(), placements)
	require.NoError(b, err)
	cursors, err := paging.NewSigner(bytes.Repeat([]byte("c"), 32))
	require.NoError(b, err)
	engine := web.NewEngine(web.Options{Service: "orders", Telemetry: telemetrytest.Discard(b)})
	api := rest.API{Orders: s, Cursors: cursors}
	require.NoError(b, web.RegisterOperations(engine, principaltest.Verifier(b, trust.Orders),
		operation.Of(operation.Orders), api.Handlers()))
	who := principal.Principal{SellerID: seller, Scopes: principal.All()}

	before := ordertest.CPUTime(b)
	b.ReportAllocs()
	for b.Loop() {
		request := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/open/v1/orders", nil)
		principaltest.Sign(b, trust.Orders, request, who)
		recorder := httptest.NewRecorder()
		engine.ServeHTTP(recorder, request)
		require.Equal(b, http.StatusOK, recorder.Code)
	}
	b.ReportMetric(float64((ordertest.CPUTime(b)-before).Microseconds())/float64(b.N), "cpu-µs/op")
}
