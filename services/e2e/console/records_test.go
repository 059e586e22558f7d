package console

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/service"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/console"
	"sellerapi.dev/services/e2e/stacktest"
)

const (
	recordNow     = "The record now"
	recordUnknown = "This seller has no such record"
	recordAway    = "The service that has the record did not answer"
)

// calledPage makes a call and returns the page of it.
func (b *browser) calledPage(seller stacktest.Seller, call stacktest.Call) string {
	b.t.Helper()
	call.Key = seller.Key
	return b.page("/requests/" + logID(b.t, b.c, seller, b.c.Do(b.t, call).Header.Get("X-Request-Id")))
}

// The page of a call shows what the order, claim or inquiry is now, to each role, and nothing of the customer.
func TestRecord(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	order := c.PlaceNew(t, seller.ID, stacktest.Claimable(stacktest.Return))
	claim := stacktest.NewClaim(stacktest.Return, order)
	c.RequestClaim(t, claim)
	inquiry := stacktest.NewInquiry(seller.ID)
	c.Ask(t, inquiry)
	for _, subject := range []string{"kim", "lee", "park"} {
		b := newBrowser(t, c).as(subject)
		if subject == "park" {
			b.post("/seller", url.Values{"seller": {seller.ID}})
		}
		for _, test := range []struct {
			call  stacktest.Call
			shown []string
		}{
			{stacktest.Get("", "/open/v1/orders/"+order.GetOrderNo()), []string{"<code>order_status</code>", "<td>delivered</td>"}},
			{stacktest.Get("", "/open/v1/claims/"+claim.GetClaimNo()), []string{"<code>available_actions</code>", "approve, reject"}},
			{stacktest.Post("", "/open/v1/qna/"+inquiry.GetQnaId()+"/answer", "{}"), []string{"<code>category</code>", "waiting"}},
		} {
			page := b.calledPage(seller, test.call)
			for _, text := range append(test.shown, recordNow, "<code>updated_at</code>") {
				require.Contains(t, page, text, "%s %s", subject, test.call.Path)
			}
			for _, text := range []string{
				order.GetContact().GetRecipientName(), order.GetContact().GetRecipientPhone(), order.GetContact().GetAddress1(),
				inquiry.GetBody(),
			} {
				require.NotEmpty(t, text)
				require.NotContains(t, page, text, "%s %s", subject, test.call.Path)
			}
		}
	}
}

// A number of another seller is as unknown as one that does not exist, in every role: nothing of the record is shown.
func TestRecord_otherSeller(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	foreign := c.PlaceNew(t, c.Seller(t).ID, func(o *ordersv1.Order) {
		o.OrderNo = "O-20260314-" + strings.ToUpper(uuid.NewString()[:8])
	})
	b := newBrowser(t, c).as("kim")
	for _, number := range []string{foreign.GetOrderNo(), "20260314-0001842"} {
		page := b.calledPage(seller, stacktest.Get("", "/open/v1/orders/"+number))
		require.Contains(t, page, number)
		require.Contains(t, page, recordUnknown, number)
		require.NotContains(t, page, "<code>order_status</code>", number)
	}
}

// The page of a call stands while the service that owns its record is away. Without the service's address it has no such part.
func TestRecord_away(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	path := "/open/v1/orders/" + s.PlaceNew(t, seller.ID).GetOrderNo()
	page := func(addresses service.Upstreams) string {
		c := s.Console(t, func(config *console.Config) { config.Upstreams = addresses })
		people(c, seller.ID)
		return newBrowser(t, c).as("kim").calledPage(seller, stacktest.Get("", path))
	}
	require.Contains(t, page(service.Upstreams{operation.Orders: "http://127.0.0.1:1"}), recordAway)
	require.NotContains(t, page(service.Upstreams{}), recordNow)
}
