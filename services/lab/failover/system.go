package failover

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/allinone/stack"
)

const (
	sellerCount  = 24
	placedAtOnce = 400
	// longestOutage is added to the duration of a trial when the number of its orders is computed.
	longestOutage = 30 * time.Second
	actor         = "failover"
	// tokenLife is longer than any trial.
	tokenLife = time.Hour
)

// limits are wider than the published ones: each key makes one or two calls a second, and all failed calls are retried.
var limits = stack.Limits{Window: time.Minute, Read: 100_000, Process: 100_000, Rows: 10_000_000}

type seller struct{ id, key string }

type order struct {
	seller   seller
	no, item string
}

type system struct {
	running *stack.Stack
	log     *os.File
	sellers []seller
	// shares are the sellers that share each order, in turns.
	shares [][]seller
	orders []order
	// placed is how many orders were placed; orders has each of their parts.
	placed int
}

func startSystem(ctx context.Context, on *ground, o Options, dir string) (s *system, err error) {
	secrets, err := stack.NewSecrets()
	if err != nil {
		return nil, err
	}
	s = &system{}
	if s.log, err = os.Create(filepath.Join(dir, "stack.log")); err != nil {
		return nil, err
	}
	config := stack.Config{
		DatabaseURL: secret.New(on.database), RedisURL: secret.New(on.redis), Distributed: on.distributed, Secrets: secrets,
		Telemetry: telemetry.Config{Logs: s.log}, Limits: limits,
	}
	if s.running, err = stack.Start(ctx, config); err != nil {
		return nil, errors.Join(err, s.log.Close())
	}
	count := int((o.Before + o.Notice + o.After + longestOutage).Seconds()) * o.Rate
	for _, prepare := range []func() error{
		func() error { return s.register(ctx) },
		func() error { return s.share(ctx, on) },
		func() error { return s.place(ctx, count) },
		func() error { return s.greet(ctx) },
	} {
		if err := prepare(); err != nil {
			return nil, errors.Join(err, s.stop())
		}
	}
	return s, nil
}

var errUnknown = errors.New("a seller's first read failed")

// greet makes a read with each key, so that the gateway has all of them cached: in a distributed PostgreSQL a key may be on
// another node than the rows of its seller.
func (s *system) greet(ctx context.Context) error {
	caller := s.newCaller()
	for n := range s.sellers {
		if status := caller.make(ctx, reading(0, s.orders[n])); status != http.StatusOK {
			return fmt.Errorf("%w: %d", errUnknown, status)
		}
	}
	return nil
}

func (s *system) stop() error { return errors.Join(s.running.Stop(), s.log.Close()) }

func (s *system) register(ctx context.Context) error {
	client := stack.Keys(s.running.KeysURL, s.running.Token(tokenLife))
	for n := range sellerCount {
		id := uuid.NewString()
		_, err := client.RegisterSeller(ctx, &gatewayv1.RegisterSellerRequest{
			SellerId: id, Name: fmt.Sprintf("Failover %d", n), Actor: actor,
		})
		if err != nil {
			return fmt.Errorf("register a seller: %w", err)
		}
		issued, err := client.IssueKey(ctx, &gatewayv1.IssueKeyRequest{
			SellerId: id, Scopes: []string{"orders:read", "orders:write"}, Purpose: actor, Actor: actor, RequestId: uuid.NewString(),
		})
		if err != nil {
			return fmt.Errorf("issue a key: %w", err)
		}
		s.sellers = append(s.sellers, seller{id, issued.GetText()})
	}
	return nil
}

func (s *system) share(ctx context.Context, on *ground) (err error) {
	if on.group == nil {
		s.shares = slices.Collect(slices.Chunk(s.sellers, 1))
		return nil
	}
	s.shares, err = on.group(ctx, s.sellers)
	s.sellers = slices.Concat(s.shares...)
	return err
}

func (s *system) place(ctx context.Context, count int) error {
	client := stack.Intake(s.running.RPCURLs[operation.Orders], s.running.Token(tokenLife))
	paid := timestamppb.New(time.Now().Add(-time.Minute))
	for len(s.orders) < count {
		request := &ordersv1.PlaceOrdersRequest{}
		for len(request.Orders) < placedAtOnce && len(s.orders) < count {
			no, sharing := "F"+strings.ToUpper(uuid.NewString()), s.shares[s.placed%len(s.shares)]
			parts := make([]order, len(sharing))
			for n, seller := range sharing {
				parts[n] = order{seller, no, uuid.NewString()}
			}
			s.placed++
			s.orders = append(s.orders, parts...)
			request.Orders = append(request.Orders, placement(paid, parts))
		}
		if _, err := client.PlaceOrders(ctx, request); err != nil {
			return fmt.Errorf("place orders: %w", err)
		}
	}
	return nil
}

func placement(paid *timestamppb.Timestamp, parts []order) *ordersv1.Order {
	no := parts[0].no
	placed := &ordersv1.Order{
		OrderNo: no, MemberId: "member-" + no, Currency: "KRW", PaidAt: paid,
		Contact: &ordersv1.Contact{
			OrdererName: "김민준", OrdererPhone: "010-0123-4567", RecipientName: "이서연", RecipientPhone: "010-0765-4321",
			Zipcode: "06236", Address1: "서울특별시 강남구 테헤란로 152", Address2: "3층",
		},
	}
	for _, part := range parts {
		placed.Sellers = append(placed.Sellers, &ordersv1.SellerPart{
			SellerId: part.seller.id, ShippingFeeBase: 3000, ShippingFeePaid: 3000,
			Lines: []*ordersv1.Line{{
				ItemId: part.item, ProductId: "P-1", ProductName: "순면 티셔츠", OptionName: "블랙 / M",
				Quantity: 2, ListPrice: 15900, UnitPrice: 12900, DiscountAmount: 1000,
			}},
		})
	}
	return placed
}
