package rest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
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

type shipBench struct {
	b          *testing.B
	engine     http.Handler
	seller     uuid.UUID
	placements []order.Placement
	next       int
}

func newShipBench(b *testing.B) *shipBench {
	b.Helper()
	s, db := storetest.New(b)
	engine := web.NewEngine(web.Options{Service: "orders", Telemetry: telemetrytest.Discard(b)})
	api := rest.API{
		Orders: s, Box: inbox.New(db.AsService(b), inbox.Config{}), Logger: telemetrytest.Discard(b).Logger, BatchWorkers: 8,
	}
	require.NoError(b, web.RegisterOperations(engine, principaltest.Verifier(b, trust.Orders),
		operation.Of(operation.Orders), api.Handlers()))
	bench := &shipBench{b: b, engine: engine, seller: uuid.New()}
	for i := range 4000 {
		bench.placements = append(bench.placements, ordertest.New(fmt.Sprintf("B-%06d", i), ordertest.Epoch, bench.seller))
	}
	_, err := s.Place(b.Context(), bench.placements)
	require.NoError(b, err)
	_, err = db.Pool.Exec(b.Context(), "analyze")
	require.NoError(b, err)
	return bench
}

func (s *shipBench) post(path, body string) {
	request := httptest.NewRequestWithContext(s.b.Context(), http.MethodPost, path, strings.NewReader(body))
	who := principal.Principal{SellerID: s.seller, Scopes: principal.All()}
	request.Header.Set(inbox.Header, inbox.FormatHeader(inbox.Digest(uuid.New()), inbox.Fingerprint(uuid.New())))
	principaltest.Sign(s.b, trust.Orders, request, who)
	recorder := httptest.NewRecorder()
	s.engine.ServeHTTP(recorder, request)
	require.Equal(s.b, http.StatusOK, recorder.Code, recorder.Body)
	require.Contains(s.b, recorder.Body.String(), s.placements[s.next-1].Parts[0].Lines[0].ID.String())
}

func (s *shipBench) take() *order.Placement {
	s.next++
	return &s.placements[s.next-1]
}

func shipBody(p *order.Placement) string {
	return fmt.Sprintf(`"item_ids":[%q],"carrier_name":"CJ대한통운","tracking_no":"690000000011"`, p.Parts[0].Lines[0].ID)
}

// BenchmarkShipSingle registers 500 shipments, one call after the other.
//
//	go test ./internal/rest -run '^$' -bench Ship -benchtime 3x
func BenchmarkShipSingle(b *testing.B) {
	s := newShipBench(b)
	for b.Loop() {
		for range 500 {
			p := s.take()
			s.post("/open/v1/orders/"+p.No+"/shipment", "{"+shipBody(p)+"}")
		}
	}
}

// BenchmarkShipBatch registers 500 shipments in one call.
func BenchmarkShipBatch(b *testing.B) {
	s := newShipBench(b)
	for b.Loop() {
		entries := make([]string, 500)
		for i := range entries {
			p := s.take()
			entries[i] = fmt.Sprintf(`{"order_no":%q,%s}`, p.No, shipBody(p))
		}
		s.post("/open/v1/orders/batch/shipment", `{"items":[`+strings.Join(entries, ",")+"]}")
	}
}
