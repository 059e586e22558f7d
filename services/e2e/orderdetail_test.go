package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

func detail(t *testing.T, s *stacktest.Stack, seller stacktest.Seller, orderNo string) stacktest.Order {
	t.Helper()
	return stacktest.RequireOK[stacktest.Order](t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders/"+orderNo)))
}

// An order has the fields of the specification.
func TestOrderDetail_specifiedFields(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	placed := stacktest.NewOrder(seller.ID, stacktest.PaidAt(time.Date(2026, 1, 31, 9, 30, 0, 5000, time.UTC)))
	line := placed.GetSellers()[0].GetLines()[0]
	s.Place(t, placed)
	got := detail(t, s, seller, placed.GetOrderNo())
	contact := placed.GetContact()
	require.Equal(t, stacktest.Order{
		OrderNo: placed.GetOrderNo(), OrderStatus: "paid", PaidAt: "2026-01-31T09:30:00.000005Z", UpdatedAt: got.UpdatedAt,
		Currency: "KRW", SellerItemsAmount: 25800, SellerDiscountAmount: 1000, SellerPointUsedAmount: 500, SellerPaidAmount: 24800,
		SellerShippingFeeBase: 3000, SellerShippingFeePaid: 3000,
		OrdererName: &contact.OrdererName, OrdererPhone: &contact.OrdererPhone,
		RecipientName: &contact.RecipientName, RecipientPhone: &contact.RecipientPhone,
		Zipcode: &contact.Zipcode, Address1: &contact.Address1, Address2: &contact.Address2, ShipMemo: &contact.ShipMemo,
		Items: []stacktest.Item{{
			ItemID: line.GetItemId(), ItemCode: placed.GetOrderNo() + "-01", ProductName: line.GetProductName(),
			OptionName: line.GetOptionName(),
			Quantity:   2, ListPrice: 15900, UnitPrice: 12900, LineAmount: 25800, DiscountAmount: 1000,
			LinePaidAmount: 24800, ItemStatus: "paid",
		}},
	}, got)
}

func TestOrderDetail_mixedOrder(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	a, b, c := s.Seller(t), s.Seller(t), s.Seller(t)
	placed := stacktest.NewOrder(a.ID, stacktest.InState("delivered"), stacktest.With(b.ID))
	placed.Sellers[1].PointUsedAmount, placed.Sellers[1].ShippingFeePaid = 0, 0
	placed.Sellers[1].Lines = append(placed.Sellers[1].Lines, stacktest.NewLine("감귤"))
	s.Place(t, placed)
	forA, forB := detail(t, s, a, placed.GetOrderNo()), detail(t, s, b, placed.GetOrderNo())
	require.Len(t, forA.Items, 1)
	require.Len(t, forB.Items, 2)
	require.Equal(t, int64(24800), forA.SellerPaidAmount)
	require.Equal(t, int64(49600), forB.SellerPaidAmount)
	require.Equal(t, int64(500), forA.SellerPointUsedAmount)
	require.Zero(t, forB.SellerPointUsedAmount+forB.SellerShippingFeePaid)
	for _, order := range []stacktest.Order{forA, forB} {
		require.Equal(t, "paid", order.OrderStatus, "over the lines of all sellers")
	}
	codes := map[string]bool{}
	for _, item := range append(forA.Items, forB.Items...) {
		codes[item.ItemCode] = true
	}
	for n := 1; n <= 3; n++ {
		require.True(t, codes[fmt.Sprintf("%s-%02d", placed.GetOrderNo(), n)], codes)
	}
	answer := s.Do(t, stacktest.Get(c.Key, "/open/v1/orders/"+placed.GetOrderNo()))
	stacktest.RequireFailure(t, answer, http.StatusNotFound, "ORDER_NOT_FOUND")
}

// Path parameters are untrusted input; none of these may reach another route or break a query.
func TestOrderNumber_impossibleIsNotFound(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	order := s.PlaceNew(t, seller.ID)
	for _, number := range []string{
		"X", uuid.NewString(), strings.ToLower(order.GetOrderNo()), order.GetOrderNo() + "%20", "%20", "%00", "%ff",
		"a%2Fb", "..%2Forders",
		"%E2%80%AE", strings.Repeat("9", 64), strings.Repeat("9", 65), strings.Repeat("9", 2000), "'%20or%20true--",
		order.GetOrderNo() + "-01",
		order.GetOrderNo() + "%2Fpreparation",
	} {
		answer := s.Do(t, stacktest.Call{Path: "/open/v1/orders/" + number, Key: seller.Key})
		stacktest.RequireFailure(t, answer, http.StatusNotFound, "ORDER_NOT_FOUND")
	}
}
