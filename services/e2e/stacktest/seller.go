package stacktest

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
)

const actor = "representative@shop.example"

// Seller is a seller that only one test uses.
type Seller struct {
	// ID is the seller's UUID.
	ID string
	// Key is an API key with every scope.
	Key string
}

// Seller registers a new seller and issues a key.
func (s *Stack) Seller(t *testing.T) Seller {
	t.Helper()
	id := uuid.NewString()
	_, err := s.Keys.RegisterSeller(t.Context(), &gatewayv1.RegisterSellerRequest{
		SellerId: id, Name: "달빛상회 " + id[:4], Actor: actor,
	})
	require.NoError(t, err)
	text, _ := s.IssueKey(t, id)
	return Seller{ID: id, Key: text}
}

// Sellers registers n new sellers.
func (s *Stack) Sellers(t *testing.T, n int) []Seller {
	t.Helper()
	sellers := make([]Seller, n)
	for i := range sellers {
		sellers[i] = s.Seller(t)
	}
	return sellers
}

// IssueKey issues one more key with these scopes, or all of them, and returns its text and id.
func (s *Stack) IssueKey(t *testing.T, sellerID string, scopes ...principal.Scope) (text, keyID string) {
	t.Helper()
	if len(scopes) == 0 {
		scopes = principal.All()
	}
	request := &gatewayv1.IssueKeyRequest{
		SellerId: sellerID, Purpose: "order management", Actor: actor, RequestId: uuid.NewString(),
	}
	for _, scope := range scopes {
		request.Scopes = append(request.Scopes, string(scope))
	}
	answer, err := s.Keys.IssueKey(t.Context(), request)
	require.NoError(t, err)
	return answer.GetText(), answer.GetKey().GetKeyId()
}

// RevokeKey revokes a key.
func (s *Stack) RevokeKey(t *testing.T, sellerID, keyID string) {
	t.Helper()
	_, err := s.Keys.RevokeKey(t.Context(), &gatewayv1.RevokeKeyRequest{
		SellerId: sellerID, KeyId: keyID, Actor: actor, Reason: "test",
	})
	require.NoError(t, err)
}

// callsPerKey is how many calls a Client makes with a key before it takes the next one. It
// stays below the limits of 30 process calls, 60 reads and 3,000 rows.
const callsPerKey = 28

// Client makes calls as one seller and never reaches a limit, because it changes its key in
// time. It is for one goroutine; a seller can have four clients at once.
type Client struct {
	stack      *Stack
	sellerID   string
	key, keyID string
	callsLeft  int
}

// Client returns a client of the seller.
func (s *Stack) Client(sellerID string) *Client { return &Client{stack: s, sellerID: sellerID} }

// List reads a page of orders; it sends limit and the query, which consists of pairs of names
// and values.
func (c *Client) List(t *testing.T, limit string, query ...string) Page[Order] {
	t.Helper()
	return RequireOK[Page[Order]](t, c.Do(t, Get("", "/open/v1/orders", append([]string{"limit", limit}, query...)...)))
}

// Do sends the call with a key that has calls left; the call's own key is not used.
func (c *Client) Do(t *testing.T, call Call) Answer {
	t.Helper()
	if c.callsLeft <= 0 {
		if c.keyID != "" {
			c.stack.RevokeKey(t, c.sellerID, c.keyID)
		}
		c.key, c.keyID = c.stack.IssueKey(t, c.sellerID)
		c.callsLeft = callsPerKey
	}
	c.callsLeft--
	call.Key = c.key
	return c.stack.Do(t, call)
}

// Walk reads all pages and returns all orders in them.
func (c *Client) Walk(t *testing.T, limit string, query ...string) []Order {
	t.Helper()
	var all []Order
	page := c.List(t, limit, query...)
	for {
		all = append(all, page.List...)
		if page.NextCursor == nil {
			return all
		}
		require.NotEmpty(t, page.List, "only the last page may be empty")
		page = c.List(t, limit, append([]string{"cursor", *page.NextCursor}, query...)...)
	}
}
