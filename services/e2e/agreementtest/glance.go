package agreementtest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"sellerapi.dev/services/e2e/stacktest"
)

// Reader reads a public resource with a GET and returns the body of the response; ok is false unless the response was a 200.
type Reader func(ctx context.Context, path string) (body []byte, ok bool)

// HTTP returns a Reader that calls a gateway with a key. For speed, it does not check the exchanges against the contract.
func HTTP(client *http.Client, address, key string) Reader {
	return func(ctx context.Context, path string) ([]byte, bool) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+path, nil)
		if err != nil {
			return nil, false
		}
		request.Header.Set("X-Api-Key", key)
		response, err := client.Do(request)
		if err != nil {
			return nil, false
		}
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		return body, err == nil && response.StatusCode == http.StatusOK
	}
}

// Looker reads a claim and its order in turns. When two successive reads of one are equal, the read of the other between
// them was of the same instant. A Looker is for one goroutine.
type Looker struct {
	Read             Reader
	ClaimNo, OrderNo string

	claim       *stacktest.Claim
	order       *stacktest.Order
	isOrderNext bool
}

// Look reads the one that was not read last, and reports whether both belong to one instant. They do not when the one read
// has changed since its last read, when one of them could not be read, and in the first two calls.
func (l *Looker) Look(ctx context.Context) (stacktest.Claim, stacktest.Order, bool) {
	readsOrder := l.isOrderNext
	l.isOrderNext = !readsOrder
	var same bool
	if readsOrder {
		before := l.order
		l.order = read[stacktest.Order](ctx, l.Read, "/open/v1/orders/"+l.OrderNo)
		same = before != nil && l.order != nil && before.UpdatedAt == l.order.UpdatedAt
	} else {
		before := l.claim
		l.claim = read[stacktest.Claim](ctx, l.Read, "/open/v1/claims/"+l.ClaimNo)
		same = before != nil && l.claim != nil && before.UpdatedAt == l.claim.UpdatedAt
	}
	if !same || l.claim == nil || l.order == nil {
		return stacktest.Claim{}, stacktest.Order{}, false
	}
	return *l.claim, *l.order, true
}

// Forget discards what was read, so that the next call of Look begins anew.
func (l *Looker) Forget() { l.claim, l.order = nil, nil }

// read reads a resource. It returns nil when the resource could not be read.
func read[T any](ctx context.Context, r Reader, path string) *T {
	body, ok := r(ctx, path)
	var envelope struct {
		Data *T `json:"data"`
	}
	if !ok || json.Unmarshal(body, &envelope) != nil {
		return nil
	}
	return envelope.Data
}
