package lines_test

import (
	"cmp"
	"context"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/proto/claimlinestest"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/orders/internal/lines"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
	"sellerapi.dev/services/orders/internal/store"
	"sellerapi.dev/services/orders/internal/store/storetest"
)

// The contract for the lines of claims, checked on the RPC port with a real database. The test double for the claims service's tests
// passes the same suite.
func TestContract(t *testing.T) {
	t.Parallel()
	s := serve(t)
	claimlinestest.Run(t, func(*testing.T) claimlinestest.Subject { return s })
}

type subject struct {
	ordersv1connect.ClaimLinesClient
	store *store.Store
	db    *pgtest.DB
}

func serve(t *testing.T) *subject {
	t.Helper()
	s := &subject{}
	s.store, s.db = storetest.New(t)
	mux, err := rpc.NewMux("orders", trusttest.Keys(), rpc.Config{}, telemetrytest.Discard(t))
	require.NoError(t, err)
	mux.Handle(ordersv1connect.NewClaimLinesHandler(&lines.Service{Holds: s.store}, mux.Options()))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	client := rpctest.Client(t, rpc.CallerClaims, "orders", rpc.Config{})
	s.ClaimLinesClient = ordersv1connect.NewClaimLinesClient(client.HTTP, server.URL, client.Options)
	return s
}

var pasts = map[string][]order.State{
	"preparing": {order.Preparing}, "shipping": {order.Shipping}, "delivered": {order.Shipping, order.Delivered},
}

func (s *subject) Place(t *testing.T, placed claimlinestest.Order) []string {
	t.Helper()
	placement := ordertest.New(placed.No, claimlinestest.PaidAt, uuid.MustParse(claimlinestest.Seller), uuid.MustParse(claimlinestest.Other))
	placement.Parts[0].Lines, placement.Parts[1].Lines = nil, nil
	placement.Parts[0].Charges.PointUsed, placement.Parts[1].Charges.PointUsed = placed.Points, 0
	ids := make([]string, 0, len(placed.Lines))
	for _, wanted := range placed.Lines {
		line := order.Line{
			ID: uuid.New(), ProductID: claimlinestest.ProductID, ProductName: claimlinestest.ProductName, OptionName: claimlinestest.OptionName,
			Quantity: wanted.Quantity, ListPrice: claimlinestest.UnitPrice, UnitPrice: claimlinestest.UnitPrice,
			Discount: claimlinestest.UnitPrice*wanted.Quantity - wanted.Paid,
		}
		ordertest.History(&line, claimlinestest.PaidAt, time.Hour, pasts[wanted.State]...)
		part := &placement.Parts[0]
		if wanted.Seller == claimlinestest.Other {
			part = &placement.Parts[1]
		}
		part.Lines = append(part.Lines, line)
		ids = append(ids, line.ID.String())
	}
	results, err := s.store.Place(t.Context(), []order.Placement{placement})
	require.NoError(t, err)
	require.Equal(t, store.Placed, results[0].Outcome)
	return ids
}

func (s *subject) Prepare(t *testing.T, orderNo, itemID string) error {
	t.Helper()
	return s.process(t, func(ctx context.Context, tx store.Tx) error {
		_, err := s.store.Prepare(ctx, tx, processOf(orderNo, itemID))
		return err
	})
}

func (s *subject) Ship(t *testing.T, orderNo, itemID string, parcel claimlinestest.Parcel) error {
	t.Helper()
	shipment, err := carrier.ParseShipment(parcel.CarrierName, parcel.TrackingNo, nil)
	require.NoError(t, err)
	return s.process(t, func(ctx context.Context, tx store.Tx) error {
		_, err := s.store.Ship(ctx, tx, processOf(orderNo, itemID), shipment)
		return err
	})
}

func (s *subject) process(t *testing.T, do func(ctx context.Context, tx store.Tx) error) error {
	t.Helper()
	return postgres.InTx(t.Context(), s.db.Pool, func(ctx context.Context, tx pgx.Tx) error { return do(ctx, tx) })
}

func processOf(orderNo, itemID string) store.Process {
	return store.Process{SellerID: uuid.MustParse(claimlinestest.Seller), OrderNo: orderNo, ItemIDs: []string{itemID}}
}

func (s *subject) Correct(t *testing.T, orderNo, itemID, state string, parcel claimlinestest.Parcel) error {
	t.Helper()
	correction := order.Correction{To: order.State(state)}
	for _, item := range s.items(t, orderNo, claimlinestest.Seller) {
		if item.ID.String() == itemID && item.CarrierName == "" && correction.To.Shows().Parcel {
			correction.Parcel = &carrier.Shipment{Carrier: carrier.Lotte, TrackingNo: "612345678901"}
		}
	}
	if parcel != (claimlinestest.Parcel{}) {
		correction.Parcel = &carrier.Shipment{Carrier: carrier.Name(parcel.CarrierName), TrackingNo: carrier.TrackingNo(parcel.TrackingNo)}
	}
	_, err := s.store.Correct(t.Context(), orderNo, itemID, correction, order.Act{ID: uuid.NewString(), Operator: "kim", Reason: "dispute"})
	return err
}

func (s *subject) items(t *testing.T, orderNo, seller string) []order.Item {
	t.Helper()
	found, err := s.store.Find(t.Context(), uuid.MustParse(seller), orderNo)
	require.NoError(t, err)
	return found.Items
}

func (s *subject) Lines(t *testing.T, orderNo string) []claimlinestest.Line {
	t.Helper()
	var found []claimlinestest.Line
	for _, seller := range []string{claimlinestest.Seller, claimlinestest.Other} {
		for _, item := range s.items(t, orderNo, seller) {
			line := claimlinestest.Line{
				ID: item.ID.String(), Seller: seller, Code: order.ItemCode(orderNo, item.Seq), State: string(item.State), OptionName: item.OptionName,
				Quantity: item.Quantity, Paid: item.Prices.Paid, HasActiveClaim: item.HasActiveClaim, IsExchange: item.IsExchange,
			}
			if item.SplitFromClaimNo != "" {
				line.SplitFrom = item.OriginID.String()
			}
			if item.IsExchange {
				line.Parcel = claimlinestest.Parcel{CarrierName: item.CarrierName, TrackingNo: item.TrackingNo}
			}
			found = append(found, line)
		}
	}
	slices.SortFunc(found, func(a, b claimlinestest.Line) int { return cmp.Compare(a.Code, b.Code) })
	return found
}

func (s *subject) Stamps(t *testing.T, orderNo string) []int64 {
	t.Helper()
	stamps := make([]int64, 0, 2)
	for _, seller := range []string{claimlinestest.Seller, claimlinestest.Other} {
		found, err := s.store.Find(t.Context(), uuid.MustParse(seller), orderNo)
		require.NoError(t, err)
		stamps = append(stamps, found.UpdatedAt.UnixMicro())
	}
	return stamps
}
