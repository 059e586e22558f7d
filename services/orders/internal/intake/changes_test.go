package intake_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

// copied is a marketplace's copy of a seller's orders, with the position that is stored with it.
type copied struct {
	after  string
	orders map[string]*ordersv1.ChangedOrder
}

// read reads a page, and reports whether there was more.
func (c *copied) read(p *port, limit int32) bool {
	p.t.Helper()
	page, err := p.changes.ListChanges(p.t.Context(), &ordersv1.ListChangesRequest{
		SellerId: p.seller.String(), After: c.after, Limit: limit,
	})
	require.NoError(p.t, err)
	for _, o := range page.GetChanges() {
		c.orders[o.GetRecord().AsMap()["order_no"].(string)] = o
	}
	c.after = page.GetAfter()
	return page.GetMore()
}

// Whatever happens between its pages, a reader has at rest what GetOrder returns of each order: the record of the public
// interface, the member, and the product of each item.
func TestChanges_exactCopy(t *testing.T) {
	t.Parallel()
	p := setup(t)
	mine := &copied{orders: map[string]*ordersv1.ChangedOrder{}}
	random := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // the same in each run
	items := map[string]string{}
	for n := range 40 {
		no := fmt.Sprintf("C-%d", n)
		o := p.newOrder(no)
		o.MemberId = "m-" + no
		line := o.GetSellers()[0].GetLines()[0]
		line.ProductId, items[no] = "p-"+no, line.GetItemId()
		_, err := p.place(o)
		require.NoError(t, err)
		shipped := fmt.Sprintf("C-%d", random.IntN(n+1))
		_, _ = p.store.ShipAlone(t.Context(), order.ProcessCommand{
			SellerID: p.seller, OrderNo: shipped, ItemIDs: []string{items[shipped]},
		}, carrier.Shipment{Carrier: "CJ대한통운", TrackingNo: "612345678904"})
		mine.read(p, 1+random.Int32N(3))
	}
	_, err := p.client.ForgetMember(t.Context(), &ordersv1.ForgetMemberRequest{MemberId: "m-C-3"})
	require.NoError(t, err)
	for mine.read(p, 7) {
		continue
	}
	require.Len(t, mine.orders, 40)
	for no, read := range mine.orders {
		got, err := p.changes.GetOrder(t.Context(), &ordersv1.GetOrderRequest{SellerId: p.seller.String(), OrderNo: no})
		require.NoError(t, err)
		require.True(t, proto.Equal(got.GetChange(), read), no)
		require.Equal(t, "m-"+no, read.GetMemberId())
		require.Equal(t, map[string]string{items[no]: "p-" + no}, read.GetProductIds())
	}
	require.Nil(t, mine.orders["C-3"].GetRecord().AsMap()["recipient_name"])
}

// The sellers of a mixed order have each their part of it, and no other.
func TestChanges_mixedOrder(t *testing.T) {
	t.Parallel()
	p, other := setup(t), uuid.NewString()
	o := p.newOrder("M-1")
	part := p.newOrder("X").GetSellers()[0]
	part.SellerId, part.GetLines()[0].ProductId = other, "p-2"
	o.Sellers = append(o.Sellers, part)
	_, err := p.place(o)
	require.NoError(t, err)
	for seller, product := range map[string]string{p.seller.String(): "p-1", other: "p-2"} {
		page, err := p.changes.ListChanges(t.Context(), &ordersv1.ListChangesRequest{SellerId: seller})
		require.NoError(t, err)
		require.Len(t, page.GetChanges(), 1)
		products := page.GetChanges()[0].GetProductIds()
		require.Len(t, products, 1)
		for _, id := range products {
			require.Equal(t, product, id)
		}
	}
	page, err := p.changes.ChangedSellers(t.Context(), &ordersv1.ChangedSellersRequest{})
	require.NoError(t, err)
	sellers := make([]string, 0, len(page.GetSellers()))
	for _, s := range page.GetSellers() {
		sellers = append(sellers, s.GetSellerId())
	}
	require.ElementsMatch(t, []string{p.seller.String(), other}, sellers)
}

// An order that does not exist, is another seller's or is not paid is not found, and not in the list.
func TestChanges_notFound(t *testing.T) {
	t.Parallel()
	p := setup(t)
	unpaid := p.newOrder("U-1")
	unpaid.PaidAt = nil
	_, err := p.place(p.newOrder("O-1"), unpaid)
	require.NoError(t, err)
	for no, seller := range map[string]string{
		"O-1": uuid.NewString(), "U-1": p.seller.String(), "O-2": p.seller.String(), "no number": p.seller.String(),
	} {
		_, err := p.changes.GetOrder(t.Context(), &ordersv1.GetOrderRequest{SellerId: seller, OrderNo: no})
		require.ErrorIs(t, err, apierr.OrderNotFound, no)
	}
	_, err = p.changes.GetOrder(t.Context(), &ordersv1.GetOrderRequest{OrderNo: "O-1"})
	requireInvalid(t, err, "seller_id")
	page, err := p.changes.ListChanges(t.Context(), &ordersv1.ListChangesRequest{SellerId: p.seller.String()})
	require.NoError(t, err)
	require.Len(t, page.GetChanges(), 1)
}
