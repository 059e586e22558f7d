package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/principal"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/allinone/envfile"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/sandbox/market"
)

type goods struct {
	// sellers are its sellers, the first ones with most orders; see shares.
	sellers []market.Seller
	orders  int
	// claimsEach and inquiriesEach are the numbers for each of the first claimants sellers.
	claimants, claimsEach, inquiriesEach int
}

// shares returns sellers whose sales are inversely proportional to their rank (Zipf), so that the first of a thousand has
// an eighth of all.
func shares(sellers int) ([]market.Seller, error) {
	made, err := market.Sellers(seed, sellers)
	for rank := range made {
		made[rank].Share = 1_000_000 / (rank + 1)
	}
	return made, err
}

// dominated returns sellers of which the first sells as much as all others together.
func dominated(others int) ([]market.Seller, error) {
	made, err := market.Sellers(seed, others+1)
	for rank := range made {
		made[rank].Share = 1
	}
	if err == nil {
		made[0].Share = others
	}
	return made, err
}

// seed selects one of many marketplaces; every run uses the same one.
const seed = 1

type seller struct {
	id, key string
	// walk describes the seller's whole list, once it was read.
	walk *walk
}

type world struct {
	env         envfile.Values
	databaseURL string
	meter       meter
	page        int
	// panel holds sellers drawn by their sales, so that one with large sales may occur several times. largest is the seller
	// with the most orders.
	panel   []*seller
	largest *seller
	// claimants are the sellers with claims and inquiries.
	claimants []*seller

	// filled holds the times at which the fill of the orders began and ended; the orders were last changed in between, unless they
	// are processed: then it was when their items were.
	filled    [2]time.Time
	processed bool

	// anOrder is the number of an order of the largest seller.
	anOrder string

	known  map[string]*seller
	random *rand.Rand
	placed int
}

func newWorld(ctx context.Context, b *benchmark, s *system, g goods) (*world, error) {
	w := &world{
		env: s.env, databaseURL: s.databaseURL, meter: b.meter(s.pids()), page: b.Page, known: map[string]*seller{},
		random: rand.New(rand.NewPCG(seed, seed)), //nolint:gosec // no secret
	}
	if err := w.register(ctx, g.sellers); err != nil {
		return nil, err
	}
	if err := w.fill(ctx, b, g); err != nil {
		return nil, err
	}
	var err error
	if w.largest, err = w.seller(ctx, g.sellers[0].ID); err != nil {
		return nil, err
	}
	for n := range g.claimants {
		one, err := w.seller(ctx, g.sellers[n].ID)
		if err != nil {
			return nil, err
		}
		w.claimants = append(w.claimants, one)
	}
	// This is what autovacuum would do in time: every side should find the tables in their usual state.
	return w, execute(ctx, w.databaseURL, "vacuum analyze", "checkpoint")
}

const registeredAtOnce = 8

func (w *world) register(ctx context.Context, sellers []market.Seller) error {
	keys := stack.Keys(w.env.KeysRPCURL, w.env.RPCToken)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(registeredAtOnce)
	for _, one := range sellers {
		group.Go(func() error {
			_, err := keys.RegisterSeller(ctx, &gatewayv1.RegisterSellerRequest{
				SellerId: one.ID, Name: one.Name, Actor: actor,
			})
			if err != nil {
				return fmt.Errorf("register a seller: %w", err)
			}
			return nil
		})
	}
	return group.Wait()
}

const actor = "benchmark"

// fillBatches is the least number of calls that place the orders, fillBatch the most orders in one call. All orders of a
// seller in one call get the same time, so with few calls there would be few different times.
const fillBatches, fillBatch = 200, 1000

func batchOf(orders int) int { return min(max(1, orders/fillBatches), fillBatch) }

func (w *world) fill(ctx context.Context, b *benchmark, g goods) error {
	intakes := market.Intakes{
		Orders: stack.Intake(w.env.OrdersRPCURL, w.env.RPCToken), Claims: stack.ClaimIntake(w.env.ClaimsRPCURL, w.env.RPCToken),
		Inquiries: stack.Inquiries(w.env.QnARPCURL, w.env.RPCToken),
	}
	trade, err := market.New(market.Plan{Seed: seed, Base: b.base, Orders: g.orders, Sellers: g.sellers})
	if err != nil {
		return err
	}
	w.filled[0] = time.Now()
	if _, err := trade.Fill(ctx, intakes.Orders, market.FillOptions{Batch: batchOf(g.orders), Progress: b.Progress}); err != nil {
		return err
	}
	w.filled[1] = time.Now()
	if g.claimants == 0 {
		return nil
	}
	asking, err := market.New(market.Plan{Seed: seed, Base: b.base, Orders: g.orders, Sellers: g.sellers[:g.claimants]})
	if err != nil {
		return err
	}
	if err := asking.FillClaims(ctx, intakes, g.claimants*g.claimsEach); err != nil {
		return err
	}
	return asking.Ask(ctx, intakes.Inquiries, g.claimants*g.inquiriesEach)
}

// draw fills the panel with sellers that are drawn by their shares and for which fit returns true.
func (w *world) draw(ctx context.Context, sellers []market.Seller, size int, fit func(*seller) bool) error {
	total := 0
	for _, one := range sellers {
		total += one.Share
	}
	for range size * drawsEach {
		if len(w.panel) == size {
			return nil
		}
		n, left := 0, w.random.IntN(total)
		for ; left >= sellers[n].Share; n++ {
			left -= sellers[n].Share
		}
		drawn, err := w.seller(ctx, sellers[n].ID)
		if err != nil {
			return err
		}
		if drawn.walk == nil {
			if drawn.walk, err = w.walkThrough(ctx, drawn); err != nil {
				return err
			}
		}
		if fit(drawn) {
			w.panel = append(w.panel, drawn)
		}
	}
	return errors.New("too few sellers have full pages: the marketplace needs more orders")
}

// drawsEach is how many draws are made at most per element that is wanted.
const drawsEach = 30

func (w *world) seller(ctx context.Context, id string) (*seller, error) {
	if one, known := w.known[id]; known {
		return one, nil
	}
	request := &gatewayv1.IssueKeyRequest{SellerId: id, Purpose: actor, Actor: actor, RequestId: uuid.NewString()}
	for _, scope := range principal.All() {
		request.Scopes = append(request.Scopes, string(scope))
	}
	answer, err := stack.Keys(w.env.KeysRPCURL, w.env.RPCToken).IssueKey(ctx, request)
	if err != nil {
		return nil, fmt.Errorf("issue a key: %w", err)
	}
	w.known[id] = &seller{id: id, key: answer.GetText()}
	return w.known[id], nil
}

// ago returns a time before that of the newest order, as a parameter.
func ago(base time.Time, age time.Duration) string { return base.Add(-age).UTC().Format(time.RFC3339) }

// during returns the time at which the given part of the orders had been filled in, as a parameter: a range of updated_at
// lies within the time of the fill.
func (w *world) during(part float64) string {
	return w.filled[0].Add(time.Duration(part * float64(w.filled[1].Sub(w.filled[0])))).UTC().Format(time.RFC3339Nano)
}
