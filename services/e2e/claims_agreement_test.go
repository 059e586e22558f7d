package e2e

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/agreementtest"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/gateway"
)

// The minimum time that claims are watched, how many are watched at the same time, and by how many clients each.
const (
	watching = 6 * time.Second
	stories  = 4
	watchers = 3
)

// lead is a course that a claim takes: the state that it is brought to before it is watched, what decides it then, the status
// that the decision shows, what a client that sees that status can do at once, and how the claim goes on.
type lead struct {
	kind, from string
	decide     func(t *testing.T, d *session, claim stacktest.Claim)
	shows      string
	act        func(t *testing.T, d *session, order stacktest.Order)
	on         func(t *testing.T, d *session, claim stacktest.Claim)
}

func acting(action string, request body) func(*testing.T, *session, stacktest.Claim) {
	return func(t *testing.T, d *session, claim stacktest.Claim) {
		t.Helper()
		d.acted(t, claim.ClaimNo, action, request)
	}
}

func withdrawing(t *testing.T, d *session, claim stacktest.Claim) {
	t.Helper()
	require.Equal(t, "withdrawn", d.WithdrawClaim(t, claim.ClaimNo))
}

func converting(t *testing.T, d *session, claim stacktest.Claim) {
	t.Helper()
	d.ConvertToReturn(t, claim.ClaimNo)
}

func nothing(*testing.T, *session, stacktest.Claim) {}

// processes returns an act in which the seller processes a line of the order, which must not be refused.
func processes(action string, line int) func(*testing.T, *session, stacktest.Order) {
	return func(t *testing.T, d *session, order stacktest.Order) {
		t.Helper()
		request := of(order.Items[line].ItemID)
		if action == "shipment" {
			request = toShip(order.Items[line].ItemID)
		}
		answer := d.do(t, action, order.OrderNo, request)
		require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
	}
}

// buys lets the customer confirm the purchase, which an active claim would not allow.
func buys(t *testing.T, d *session, order stacktest.Order) {
	t.Helper()
	_, err := d.confirm(t, order.OrderNo, order.Items[0].ItemID)
	require.NoError(t, err)
}

var leads = []lead{
	{stacktest.Cancel, "requested", acting("reject", rejection()), "rejected", processes("shipment", 0), nothing},
	{stacktest.Cancel, "requested", acting("approve", nil), "completed", nil, nothing},
	{stacktest.Return, "approved", withdrawing, "withdrawn", buys, nothing},
	{stacktest.Return, "payment_pending", nothing, "expired", buys, nothing},
	{stacktest.Return, "collected", acting("inspect", failedInspection()), "rejected", buys, nothing},
	{stacktest.Return, "collected", acting("inspect", body{"result": "pass"}), "completed", nil, nothing},
	{stacktest.Return, "collected", func(t *testing.T, d *session, claim stacktest.Claim) {
		t.Helper()
		d.letInspectionsPass(t, claim.ClaimNo)
	}, "completed", nil, nothing},
	{stacktest.Exchange, "requested", withdrawing, "withdrawn", buys, nothing},
	{stacktest.Exchange, "requested", acting("reject", rejection()), "rejected", buys, nothing},
	{stacktest.Exchange, "approved", converting, "converted_to_return", nil, nothing},
	{
		stacktest.Exchange, "collected", acting("inspect", body{"result": "pass"}), "reshipping", processes("preparation", 1),
		acting("reship", requestBody("reship")),
	},
	{
		stacktest.Exchange, "collected", func(t *testing.T, d *session, claim stacktest.Claim) {
			t.Helper()
			require.Equal(t, "rejected", d.operatorFails(t, claim.ClaimNo))
		}, "rejected", buys, nothing,
	},
	{
		stacktest.Exchange, "collected", acting("inspect", body{"result": "pass"}), "reshipping", processes("shipment", 1),
		acting("reship", requestBody("reship")),
	},
	{
		stacktest.Exchange, "collected", acting("inspect", body{"result": "pass"}), "reshipping",
		processes("preparation", 1), converting,
	},
}

// operatorFails lets an operator reject the goods in a manual inspection.
func (d *session) operatorFails(t *testing.T, claimNo string) string {
	t.Helper()
	d.HoldInspection(t, claimNo)
	return d.acted(t, claimNo, "reject", rejection()).Status
}

func (l *lead) begin(t *testing.T, d *session) stacktest.Claim {
	t.Helper()
	if l.from != "payment_pending" {
		return d.advance(t, d.newClaim(t, l.kind), l.from)
	}
	asked := time.Now().Add(-72*time.Hour + 500*time.Millisecond).UTC().Truncate(time.Microsecond)
	order := d.PlaceNew(t, d.seller.ID, deliveredBefore(80*time.Hour), cheap)
	return d.claimOn(t, order, l.kind, stacktest.Because("etc"), stacktest.AskedAt(asked))
}

// watch is the clients that look at a claim and its order until its course has ended.
type watch struct {
	lead  *lead
	claim stacktest.Claim
	read  agreementtest.Reader
	// shown is closed when the claim has been seen in the state that the decision leads to, over when its course has ended.
	shown, over chan struct{}
	once        sync.Once
	clients     sync.WaitGroup
	mu          sync.Mutex
	// states are the states that the claim was seen in, each with how often.
	states map[string]int
	wrong  string
}

func (w *watch) start(ctx context.Context) {
	w.shown, w.over, w.states = make(chan struct{}), make(chan struct{}), map[string]int{}
	for range watchers {
		w.clients.Go(func() { w.look(ctx) })
	}
}

// look looks again and again until the course has ended, and then once more with fresh reads.
func (w *watch) look(ctx context.Context) {
	looker := agreementtest.Looker{Read: w.read, ClaimNo: w.claim.ClaimNo, OrderNo: w.claim.OrderNo}
	for isOver := false; ctx.Err() == nil; {
		claim, order, ok := looker.Look(ctx)
		if ok {
			w.note(&claim, &order, isOver)
		}
		if ok && isOver {
			return
		}
		select {
		case <-w.over:
			if !isOver {
				looker.Forget()
			}
			isOver = true
		default:
		}
	}
}

// note records what was seen. When the course has ended no line may be ahead of its claim.
func (w *watch) note(claim *stacktest.Claim, order *stacktest.Order, isOver bool) {
	contradiction := agreementtest.Contradiction
	if isOver {
		contradiction = agreementtest.ContradictionAtRest
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.states[claim.Status]++
	w.wrong = cmp.Or(w.wrong, contradiction(claim, order))
	if claim.Status == w.lead.shows {
		w.once.Do(func() { close(w.shown) })
	}
}

// end waits for the clients and returns how often they have looked. It requires that each state that the course stays in was
// seen.
func (w *watch) end(t *testing.T) int {
	t.Helper()
	close(w.over)
	w.clients.Wait()
	require.Empty(t, w.wrong)
	require.Positive(t, w.states[w.lead.shows])
	count := 0
	for _, often := range w.states {
		count += often
	}
	require.GreaterOrEqual(t, count, watchers, "each client has seen the final state")
	return count
}

// A client that sees a claim in a state finds its line as the state promises, at any instant and however the claim is decided,
// and can act on it at once: prepare and ship the line of a claim that is reshipping, and process a line that its claim has
// released.
func TestClaimsAndOrders_agree(t *testing.T) { //nolint:tparallel // the count waits for the watching clients
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	const noLimit = 1_000_000
	through := stacktest.Use(t).Through(t, func(c *gateway.Config) { c.Limits.Read, c.Limits.Rows = noLimit, noLimit })
	client := &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: stories * watchers}}
	t.Cleanup(client.CloseIdleConnections)
	var next, seen atomic.Int64
	until := time.Now().Add(watching)
	t.Run("watched", func(t *testing.T) {
		for n := range stories {
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				for n := next.Add(1); n <= int64(len(leads)) || time.Now().Before(until); n = next.Add(1) {
					way := leads[(seed+uint64(n))%uint64(len(leads))]
					d := openSession(t)
					seen.Add(int64(way.live(t, d, agreementtest.HTTP(client, through.GatewayURL, d.seller.Key))))
				}
			})
		}
	})
	t.Logf("%d glances at %d claims", seen.Load(), next.Load()-stories)
	require.GreaterOrEqual(t, seen.Load(), int64(watchers*len(leads)), "each course was watched")
}

// live takes a claim along its course while it is watched, and acts on what the claim promises as soon as a client sees it.
func (l *lead) live(t *testing.T, d *session, read agreementtest.Reader) int {
	t.Helper()
	w := &watch{lead: l, claim: l.begin(t, d), read: read}
	w.start(t.Context())
	acted, done := make(chan struct{}), make(chan struct{})
	other := &session{Stack: d.Stack, seller: d.seller, client: d.Client(d.seller.ID)}
	go func() {
		defer close(done)
		l.decide(t, other, w.claim)
		select {
		case <-acted:
			l.on(t, other, w.claim)
		case <-t.Context().Done():
		}
	}()
	select {
	case <-w.shown:
	case <-time.After(time.Minute):
		require.FailNow(t, "is never shown", "%s %s", w.claim.ClaimNo, l.shows)
	}
	if l.act != nil {
		l.act(t, d, d.order(t, w.claim.OrderNo))
	}
	close(acted)
	<-done
	return w.end(t)
}

// While the order is locked a rejection is not answered: a seller who reads "rejected" must be able to ship the line.
func TestReject_waitsForItsLine(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Cancel)
	item := claim.Items[0].ItemID
	lock := d.Lock(t, "select from orders.orders where seller_id = $1 and order_no = $2 for no key update",
		d.seller.ID, claim.OrderNo)
	other := &session{Stack: d.Stack, seller: d.seller, client: d.Client(d.seller.ID)}
	answered := make(chan stacktest.Answer, 1)
	call := actOn(t, claim.ClaimNo, "reject", rejection())
	go func() { answered <- other.client.Do(t, call) }()
	stacktest.Await(t, "the rejection waits for the order", func() bool { return lock.IsWantedBy(t, 1) })
	require.Equal(t, "requested", d.client.Claim(t, claim.ClaimNo).Status, "the decision is not performed yet")
	require.True(t, d.order(t, claim.OrderNo).Items[0].HasActiveClaim)
	require.Empty(t, answered)
	lock.Release(t)
	answer := <-answered
	if answer.Status == http.StatusServiceUnavailable { // the machine was busy for longer than a call waits
		answer = d.client.Do(t, call)
	}
	require.Equal(t, "rejected", stacktest.RequireOK[stacktest.Claim](t, answer).Status)
	require.Equal(t, "shipping", d.done(t, "shipment", claim.OrderNo, toShip(item)).Items[0].ItemStatus)
}
