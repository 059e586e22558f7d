package bench

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/principal"
)

// pageOrders makes the constant page 20 KB large.
const pageOrders = 39

// constantPage is the constant answer to a read. It compresses as well as a page of orders.
var constantPage = func() string {
	random, orders := rand.New(rand.NewPCG(1, 2)), make([]string, pageOrders) //nolint:gosec // the same page in every run
	for i := range orders {
		id := func() string {
			return uuid.UUID(binary.BigEndian.AppendUint64(make([]byte, 8), random.Uint64())).String()
		}
		orders[i] = fmt.Sprintf(`{"order_no":"20260101-%07d","order_status":"paid","paid_at":"2026-01-01T09:%02d:%02d.%06dZ",`+
			`"updated_at":"2026-01-02T10:11:12.%06dZ","buyer":{"name":"Kim Min-%d","phone":"010-%04d-%04d"},"address":{"zip":"%05d",`+
			`"line1":"%d Teheran-ro, Gangnam-gu, Seoul","line2":"%d"},"items":[{"item_id":"%s","item_code":"%s","item_status":"paid",`+
			`"quantity":%d,"unit_price":%d,"options":{"color":"blue","size":"L"}}],"total":%d,"currency":"KRW","memo":null}`,
			random.IntN(1e7), random.IntN(60), random.IntN(60), random.IntN(1e6), random.IntN(1e6), random.IntN(1000), random.IntN(1e4),
			random.IntN(1e4), random.IntN(1e5), random.IntN(500), random.IntN(2000), id(), id(), 1+random.IntN(5),
			random.IntN(1e5), random.IntN(1e6))
	}
	return `{"meta":{"code":200,"message":"OK","error_code":null,"error_data":null},"data":{"list":[` + strings.Join(orders, ",") +
		`],"next_cursor":null}}`
}()

// constantResult is the constant answer to a process call: that of preparing one item.
const constantResult = `{"meta":{"code":200,"message":"OK","error_code":null,"error_data":null},"data":` +
	`{"order_no":"20260101-0000001",` +
	`"order_status":"preparing","updated_at":"2026-01-01T00:00:00.000Z","items":[{"item_id":"0190a5c0-0000-7000-8000-000000000001",` +
	`"item_code":"0190a5c0-0000-7000-8000-000000000002","item_status":"preparing","already_done":false}]}}`

// answerConstant is the service behind the gateway in its own measurement: it always gives the same answer, with the number of
// rows that the query names.
func answerConstant(w http.ResponseWriter, r *http.Request) {
	header, body := w.Header(), constantPage
	header["Content-Type"] = []string{"application/json; charset=utf-8"}
	if r.Method == http.MethodPost {
		header.Set(principal.InboxHeader, "stored 86400")
		body = constantResult
	} else {
		header.Set(principal.RowsHeader, r.URL.Query().Get("rows"))
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = io.WriteString(w, body)
}
