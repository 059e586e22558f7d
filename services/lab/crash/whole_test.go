package crash

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/secret"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
)

const qnaService = "qna"

// whole is the system with all services behind a gateway whose limits nobody reaches, and a seller whose records change.
type whole struct {
	*entrance

	seller    string
	claims    claimsv1connect.IntakeClient
	inquiries qnav1connect.IntakeClient
}

func newWhole(t *testing.T, database secret.Text) *whole {
	t.Helper()
	w := &whole{entrance: &entrance{system: newSystem(t, database), redis: redistest.Own(t)}, seller: uuid.NewString()}
	w.processes[qnaService] = w.process(qnaService, database)
	addresses := func(listener string) string {
		all := make([]string, 0, 3)
		for _, name := range []string{ordersService, claimsService, qnaService} {
			all = append(all, name+"="+w.at(name, listener))
		}
		return strings.Join(all, ",")
	}
	w.addGateway(database, "UPSTREAMS="+addresses("public"), "CLOCK_UPSTREAMS="+addresses("rpc"),
		"WEBHOOKS=true", "WEBHOOKS_LOOPBACK=true", "RATE_READ=100000", "RATE_PROCESS=100000", "RATE_ROWS=10000000")
	w.start(qnaService, gatewayService)
	w.claims = stack.ClaimIntake(w.at(claimsService, "rpc"), w.token)
	w.inquiries = stack.Inquiries(w.at(qnaService, "rpc"), w.token)
	w.operate(t, "keys", "register-seller", "--name", "S", "--seller", w.seller, "--actor", "kim")
	return w
}

// at returns an address of a process that stays when the process is started again.
func (w *whole) at(name, listener string) string {
	server := httptest.NewServer(w.toward(name, listener))
	w.t.Cleanup(server.Close)
	return server.URL
}

// place places orders that can be canceled, whatever dies meanwhile.
func (w *whole) place(count int) []*ordersv1.Order {
	orders := make([]*ordersv1.Order, count)
	for i := range orders {
		orders[i] = stacktest.NewOrder(w.seller, stacktest.Claimable(stacktest.Cancel))
	}
	w.insist(func() error {
		_, err := w.intake.PlaceOrders(w.t.Context(), &ordersv1.PlaceOrdersRequest{Orders: orders})
		return err
	})
	return orders
}

// change changes all lists until the returned function is called, which returns once the last change is done.
func (w *whole) change() (end func()) {
	over, changing := make(chan struct{}), sync.WaitGroup{}
	changing.Go(func() {
		for {
			select {
			case <-over:
				return
			case <-time.After(tick):
			}
			order := w.place(2)[0]
			claim, inquiry := stacktest.NewClaim(stacktest.Cancel, order), stacktest.NewInquiry(w.seller)
			w.insist(func() error {
				_, err := w.claims.RequestClaim(w.t.Context(), claim)
				return err
			})
			w.insist(func() error {
				_, err := w.inquiries.PostInquiries(w.t.Context(), &qnav1.PostInquiriesRequest{Inquiries: []*qnav1.Inquiry{inquiry}})
				return err
			})
			w.insist(func() error {
				_, err := w.claims.ActAsOperator(w.t.Context(), &claimsv1.ActAsOperatorRequest{
					ClaimNo: claim.GetClaimNo(), Action: "approve", Operator: "운영자",
				})
				return err
			})
		}
	})
	return func() {
		close(over)
		changing.Wait()
	}
}

// insist repeats a call until it succeeds.
func (w *whole) insist(call func() error) {
	for err := call(); err != nil && w.t.Context().Err() == nil; err = call() {
		<-time.After(tick)
	}
}

// records are the records of a seller by list and identifier.
type records map[string]map[string]json.RawMessage

// identifiers are the members that identify records, by the list as programs name it.
var identifiers = map[string]string{"orders": "order_no", "claims": "claim_no", "inquiries": "qna_id"}

// read reads all lists in full.
func (w *whole) read(t *testing.T, key string) records {
	t.Helper()
	all, reader := records{}, &client{entrance: w.entrance, key: key}
	for list, identifier := range identifiers {
		all[list] = map[string]json.RawMessage{}
		path := "/open/v1/" + strings.Replace(list, "inquiries", "qna", 1) + "?limit=100"
		for cursor := ""; ; {
			got := reader.undisturbed(t, func() response { return reader.do("GET", path+cursor, "") })
			var page struct {
				Data struct {
					List       []json.RawMessage `json:"list"`
					NextCursor *string           `json:"next_cursor"`
				} `json:"data"`
			}
			require.NoError(t, json.Unmarshal([]byte(got.body), &page))
			for _, record := range page.Data.List {
				var members map[string]any
				require.NoError(t, json.Unmarshal(record, &members))
				all[list][members[identifier].(string)] = record
			}
			if page.Data.NextCursor == nil {
				break
			}
			cursor = "&cursor=" + *page.Data.NextCursor
		}
	}
	return all
}
