package lines_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/orders/orderstest"
)

type fixture struct {
	*lines.Client
	orders *orderstest.Orders
	seller uuid.UUID
}

func setup(t *testing.T) fixture {
	t.Helper()
	orders := orderstest.New(t)
	return fixture{Client: dial(t, orders.Serve(t), time.Second), orders: orders, seller: uuid.New()}
}

func dial(t *testing.T, url string, timeout time.Duration) *lines.Client {
	t.Helper()
	client, err := lines.New(lines.Config{URL: url, Timeout: timeout}, rpc.Config{}, rpctest.As(rpc.CallerClaims, "orders"),
		telemetrytest.Discard(t))
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

func (b fixture) wanted(kind claim.Type, status string) claim.Wanted {
	return b.wantedAfter(0, kind, status)
}

// wantedAfter is wanted on an order that was paid in part with points.
func (b fixture) wantedAfter(points int64, kind claim.Type, status string) claim.Wanted {
	no := strings.ToUpper(uuid.NewString())
	ids := b.orders.PlaceWithPoints(points, b.seller, "O-"+no, status, 3, 1)
	return claim.Wanted{
		No: "C-" + no, OrderNo: "O-" + no, SellerID: b.seller, Type: kind, Reason: claim.Defective,
		Items: []claim.WantedItem{{ItemID: ids[0], Quantity: 2, ExchangeOptionName: "파랑 / L"}},
	}
}

func (b fixture) exchange(t *testing.T) *claim.Claim {
	t.Helper()
	w := b.wanted(claim.Exchange, "delivered")
	held, err := b.Open(t.Context(), w)
	require.NoError(t, err)
	opened, err := claim.Open(w, held, claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), time.Now())
	require.NoError(t, err)
	return &opened.Next
}

// A hold includes the facts of its lines: what they are, what was paid for them and when they were delivered.
func TestOpen_returnsFactsOfLines(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.wantedAfter(22000, claim.Return, "delivered")
	held, err := b.Open(t.Context(), w)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), *held.Lines[0].DeliveredAt, time.Minute)
	require.Equal(t, *held.Lines[0].DeliveredAt, held.PaidAt)
	held.Lines[0].DeliveredAt, held.PaidAt = nil, time.Time{}
	require.Equal(t, claim.Held{
		ShippingPaid: 3000, SellerQuantity: 4, ShippingPoints: 2000, Currency: claim.Won,
		Lines: []claim.Line{{
			ItemID: w.Items[0].ItemID, ItemCode: w.OrderNo + "-01", ProductName: "셔츠", OptionName: "빨강 / M", Quantity: 3, UnitPrice: 5000,
			Paid: 15000, Points: 15000,
		}},
	}, held)
	require.NoError(t, b.TouchHeld(t.Context(), w.No, "approve"))
	require.Equal(t, 1, b.orders.Touches(w.No))
	require.NoError(t, b.Release(t.Context(), w.No))
	require.Equal(t, "hold", lines.Reason(lines.Refusal(b.TouchHeld(t.Context(), w.No, "pickup"))))
	require.NoError(t, b.Touch(t.Context(), w.No, "freeze"))
}

// Settled lines name the item that has the claimed quantity afterwards.
func TestSettle_namesTheSettledItem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.wanted(claim.Cancel, "paid")
	_, err := b.Open(t.Context(), w)
	require.NoError(t, err)
	settled, err := b.Settle(t.Context(), w.No)
	require.NoError(t, err)
	require.Equal(t, []claim.Settled{{ItemID: w.Items[0].ItemID, SettledItemID: b.orders.Hold(w.No).Settled[0]}}, settled)
	require.NotEqual(t, settled[0].ItemID, settled[0].SettledItemID)
}

// The client performs all steps of an exchange: the replacing line is added once, and a canceled reshipment does not ship.
func TestExchange_carriedThrough(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.exchange(t)
	c.Items[0].Difference, c.Money.Difference, c.Items[0].Points, c.Money.Points = -2000, -2000, 3000, 3000
	require.NoError(t, b.AddExchangeLine(t.Context(), c))
	standIn := b.orders.Lines(c.OrderNo)[2]
	require.True(t, standIn.IsExchange)
	require.Equal(t, []int64{8000, 2400}, []int64{standIn.Paid, standIn.Points})
	require.Equal(t, "파랑 / L", standIn.OptionName)
	require.True(t, standIn.Open)
	require.NoError(t, b.AddExchangeLine(t.Context(), c))
	require.Len(t, b.orders.Lines(c.OrderNo), 3)
	require.NoError(t, b.CancelReshipment(t.Context(), c.No, "reship@1"))
	_, err := b.ShipExchangeLine(t.Context(), c.No, "reship@1", claim.Values{Carrier: "한진택배", TrackingNo: "412345678901"})
	require.Equal(t, lines.Canceled, lines.Reason(lines.Refusal(err)))
	_, err = b.ShipExchangeLine(t.Context(), c.No, "reship@2", claim.Values{Carrier: "한진택배", TrackingNo: "412345678901"})
	require.NoError(t, err)
	require.Equal(t, "shipping", b.orders.Lines(c.OrderNo)[2].State)

	other := b.exchange(t)
	require.NoError(t, b.Convert(t.Context(), other.No, "R-1", true))
	require.Equal(t, "active", b.orders.Hold("R-1").State)
	require.True(t, b.orders.Hold("R-1").Sealed)
	require.NoError(t, b.Seal(t.Context(), "R-1"))
}

// An error of the orders service is a row of the error table, with its reason.
func TestRefusal_rowWithReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.wanted(claim.Return, "paid")
	_, err := b.Open(t.Context(), w)
	require.ErrorIs(t, err, apierr.ClaimNotApprovable)
	refusal := lines.Refusal(err)
	require.NotNil(t, refusal)
	require.Equal(t, "state", lines.Reason(refusal))

	w.OrderNo = "OTHER"
	_, err = b.Open(t.Context(), w)
	require.Equal(t, apierr.OrderNotFound, lines.Refusal(err).Code)
	require.Equal(t, "ORDER_NOT_FOUND", lines.Reason(lines.Refusal(err)))
	require.Nil(t, lines.Refusal(nil))
	require.Equal(t, apierr.ClaimNotFound, lines.Refusal(b.TouchHeld(t.Context(), "unknown", "approve")).Code)
}

// It is unknown whether a call without a response was executed, so it must never look like a refusal.
func TestClient_unansweredCallIsNoRefusal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.wanted(claim.Cancel, "paid")
	for name, fault := range map[string]rpctest.Fault{"dropped": {Drop: true}, "unreachable": {Unreachable: true}} {
		b.orders.Fail("Open", rpctest.Once(fault))
		_, err := b.Open(t.Context(), w)
		require.Error(t, err, name)
		require.Nil(t, lines.Refusal(err), name)
		_, err = b.Open(t.Context(), w)
		require.NoError(t, err, name)
	}
	block := make(chan struct{})
	b.orders.Fail("Touch", rpctest.Always(rpctest.Fault{Before: func() { <-block }}))
	slow := dial(t, b.orders.Serve(t), 50*time.Millisecond)
	err := slow.Touch(t.Context(), w.No, "x")
	close(block)
	require.ErrorIs(t, err, apierr.UpstreamTimeout)
	require.Nil(t, lines.Refusal(err))

	away := httptest.NewServer(nil)
	away.Close()
	require.Nil(t, lines.Refusal(dial(t, away.URL, time.Second).Release(t.Context(), w.No)))
	other := httptest.NewServer(nil)
	t.Cleanup(other.Close)
	err = dial(t, other.URL, time.Second).Release(t.Context(), w.No)
	require.Error(t, err)
	require.Nil(t, lines.Refusal(err), "a response of another server is no refusal")
}

func TestNew_withoutKey(t *testing.T) {
	t.Parallel()
	_, err := lines.New(lines.Config{URL: "http://orders:8081"}, rpc.Config{}, rpc.Identity{Caller: rpc.CallerClaims},
		telemetrytest.Discard(t))
	require.ErrorContains(t, err, "does not sign tokens")
}
