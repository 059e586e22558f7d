package saga_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/claims/internal/refund"
	"sellerapi.dev/services/claims/internal/saga"
	"sellerapi.dev/services/claims/internal/store"
	"sellerapi.dev/services/orders/orderstest"
)

// fixture is a saga on its own schema, with the orders service beside it and a scripted provider. No sweep runs: what a
// request does not finish stays until heal is called.
type fixture struct {
	*pgtest.DB
	// trips counts the round trips to the database.
	trips   *pgtest.Recorder
	store   *store.Store
	saga    *saga.Saga
	orders  *orderstest.Orders
	pays    *provider
	seller  uuid.UUID
	options saga.Options
}

type provider struct {
	mu    sync.Mutex
	paid  map[uuid.UUID]int64
	asked int
	// say returns the response; nil means success.
	say func(asked int) (refund.Result, error)
}

// Refund implements refund.Provider.
func (p *provider) Refund(_ context.Context, r refund.Request) (refund.Result, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	result, err := refund.Result{Trigger: claim.Succeed, Reference: "P-" + r.ClaimNo}, error(nil)
	if p.say != nil {
		result, err = p.say(p.asked)
	}
	if err == nil && result.Trigger == claim.Succeed {
		p.paid[r.ID] = r.Amount
	}
	return result, err
}

// Close implements refund.Provider.
func (p *provider) Close() {}

func (p *provider) tell(say func(asked int) (refund.Result, error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.say, p.asked = say, 0
}

func (p *provider) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paid = map[uuid.UUID]int64{}
}

func (p *provider) total() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	var sum int64
	for _, amount := range p.paid {
		sum += amount
	}
	return sum
}

func setup(t *testing.T) *fixture {
	t.Helper()
	orders := orderstest.New(t)
	return setupWith(t, orders, orders.Serve(t))
}

// setupWith is setup with another address of the orders service, which must lead to orders.
func setupWith(t *testing.T, orders *orderstest.Orders, url string) *fixture {
	t.Helper()
	tel := telemetrytest.Discard(t)
	client, err := lines.New(lines.Config{URL: url, Timeout: 10 * time.Second}, rpc.Config{},
		rpctest.As(rpc.CallerClaims, "orders"), tel)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	b := &fixture{
		DB: pgtest.New(t, store.Migrations()), orders: orders,
		pays: &provider{paid: map[uuid.UUID]int64{}}, seller: uuid.New(),
	}
	pool, recorder := b.Recorded(t)
	b.store, b.trips = store.New(pool), recorder
	b.options = saga.Options{
		Claims: b.store, Lines: client, Provider: b.pays, Telemetry: tel, Periods: claim.DefaultPeriods(), Inline: 20 * time.Second,
	}
	b.saga = saga.New(b.options)
	return b
}

var (
	memo   = claim.Values{Memo: "no"}
	hanjin = claim.Values{Carrier: "한진택배", TrackingNo: "412345678901"}
	lotte  = claim.Values{Carrier: "롯데택배", TrackingNo: "412345678901"}
	pass   = claim.Values{Result: claim.Pass}
	fail   = claim.Values{Result: claim.Fail, Memo: "worn"}
)

// wanted returns a claim with a reason that is the seller's fault, on two of three pieces of an order that is ready for it.
func (b *fixture) wanted(kind claim.Type) claim.Wanted {
	status := "delivered"
	if kind == claim.Cancel {
		status = "paid"
	}
	no := strings.ToUpper(uuid.NewString())
	w := claim.Wanted{
		No: "C-" + no, OrderNo: "O-" + no, SellerID: b.seller, Type: kind, Reason: claim.Defective,
		Items: []claim.WantedItem{{ItemID: b.orders.Place(b.seller, "O-"+no, status, 3)[0], Quantity: 2}},
	}
	if kind == claim.Exchange {
		w.Items[0].ExchangeOptionName = "파랑 / L"
	}
	return w
}

// parcel returns the parcel of a shipment.
func parcel(values claim.Values) carrier.Shipment {
	return carrier.Shipment{Carrier: values.Carrier, TrackingNo: values.TrackingNo}
}

func (b *fixture) open(t *testing.T, kind claim.Type) claim.Claim {
	t.Helper()
	c, err := b.saga.Request(t.Context(), b.wanted(kind))
	require.NoError(t, err)
	return c
}

func (b *fixture) act(t *testing.T, c claim.Claim, action claim.Trigger, values claim.Values) (claim.Claim, error) {
	t.Helper()
	performed, _, err := b.saga.Perform(t.Context(), b.seller, c.No,
		claim.Command{Action: action, Values: values, Actor: claim.Actor{Kind: claim.ByAPI, Name: "key-1"}})
	return performed, err
}

type call struct {
	action claim.Trigger
	values claim.Values
}

// lives are the actions that take a claim of a type to its end.
var lives = map[claim.Type][]call{
	claim.Cancel: {{claim.Approve, claim.Values{}}},
	claim.Return: {
		{claim.Approve, claim.Values{}},
		{claim.Pickup, hanjin},
		{claim.CollectDone, claim.Values{}},
		{claim.Inspect, pass},
	},
	claim.Exchange: {
		{claim.Approve, claim.Values{}},
		{claim.Pickup, hanjin},
		{claim.CollectDone, claim.Values{}},
		{claim.Inspect, pass},
		{claim.Reship, hanjin},
	},
}

func (b *fixture) advance(t *testing.T, c claim.Claim, count int) claim.Claim {
	t.Helper()
	for _, step := range lives[c.Type][:count] {
		next, err := b.act(t, c, step.action, step.values)
		require.NoError(t, err)
		c = next
	}
	return c
}

func (b *fixture) get(t *testing.T, c claim.Claim) claim.Claim {
	t.Helper()
	got, err := b.store.Get(t.Context(), b.seller, c.No)
	require.NoError(t, err)
	return got
}

func (b *fixture) pending(t *testing.T, no string) []claim.Step {
	t.Helper()
	rows, _ := b.Pool.Query(t.Context(), "select name from steps where claim_no = $1 order by planned_at, step_id", no)
	names, err := pgx.CollectRows(rows, pgx.RowTo[claim.Step])
	require.NoError(t, err)
	return names
}

// heal does what sweeps would do: every step until none is left, and every refund that is due.
func (b *fixture) heal(t *testing.T) {
	t.Helper()
	for range 20 {
		b.ask(t)
		b.letCome(t)
		steps, err := b.store.DueSteps(t.Context(), 100)
		require.NoError(t, err)
		if len(steps) == 0 {
			return
		}
		for _, step := range steps {
			_ = b.saga.RunStep(t.Context(), step) // is run again in the next round
		}
	}
	t.Fatal("steps are left")
}

func (b *fixture) ask(t *testing.T) {
	t.Helper()
	b.exec(t, "update refunds set next_at = clock_timestamp() - interval '1 minute' where next_at is not null")
	due, err := b.store.DueRefunds(t.Context(), 100)
	require.NoError(t, err)
	for _, refund := range due {
		require.NoError(t, b.saga.RequestRefund(t.Context(), refund))
	}
}

func (b *fixture) letCome(t *testing.T) {
	t.Helper()
	b.exec(t, "update steps set next_at = clock_timestamp()")
}

func (b *fixture) due(t *testing.T, no string) []store.Step {
	t.Helper()
	b.letCome(t)
	steps, err := b.store.DueSteps(t.Context(), 100)
	require.NoError(t, err)
	return slices.DeleteFunc(steps, func(step store.Step) bool { return step.ClaimNo != no })
}

// exec changes the database as no call would.
func (b *fixture) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	_, err := b.Pool.Exec(t.Context(), statement, args...)
	require.NoError(t, err)
}

// requireDone checks that a claim and its order agree, that no work is left, and that every effect happened once.
func (b *fixture) requireDone(t *testing.T, c claim.Claim) {
	t.Helper()
	c = b.get(t, c)
	require.Equal(t, claim.Completed, c.Status)
	require.Empty(t, b.pending(t, c.No))
	ended := map[claim.Type]string{claim.Cancel: "canceled", claim.Return: "returned", claim.Exchange: "exchanged"}[c.Type]
	list := b.orders.Lines(c.OrderNo)
	require.Equal(t, int64(1), list[0].Quantity)
	require.Equal(t, int64(5000), list[0].Paid)
	require.Empty(t, list[0].ClaimNo)
	var settled orderstest.Line
	standIns := 0
	for _, line := range list[1:] {
		if line.IsExchange {
			standIns++
			require.Equal(t, "shipping", line.State)
			continue
		}
		settled = line
	}
	require.Equal(t, []any{ended, int64(2), int64(10000)}, []any{settled.State, settled.Quantity, settled.Paid})
	require.Equal(t, settled.ID, c.Items[0].CurrentItemID())
	require.Equal(t, list[0].Code, c.Items[0].ItemCode)
	if c.Type == claim.Exchange {
		require.Equal(t, 1, standIns)
		require.Zero(t, b.pays.total())
	} else {
		require.Zero(t, standIns)
		require.Equal(t, *c.Money.Refund, b.pays.total())
	}
}
