package sandbox

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/proto/conformance/oracle"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/sandbox/market"
)

// box is a system with a sandbox, as one seller uses it.
type box struct {
	*stacktest.Stack
	t      *testing.T
	seller stacktest.Seller
}

// contract checks every answer of the sandbox, and knows which operations have succeeded.
var contract = sync.OnceValues(func() (*oracle.Oracle, error) { return oracle.NewFor(openapi.Sandbox().Bytes()) })

// setup starts a system with a sandbox. Its sweeps never run, so that what a test brings about stays as it is.
func setup(t *testing.T) box {
	t.Helper()
	s := stacktest.Own(t, func(c *stack.Config) {
		c.Sandbox, c.SweepInterval, c.Limits.Process = true, time.Hour, 10_000
		c.Claims.RefundURL, c.Claims.FailEnding, c.Claims.AccountEnding = "", market.FailEnding, market.AccountEnding
	})
	return box{Stack: s, t: t}.as(s.Seller(t).ID)
}

// as returns the box as another seller uses it, with a key that has every scope.
func (b box) as(seller string) box {
	b.seller.ID = seller
	b.seller.Key, _ = b.IssueKey(b.t, seller, append(principal.All(), principal.Sandbox)...)
	return b
}

// answer is an answer of the sandbox.
type answer struct {
	status int
	Meta   struct {
		ErrorCode string `json:"error_code"`
		ErrorData struct {
			Errors []struct {
				Field string `json:"field"`
			} `json:"errors"`
		} `json:"error_data"`
	} `json:"meta"`
	Data struct {
		Happened  string              `json:"happened"`
		OrderNo   string              `json:"order_no"`
		ClaimNo   string              `json:"claim_no"`
		QnaID     string              `json:"qna_id"`
		Shortfall int64               `json:"shortfall_amount"`
		Orders    []stacktest.Order   `json:"orders"`
		Claims    []stacktest.Claim   `json:"claims"`
		Inquiries []stacktest.Inquiry `json:"inquiries"`
	} `json:"data"`
}

// fields returns the fields that a refusal names.
func (a answer) fields() []string {
	names := make([]string, 0, len(a.Meta.ErrorData.Errors))
	for _, one := range a.Meta.ErrorData.Errors {
		names = append(names, one.Field)
	}
	return names
}

// call sends a body to a path of the sandbox and checks the answer against its contract.
func (b box) call(path, body string) answer {
	b.t.Helper()
	return b.with(b.seller.Key, path, body)
}

func (b box) with(key, path, body string) answer {
	b.t.Helper()
	address := b.GatewayURL + operation.SandboxBase + path
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, address, strings.NewReader(body))
	require.NoError(b.t, err)
	request.Header.Set("X-Api-Key", key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(b.t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	require.NoError(b.t, response.Body.Close())
	checker, err := contract()
	require.NoError(b.t, err)
	_, err = checker.CheckExchange(request, []byte(body), response.StatusCode, response.Header, text)
	require.NoError(b.t, err, "%s %s", path, text)
	got := answer{status: response.StatusCode}
	require.NoError(b.t, json.NewDecoder(bytes.NewReader(text)).Decode(&got))
	if got.status != http.StatusOK {
		b.t.Logf("%s %s: %s", path, body, text)
	}
	return got
}

// play is call for something that happens.
func (b box) play(path, body string) answer {
	b.t.Helper()
	got := b.call(path, body)
	require.Equal(b.t, http.StatusOK, got.status)
	require.NotEmpty(b.t, got.Data.Happened)
	return got
}

// order places an order and brings its lines to a state.
func (b box) order(body, state string) stacktest.Order {
	b.t.Helper()
	placed := b.play("/orders", body)
	if state != "paid" {
		placed = b.play("/orders/"+placed.Data.OrderNo+"/correction", `{"item_status":"`+state+`"}`)
	}
	require.Len(b.t, placed.Data.Orders, 1)
	return placed.Data.Orders[0]
}

// claim requests a claim on a new order.
func (b box) claim(state, body string) answer {
	b.t.Helper()
	order := b.order(`{"line_count":1}`, state)
	return b.play("/orders/"+order.OrderNo+"/claims", body)
}

// onClaim plays something on a claim and returns it.
func (b box) onClaim(number, what, body string) stacktest.Claim {
	b.t.Helper()
	got := b.play("/claims/"+url.PathEscape(number)+"/"+what, body)
	require.NotEmpty(b.t, got.Data.Claims)
	require.Equal(b.t, number, got.Data.Claims[0].ClaimNo)
	return got.Data.Claims[0]
}
