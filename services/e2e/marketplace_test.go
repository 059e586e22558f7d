package e2e

import (
	"encoding/binary"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/sandbox/market"
)

var shown = map[string][]string{
	stacktest.Cancel: {"requested", "refund_processing", "completed", "rejected"},
	stacktest.Return: {
		"payment_pending", "requested", "approved", "collecting", "collected", "inspecting", "refund_processing", "completed",
		"rejected", "withdrawn", "expired",
	},
	stacktest.Exchange: {
		"payment_pending", "requested", "approved", "collecting", "collected", "inspecting", "reshipping", "completed",
		"rejected", "withdrawn", "expired", "converted_to_return",
	},
}

// The sample data must cover everything that the interface can return, and be produced through real calls only.
func TestMarketplace_everyStateOfEveryType(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	id := uuid.MustParse(seller.ID)
	plan := market.Plan{
		Seed: binary.BigEndian.Uint64(id[:8]), Base: time.Now().Add(-time.Second), Orders: 100,
		Sellers: []market.Seller{{ID: seller.ID, Name: "달빛상회"}},
	}
	m, err := market.New(plan)
	require.NoError(t, err)
	for number := range m.ClaimStories() {
		switch no := m.Claim(number).Request.GetClaimNo(); {
		case strings.HasSuffix(no, market.AccountEnding):
			s.Payments.Tell(no, stacktest.NeedsAccount)
		case strings.HasSuffix(no, market.FailEnding):
			s.Payments.Tell(no, stacktest.Failed)
		}
	}
	session := market.Intakes{Orders: s.Intake, Claims: s.Claims}
	require.NoError(t, m.FillClaims(t.Context(), session, m.ClaimStories()))
	require.NoError(t, m.FillClaims(t.Context(), session, m.ClaimStories()), "existing data stay unchanged")

	client := s.Client(seller.ID)
	var claims map[string]stacktest.Claim
	stacktest.Await(t, "every claim comes to where its story leads", func() bool {
		claims = allClaims(t, client)
		for number := range m.ClaimStories() {
			if made := m.Claim(number); claims[made.Request.GetClaimNo()].Status != made.Status {
				return false
			}
		}
		return true
	})
	found := map[string]map[string]bool{}
	for _, claim := range claims {
		if found[claim.Type] == nil {
			found[claim.Type] = map[string]bool{}
		}
		found[claim.Type][claim.Status] = true
	}
	for kind, states := range shown {
		for _, state := range states {
			require.True(t, found[kind][state], "%s %s", kind, state)
		}
		require.Len(t, found[kind], len(states), kind)
	}
	requireVariety(t, claims)
}

func allClaims(t *testing.T, client *stacktest.Client) map[string]stacktest.Claim {
	t.Helper()
	claims := map[string]stacktest.Claim{}
	page := client.Claims(t, "100")
	for {
		for _, claim := range page.List {
			claims[claim.ClaimNo] = claim
		}
		if page.NextCursor == nil {
			return claims
		}
		page = client.Claims(t, "100", "cursor", *page.NextCursor)
	}
}

func requireVariety(t *testing.T, claims map[string]stacktest.Claim) {
	t.Helper()
	seen := map[string]bool{}
	for _, claim := range claims {
		result := "nobody"
		if claim.InspectResult != nil {
			result = *claim.InspectResult
		}
		seen[claim.Status+" by "+result] = true
		seen[claim.Fault] = true
		if *claim.PriceDifference < 0 && claim.RefundAmount != nil {
			seen["difference back"] = true
		}
		if *claim.PriceDifference > 0 {
			seen["difference to pay"] = true
		}
	}
	for _, want := range []string{
		"rejected by fail", "rejected by nobody", "completed by pass", "refund_processing by pass", "buyer", "seller",
		"difference back", "difference to pay",
	} {
		require.True(t, seen[want], "no claim is %q", want)
	}
}

// A misspelt member of an order is refused with the name that was meant, and nothing is placed: otherwise the order would lack
// its recipient for good, because a placement cannot be repeated with other content.
func TestMarketplace_misspeltMemberIsRefused(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	order, env := stacktest.NewOrder(seller.ID), s.Env(seller, seller)
	placement := &ordersv1.PlaceOrdersRequest{Orders: []*ordersv1.Order{order}}
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(placement)
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, env.OrdersRPCURL+"/orders.v1.Intake/PlaceOrders",
		strings.NewReader(strings.Replace(string(text), `"contact"`, `"contcat"`, 1)))
	require.NoError(t, err)
	request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + env.RPCToken}}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	answer, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusBadRequest, response.StatusCode)
	require.Contains(t, string(answer), `orders[0].contcat: unknown member, did you mean \"contact\"?`)
	require.Empty(t, s.Client(seller.ID).List(t, "100").List)
	s.Place(t, order)
	require.Len(t, s.Client(seller.ID).List(t, "100").List, 1)
}
