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
	"sellerapi.dev/services/allinone/envfile"
	"sellerapi.dev/services/e2e/stacktest"
)

// traffic is clients that continuously read, process and claim orders of one seller while the system is being changed. They retry
// no call: each failure is counted.
type traffic struct {
	address envfile.Values
	http    *http.Client
	orders  ordersv1connect.IntakeClient
	claims  claimsv1connect.IntakeClient
	token   atomic.Pointer[string]
	over    chan struct{}
	clients sync.WaitGroup
	done    atomic.Int64
	calls   atomic.Int64

	mu     sync.Mutex
	failed []string
}

const trafficClients = 3

func startTraffic(t *testing.T, s *stacktest.Stack) *traffic {
	t.Helper()
	seller := s.Seller(t)
	address := s.Env(seller, seller)
	r := &traffic{
		address: address, http: &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 16}},
		over: make(chan struct{}),
	}
	t.Cleanup(r.http.CloseIdleConnections)
	r.orders = ordersv1connect.NewIntakeClient(r.http, address.OrdersRPCURL)
	r.claims = claimsv1connect.NewIntakeClient(r.http, address.ClaimsRPCURL)
	r.use(s)
	for range trafficClients {
		r.clients.Go(func() { r.work(t.Context()) })
	}
	return r
}

// use makes the marketplace continue with the token of a system.
func (r *traffic) use(s *stacktest.Stack) {
	token := s.Env(stacktest.Seller{}, stacktest.Seller{}).RPCToken
	r.token.Store(&token)
}

// await waits until so many more rounds have run from start to finish.
func (r *traffic) await(t *testing.T, further int64) {
	t.Helper()
	until := r.done.Load() + trafficClients + further
	stacktest.Await(t, "the clients go on", func() bool { return r.done.Load() >= until })
}

func (r *traffic) end(t *testing.T) {
	t.Helper()
	close(r.over)
	r.clients.Wait()
	require.Empty(t, r.failed)
	t.Logf("%d calls, none of which failed", r.calls.Load())
}

func (r *traffic) work(ctx context.Context) {
	for {
		select {
		case <-r.over:
			return
		default:
			r.run(ctx)
			r.done.Add(1)
		}
	}
}

// run places two orders, reads and prepares one, requests a claim on the other, which holds it, and approves that claim, which
// settles it.
func (r *traffic) run(ctx context.Context) {
	order, claimed := stacktest.NewOrder(r.address.SellerAID), stacktest.NewOrder(r.address.SellerAID)
	tell(ctx, r, r.orders.PlaceOrders, &ordersv1.PlaceOrdersRequest{Orders: []*ordersv1.Order{order, claimed}})
	request := stacktest.NewClaim(stacktest.Cancel, claimed)
	tell(ctx, r, r.claims.RequestClaim, request)
	item := order.GetSellers()[0].GetLines()[0].GetItemId()
	const orders, claims = "/open/v1/orders", "/open/v1/claims"
	r.call(ctx, http.MethodGet, orders+"?limit=5", "")
	r.call(ctx, http.MethodPost, orders+"/"+order.GetOrderNo()+"/preparation", `{"item_ids":["`+item+`"]}`)
	r.call(ctx, http.MethodGet, orders+"/"+order.GetOrderNo(), "")
	r.call(ctx, http.MethodPost, claims+"/"+request.GetClaimNo()+"/approve", "{}")
	r.call(ctx, http.MethodGet, claims+"/"+request.GetClaimNo(), "")
	r.call(ctx, http.MethodGet, claims+"?limit=5", "")
	r.call(ctx, http.MethodGet, "/open/v1/qna?limit=5", "")
}

func (r *traffic) call(ctx context.Context, method, path, body string) {
	request, err := http.NewRequestWithContext(ctx, method, r.address.GatewayURL+path, strings.NewReader(body))
	if err != nil {
		r.note(path, err)
		return
	}
	request.Header.Set("X-Api-Key", r.address.SellerAKey)
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", uuid.NewString())
	}
	answer, err := r.http.Do(request)
	if err != nil {
		r.note(path, err)
		return
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%d %s", answer.StatusCode, text)
	}
	r.note(path, err)
}

func tell[Q, A any](ctx context.Context, r *traffic, method func(context.Context, *Q) (*A, error), message *Q) {
	ctx, sent := connect.NewClientContext(ctx)
	sent.RequestHeader().Set("Authorization", "Bearer "+*r.token.Load())
	_, err := method(ctx, message)
	r.note(fmt.Sprintf("%T", message), err)
}

func (r *traffic) note(what string, err error) {
	r.calls.Add(1)
	if err == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = append(r.failed, fmt.Sprintf("%s: %v", what, err))
}
