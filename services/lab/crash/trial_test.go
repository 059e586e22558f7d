package crash

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/trust"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// trial is an action on its own claim, the fault that occurs, and what the client received.
type trial struct {
	*action
	// call is the call at which the fault occurs; call and fault are empty when none does.
	call  string
	fault *fault
	// wrong describes the fault in words.
	wrong string

	no, successor, order, item string
	seller                     uuid.UUID
	// key is the idempotency key of the action; every retry has it.
	key inbox.Digest

	mu    sync.Mutex
	heard []reply
}

type reply struct {
	status   int
	body     string
	replayed bool
}

// everyCall returns trials of all actions with a fault at each of their calls.
func everyCall(f *fault) (trials []*trial) {
	for i := range actions {
		for _, call := range actions[i].calls {
			trials = append(trials, &trial{action: &actions[i], call: call, fault: f, wrong: shortCall(call) + "/" + f.name})
		}
	}
	return trials
}

// shortCall returns the name of a call in the names of tests: without the object of calls that are about lines of an exchange.
func shortCall(call string) string { return strings.TrimSuffix(call, "ExchangeLine") }

func (tr *trial) name() string { return tr.action.name + "/" + tr.wrong }

func (s *system) prepare(trials []*trial) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), timeout)
	defer cancel()
	var prepared sync.WaitGroup
	for _, tr := range trials {
		no := strings.ToUpper(rand.Text()[:16])
		tr.no, tr.successor, tr.seller = "C-"+no, "R-"+no, uuid.New()
		_, _ = rand.Read(tr.key[:])
		product := stacktest.NewLine("양말")
		product.Quantity, product.ListPrice, product.UnitPrice, product.DiscountAmount = 3, 5000, 5000, 0
		order := stacktest.NewOrder(tr.seller.String(), stacktest.Lines(product), stacktest.InState(requests[tr.claimed][0]))
		tr.order, tr.item = order.GetOrderNo(), product.GetItemId()
		_, err := s.intake.PlaceOrders(s.t.Context(), &ordersv1.PlaceOrdersRequest{Orders: []*ordersv1.Order{order}})
		require.NoError(s.t, err)
		prepared.Go(func() {
			for _, move := range tr.before {
				s.until(ctx, tr, move, inbox.Digest(uuid.New()))
			}
		})
	}
	prepared.Wait()
	require.NoError(s.t, ctx.Err(), "a claim does not reach the state of its action")
	s.awaitIdle(s.t)
}

func (s *system) until(ctx context.Context, tr *trial, move string, key inbox.Digest) {
	for ctx.Err() == nil {
		if s.send(ctx, s.base, tr, move, key).status == http.StatusOK {
			return
		}
		<-time.After(tick)
	}
}

func (s *system) ask(tr *trial, address string) {
	heard := s.send(s.t.Context(), address, tr, tr.move, tr.key)
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.heard = append(tr.heard, heard)
}

func (s *system) send(ctx context.Context, address string, tr *trial, move string, key inbox.Digest) reply {
	fill := strings.NewReplacer("CLAIM", tr.no, "SUCCESSOR", tr.successor, "SELLER", tr.seller.String(), "ORDER",
		tr.order, "ITEM", tr.item)
	body := fill.Replace(strings.Replace(moves[move][1], "REQUEST", requests[tr.claimed][1], 1))
	path := fill.Replace(moves[move][0])
	header := s.asMarketplace()
	if !strings.HasPrefix(path, intake) {
		header = s.asSeller(tr, principal.Call{
			Method: http.MethodPost, Target: path,
			Inbox: inbox.FormatHeader(key, inbox.Fingerprint{}),
		}, body)
		header.Set("Content-Type", "application/json")
	}
	return s.do(ctx, http.MethodPost, address+path, header, body)
}

func (s *system) asMarketplace() http.Header {
	return http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + s.token}}
}

func (s *system) asSeller(tr *trial, call principal.Call, body string) http.Header {
	caller := principal.Principal{SellerID: tr.seller, KeyID: "key-1", Scopes: principal.All()}
	header := http.Header{}
	if call.Inbox != "" {
		header.Set(inbox.Header, call.Inbox)
	}
	header.Set(principal.Header, s.signer.Sign(owner(call.Target), call, principal.DigestOf([]byte(body)), caller, time.Now()))
	return header
}

func owner(path string) trust.Party {
	if strings.HasPrefix(path, "/open/v1/claims/") {
		return trust.Claims
	}
	return trust.Orders
}

func (s *system) do(ctx context.Context, method, url string, header http.Header, body string) reply {
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header = header
	response, err := s.http.Do(request)
	if err != nil {
		return reply{}
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return reply{}
	}
	return reply{response.StatusCode, string(text), response.Header.Get(inbox.ReplayedHeader) == "true"}
}

func read[T any](t *testing.T, s *system, tr *trial, path string) T {
	t.Helper()
	answer := s.do(t.Context(), http.MethodGet, s.base+path,
		s.asSeller(tr, principal.Call{Method: http.MethodGet, Target: path}, ""), "")
	require.Equal(t, http.StatusOK, answer.status, answer.body)
	var envelope struct {
		Data T `json:"data"`
	}
	require.NoError(t, json.Unmarshal([]byte(answer.body), &envelope))
	return envelope.Data
}
