package e2e

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/allinone/internal/envfile"
	"sellerapi.dev/services/allinone/stack/stacktest"
)

// errands are clients that read, process and claim orders of one seller all the time, while something is done to the system. They make no
// call a second time: each that fails is counted.
type errands struct {
	address envfile.Values
	http    *http.Client
	orders  ordersv1connect.IntakeClient
	claims  claimsv1connect.IntakeClient
	// token is the marketplace's.
	token   atomic.Pointer[string]
	over    chan struct{}
	clients sync.WaitGroup
	done    atomic.Int64
	calls   atomic.Int64

	mu     sync.Mutex
	failed []string
}

// errandClients is how many clients there are.
const errandClients = 3

// startErrands starts the clients, who end with end.
func startErrands(t *testing.T, s *stacktest.Stack) *errands {
	t.Helper()
	seller := s.Seller(t)
	address := s.Env(seller, seller)
	e := &errands{
		address: address, http: &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 16}},
		over: make(chan struct{}),
	}
	t.Cleanup(e.http.CloseIdleConnections)
	e.orders = ordersv1connect.NewIntakeClient(e.http, address.OrdersRPCURL)
	e.claims = claimsv1connect.NewIntakeClient(e.http, address.ClaimsRPCURL)
	e.use(s)
	for range errandClients {
		e.clients.Go(func() { e.work(t.Context()) })
	}
	return e
}

// use lets the marketplace go on with the token of a system.
func (e *errands) use(s *stacktest.Stack) {
	token := s.Env(stacktest.Seller{}, stacktest.Seller{}).RPCToken
	e.token.Store(&token)
}

// await waits until so many further errands have been run from their beginning to their end.
func (e *errands) await(t *testing.T, further int64) {
	t.Helper()
	until := e.done.Load() + errandClients + further
	stacktest.Await(t, "the clients go on", func() bool { return e.done.Load() >= until })
}

// end ends the clients, and requires that no call has failed.
func (e *errands) end(t *testing.T) {
	t.Helper()
	close(e.over)
	e.clients.Wait()
	require.Empty(t, e.failed)
	t.Logf("%d calls, none of which failed", e.calls.Load())
}

// work runs one errand after the other.
func (e *errands) work(ctx context.Context) {
	for {
		select {
		case <-e.over:
			return
		default:
			e.run(ctx)
			e.done.Add(1)
		}
	}
}

// run places an order, reads and prepares it, claims another one, which the claims service holds, and approves that, which it settles.
func (e *errands) run(ctx context.Context) {
	order, claimed := stacktest.NewOrder(e.address.SellerAID), stacktest.NewOrder(e.address.SellerAID)
	tell(ctx, e, e.orders.PlaceOrders, &ordersv1.PlaceOrdersRequest{Orders: []*ordersv1.Order{order, claimed}})
	request := stacktest.NewClaim(stacktest.Cancel, claimed)
	tell(ctx, e, e.claims.RequestClaim, request)
	item := order.GetSellers()[0].GetLines()[0].GetItemId()
	const orders, claims = "/open/v1/orders", "/open/v1/claims"
	e.call(ctx, http.MethodGet, orders+"?limit=5", "")
	e.call(ctx, http.MethodPost, orders+"/"+order.GetOrderNo()+"/preparation", `{"item_ids":["`+item+`"]}`)
	e.call(ctx, http.MethodGet, orders+"/"+order.GetOrderNo(), "")
	e.call(ctx, http.MethodPost, claims+"/"+request.GetClaimNo()+"/approve", "{}")
	e.call(ctx, http.MethodGet, claims+"/"+request.GetClaimNo(), "")
	e.call(ctx, http.MethodGet, claims+"?limit=5", "")
	e.call(ctx, http.MethodGet, "/open/v1/qna?limit=5", "")
}

// call makes a call of the public interface, once.
func (e *errands) call(ctx context.Context, method, path, body string) {
	request, err := http.NewRequestWithContext(ctx, method, e.address.GatewayURL+path, strings.NewReader(body))
	if err != nil {
		e.note(path, err)
		return
	}
	request.Header.Set("X-Api-Key", e.address.SellerAKey)
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", uuid.NewString())
	}
	answer, err := e.http.Do(request)
	if err != nil {
		e.note(path, err)
		return
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%d %s", answer.StatusCode, text)
	}
	e.note(path, err)
}

// tell makes a call of the marketplace, once.
func tell[Q, A any](ctx context.Context, e *errands, method func(context.Context, *connect.Request[Q]) (*connect.Response[A], error), message *Q) {
	request := connect.NewRequest(message)
	request.Header().Set("Authorization", "Bearer "+*e.token.Load())
	_, err := method(ctx, request)
	e.note(fmt.Sprintf("%T", message), err)
}

// note counts a call, and keeps its failure.
func (e *errands) note(what string, err error) {
	e.calls.Add(1)
	if err == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failed = append(e.failed, fmt.Sprintf("%s: %v", what, err))
}
