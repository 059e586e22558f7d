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
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/orders/internal/lines"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
	"sellerapi.dev/services/orders/internal/store"
	"sellerapi.dev/services/orders/internal/store/storetest"
)

// subject is the service with its RPC port.
type subject struct {
	ordersv1connect.ClaimLinesClient
	store *store.Store
	db    *pgtest.DB
}

// serve starts the service on a database of its own.
func serve(t *testing.T) *subject {
	t.Helper()
	s := &subject{}
	s.store, s.db = storetest.New(t)
	mux, err := rpc.NewMux("orders", trusttest.Keys(), rpc.Config{}, telemetrytest.Discard(t))
	require.NoError(t, err)
	mux.Handle(ordersv1connect.NewClaimLinesHandler(&lines.Service{Holds: s.store, Terms: order.DefaultTerms()}, mux.Options()))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	client := rpctest.Client(t, rpc.CallerClaims, "orders", rpc.Config{})
	s.ClaimLinesClient = ordersv1connect.NewClaimLinesClient(client.HTTP, server.URL, client.Options)
	return s
}

// pasts are the histories of placed lines, by state.
var pasts = map[string][]order.State{
	"preparing": {order.Preparing}, "shipping": {order.Shipping}, "delivered": {order.Shipping, order.Delivered},
}

func (s *subject) Place(t *testing.T, placed Order) []string {
	t.Helper()
	placement := ordertest.New(placed.No, PaidAt, uuid.MustParse(Seller), uuid.MustParse(Other))
	placement.Parts[0].Lines, placement.Parts[1].Lines = nil, nil
	placement.Parts[0].Charges.PointUsed, placement.Parts[1].Charges.PointUsed = placed.Points, 0
	ids := make([]string, 0, len(placed.Lines))
	for _, wanted := range placed.Lines {
		line := order.Line{
			ID: uuid.New(), ProductID: ProductID, ProductName: ProductName, OptionName: OptionName,
			Quantity: wanted.Quantity, ListPrice: UnitPrice, UnitPrice: UnitPrice,
			Discount: UnitPrice*wanted.Quantity - wanted.Paid,
		}
		ordertest.History(&line, PaidAt, time.Hour, pasts[wanted.State]...)
		part := &placement.Parts[0]
		if wanted.Seller == Other {
			part = &placement.Parts[1]
		}
		part.Lines = append(part.Lines, line)
		ids = append(ids, line.ID.String())
	}
	results, err := s.store.Place(t.Context(), []order.Placement{placement})
	require.NoError(t, err)
	require.Equal(t, order.Placed, results[0].Outcome)
	return ids
}

func (s *subject) Prepare(t *testing.T, orderNo, itemID string) error {
	t.Helper()
	return s.process(t, func(ctx context.Context, tx postgres.Tx) error {
		_, err := s.store.Prepare(ctx, tx, processOf(orderNo, itemID))
		return err
	})
}

func (s *subject) Ship(t *testing.T, orderNo, itemID string, parcel Parcel) error {
	t.Helper()
	shipment, err := carrier.ParseShipment(parcel.CarrierName, parcel.TrackingNo, nil)
	require.NoError(t, err)
	return s.process(t, func(ctx context.Context, tx postgres.Tx) error {
		_, err := s.store.Ship(ctx, tx, processOf(orderNo, itemID), shipment)
		return err
	})
}

func (s *subject) process(t *testing.T, do func(ctx context.Context, tx postgres.Tx) error) error {
	t.Helper()
	return postgres.InTx(t.Context(), s.db.Pool, func(ctx context.Context, tx pgx.Tx) error { return do(ctx, postgres.Pass(tx)) })
}

// processOf returns the seller's call for one item.
func processOf(orderNo, itemID string) order.ProcessCommand {
	return order.ProcessCommand{SellerID: uuid.MustParse(Seller), OrderNo: orderNo, ItemIDs: []string{itemID}}
}

func (s *subject) Correct(t *testing.T, orderNo, itemID, state string, parcel Parcel) error {
	t.Helper()
	correction := order.Correction{To: order.State(state)}
	for _, item := range s.items(t, orderNo, Seller) {
		if item.ID.String() == itemID && item.CarrierName == "" && correction.To.Shows().Parcel {
			correction.Parcel = &carrier.Shipment{Carrier: carrier.Lotte, TrackingNo: "612345678901"}
		}
	}
	if parcel != (Parcel{}) {
		correction.Parcel = &carrier.Shipment{
			Carrier:    carrier.Name(parcel.CarrierName),
			TrackingNo: carrier.TrackingNo(parcel.TrackingNo),
		}
	}
	_, err := s.store.Correct(t.Context(), orderNo, itemID, correction,
		order.Act{ID: uuid.NewString(), Operator: "kim", Reason: "dispute"})
	return err
}

// items returns the items that a seller sees.
func (s *subject) items(t *testing.T, orderNo, seller string) []order.Item {
	t.Helper()
	found, err := s.store.Find(t.Context(), uuid.MustParse(seller), orderNo)
	require.NoError(t, err)
	return found.Items
}

func (s *subject) Lines(t *testing.T, orderNo string) []Line {
	t.Helper()
	var found []Line
	for _, seller := range []string{Seller, Other} {
		for _, item := range s.items(t, orderNo, seller) {
			line := Line{
				ID: item.ID.String(), Seller: seller, Code: order.ItemCode(orderNo, item.Seq), State: string(item.State),
				OptionName: item.OptionName,
				Quantity:   item.Quantity, Paid: item.Prices.Paid, HasActiveClaim: item.HasActiveClaim, IsExchange: item.IsExchange,
			}
			if item.SplitFromClaimNo != "" {
				line.SplitFrom = item.OriginID.String()
			}
			if item.IsExchange {
				line.Parcel = Parcel{CarrierName: item.CarrierName, TrackingNo: item.TrackingNo}
			}
			found = append(found, line)
		}
	}
	slices.SortFunc(found, func(a, b Line) int { return cmp.Compare(a.Code, b.Code) })
	return found
}

func (s *subject) Stamps(t *testing.T, orderNo string) []int64 {
	t.Helper()
	stamps := make([]int64, 0, 2)
	for _, seller := range []string{Seller, Other} {
		found, err := s.store.Find(t.Context(), uuid.MustParse(seller), orderNo)
		require.NoError(t, err)
		stamps = append(stamps, found.UpdatedAt.UnixMicro())
	}
	return stamps
}
