package web_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/pkg/web"
)

type benchLine struct {
	ItemID    uuid.UUID       `json:"item_id"`
	ItemCode  string          `json:"item_code"`
	Product   string          `json:"product_name"`
	Option    string          `json:"option_name"`
	Quantity  int64           `json:"quantity"`
	Unit      int64           `json:"unit_price"`
	Amount    int64           `json:"line_amount"`
	Status    string          `json:"item_status"`
	Exchange  bool            `json:"is_exchange"`
	Carrier   *string         `json:"carrier_name"`
	Tracking  *string         `json:"tracking_no"`
	ShippedAt *timestamp.Time `json:"shipped_at"`
	Delivered *timestamp.Time `json:"delivered_at"`
}

type benchOrder struct {
	OrderNo  string         `json:"order_no"`
	Status   string         `json:"order_status"`
	PaidAt   timestamp.Time `json:"paid_at"`
	Updated  timestamp.Time `json:"updated_at"`
	Amount   int64          `json:"seller_items_amount"`
	Name     *string        `json:"recipient_name"`
	Address1 *string        `json:"address1"`
	Address2 string         `json:"address2,omitempty"`
	Items    []benchLine    `json:"items"`
}

func page() map[string]any {
	now := timestamp.Time(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC))
	carrier, tracking, name, address := "CJ대한통운", "123456789012", "홍길동", "서울특별시 강남구 테헤란로 123"
	orders := make([]*benchOrder, 50)
	for i := range orders {
		line := benchLine{
			ItemID: uuid.New(), ItemCode: "20260304-000001-01", Product: "겨울 장갑 남녀공용", Option: "색상: 검정 / L",
			Quantity: 1, Unit: 19900, Amount: 19900, Status: "shipping", Carrier: &carrier, Tracking: &tracking, ShippedAt: &now,
		}
		orders[i] = &benchOrder{
			OrderNo: "20260304-000001", Status: "shipping", PaidAt: now, Updated: now, Amount: 39800,
			Name: &name, Address1: &address, Address2: "101동 1001호", Items: []benchLine{line, line},
		}
	}
	return map[string]any{"list": orders, "next_cursor": nil}
}

func benchEngine(b *testing.B, fn func(*gin.Context) (any, error)) *gin.Engine {
	b.Helper()
	engine := web.NewEngine(web.Options{Service: "bench", Telemetry: telemetrytest.Discard(b)})
	engine.GET("/thing", web.Handle(fn))
	return engine
}

type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}

func run(b *testing.B, engine *gin.Engine, target string) {
	b.Helper()
	request := httptest.NewRequest(http.MethodGet, target, nil)
	b.ReportAllocs()
	for b.Loop() {
		engine.ServeHTTP(discard{http.Header{}}, request)
	}
}

func BenchmarkListPage(b *testing.B) {
	data := page()
	run(b, benchEngine(b, func(*gin.Context) (any, error) { return data, nil }), "/thing")
}

func BenchmarkEmptyAnswer(b *testing.B) {
	run(b, benchEngine(b, func(*gin.Context) (any, error) { return nil, nil }), "/thing")
}

func BenchmarkQueryOfAPoll(b *testing.B) {
	run(b, benchEngine(b, func(c *gin.Context) (any, error) {
		q := web.ParseQuery(c, listNames...)
		f := readFilters(q)
		_ = f
		return nil, q.Err()
	}), "/thing?updated_at_gte=2026-03-04T05:06:07Z&order_status=paid&limit=100")
}
