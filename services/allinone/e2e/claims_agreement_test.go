package e2e

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/stack/stacktest"
)

// How long claims are watched at least, and by how many clients at the same time.
const (
	watching = 6 * time.Second
	watchers = 6
)

// agreements is what a state of a claim promises of its line, and so what a line promises of its claim: the lines, each as its state
// and whether a claim holds it, that can be seen at one instant with a claim of the type in the state. Where a decision is registered and
// the order's side has agreed to it, the line is ahead of the claim for a moment: these are in "ahead".
var agreements = map[string]map[string]struct{ promised, ahead []string }{
	stacktest.Cancel: {
		"requested":         {[]string{"paid held"}, []string{"paid free", "shipping free"}},
		"refund_processing": {[]string{"paid held"}, []string{"canceled free"}},
		"completed":         {[]string{"canceled free"}, nil},
		"rejected":          {[]string{"paid free", "shipping free"}, nil},
	},
	stacktest.Return: {
		"payment_pending":   {[]string{"delivered held"}, []string{"delivered free", "confirmed free"}},
		"requested":         {[]string{"delivered held"}, []string{"delivered free", "confirmed free"}},
		"approved":          {[]string{"delivered held"}, []string{"delivered free", "confirmed free"}},
		"collecting":        {[]string{"delivered held"}, nil},
		"collected":         {[]string{"delivered held"}, []string{"delivered free", "confirmed free"}},
		"refund_processing": {[]string{"delivered held"}, []string{"returned free"}},
		"completed":         {[]string{"returned free"}, nil},
		"rejected":          {[]string{"delivered free", "confirmed free"}, nil},
		"withdrawn":         {[]string{"delivered free", "confirmed free"}, nil},
		"expired":           {[]string{"delivered free", "confirmed free"}, nil},
	},
	stacktest.Exchange: {
		"requested":  {[]string{"delivered held"}, []string{"delivered free", "confirmed free"}},
		"approved":   {[]string{"delivered held"}, []string{"delivered free", "confirmed free"}},
		"collecting": {[]string{"delivered held"}, nil},
		"collected":  {[]string{"delivered held"}, []string{"delivered free", "confirmed free", "delivered held, new paid"}},
		"inspecting": {[]string{"delivered held"}, []string{"delivered free", "confirmed free"}},
		"reshipping": {
			[]string{"delivered held, new paid", "delivered held, new preparing", "delivered held, new shipping"},
			[]string{"exchanged free, new shipping", "delivered held, new canceled"},
		},
		"completed": {[]string{"exchanged free, new shipping"}, nil},
		"rejected":  {[]string{"delivered free", "confirmed free"}, nil},
		"withdrawn": {[]string{"delivered free", "confirmed free"}, nil},
		// The return goes on with the line.
		"converted_to_return": {[]string{
			"delivered held", "delivered held, new canceled", "returned free, new canceled", "returned free", "delivered free", "confirmed free",
		}, nil},
	},
}

// standing is a line as agreements spell it.
func standing(order stacktest.Order) string {
	held := map[bool]string{true: "held", false: "free"}
	seen := order.Items[0].ItemStatus + " " + held[order.Items[0].HasActiveClaim]
	if len(order.Items) > 1 {
		seen += ", new " + order.Items[1].ItemStatus
	}
	return seen
}

// lead is a way that a claim goes: how far it is brought before it is watched, what decides it then, what the decision shows, what
// whoever sees that can do at once, and how the claim goes on.
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

// processes lets the seller do something with a line of the order, which must not be refused.
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

// buys lets the customer keep the goods, which a claim would not allow.
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
	{stacktest.Exchange, "collected", acting("inspect", body{"result": "pass"}), "reshipping", processes("preparation", 1), converting},
}

// operatorFails lets an operator find the goods to be wrong.
func (d *session) operatorFails(t *testing.T, claimNo string) string {
	t.Helper()
	d.HoldInspection(t, claimNo)
	return d.acted(t, claimNo, "reject", rejection()).Status
}

// begin requests the claim of a way and brings it to where it is decided.
func (l *lead) begin(t *testing.T, d *session) stacktest.Claim {
	t.Helper()
	if l.from != "payment_pending" {
		return d.advance(t, d.newClaim(t, l.kind), l.from)
	}
	asked := time.Now().Add(-72*time.Hour + 500*time.Millisecond).UTC().Truncate(time.Microsecond)
	order := d.PlaceNew(t, d.seller.ID, deliveredBefore(80*time.Hour), cheap)
	return d.claimOn(t, order, l.kind, stacktest.Because("etc"), stacktest.AskedAt(asked))
}

// watch reads a claim and its order in turns, each between two equal looks at the other, and holds them against the table. It does what
// the claim promises as soon as it shows it, and returns how often it has looked.
func (l *lead) watch(t *testing.T, d *session, claim stacktest.Claim, shown chan<- struct{}, done <-chan struct{}) int {
	t.Helper()
	count, acted := 0, false
	for going := true; going; {
		select {
		case <-done:
			going = false
		default:
		}
		now, order, ok := d.glance(t, claim, count%2 == 0)
		count++
		if ok {
			allowed := agreements[l.kind][now.Status]
			require.Contains(t, slices.Concat(allowed.promised, allowed.ahead), standing(order), "%s %s", l.kind, now.Status)
		}
		if now.Status == l.shows && !acted {
			acted = true
			if l.act != nil {
				l.act(t, d, d.order(t, claim.OrderNo))
			}
			close(shown)
		}
	}
	return count
}

// glance looks at a claim and its order as they are at one instant; false when they have changed meanwhile.
func (d *session) glance(t *testing.T, claim stacktest.Claim, claimFirst bool) (stacktest.Claim, stacktest.Order, bool) {
	t.Helper()
	if claimFirst {
		before, order, now := d.client.Claim(t, claim.ClaimNo), d.order(t, claim.OrderNo), d.client.Claim(t, claim.ClaimNo)
		return now, order, before.UpdatedAt == now.UpdatedAt
	}
	before, now, order := d.order(t, claim.OrderNo), d.client.Claim(t, claim.ClaimNo), d.order(t, claim.OrderNo)
	return now, order, before.UpdatedAt == order.UpdatedAt
}

// Whoever sees a claim in a state finds its line as the state promises, at any instant and whatever decides the claim, and can act on
// it at once: prepare and ship what is reshipping, and do with a line what its claim has let go of.
func TestClaimsAndOrders_agree(t *testing.T) { //nolint:tparallel // the count waits for those who watch
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var next, seen atomic.Int64
	until := time.Now().Add(watching)
	t.Run("watched", func(t *testing.T) {
		for n := range watchers {
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				for n := next.Add(1); n <= int64(len(leads)) || time.Now().Before(until); n = next.Add(1) {
					way := leads[(seed+uint64(n))%uint64(len(leads))]
					seen.Add(int64(way.live(t)))
				}
			})
		}
	})
	t.Logf("%d glances at %d claims", seen.Load(), next.Load()-watchers)
	require.GreaterOrEqual(t, seen.Load(), int64(len(leads)), "each way was watched")
}

// live brings a claim along its way while it is watched.
func (l *lead) live(t *testing.T) int {
	t.Helper()
	d := openSession(t)
	claim := l.begin(t, d)
	shown, done := make(chan struct{}), make(chan struct{})
	other := &session{Stack: d.Stack, seller: d.seller, client: d.Client(d.seller.ID)}
	go func() {
		defer close(done)
		l.decide(t, other, claim)
		select {
		case <-shown:
			l.on(t, other, claim)
		case <-time.After(time.Minute):
			t.Errorf("%s never became %s", claim.ClaimNo, l.shows)
		}
	}()
	return l.watch(t, d, claim, shown, done)
}

// While the order is busy a rejection is not answered: a seller who is told "rejected" can ship the line.
func TestReject_waitsForItsLine(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Cancel)
	item := claim.Items[0].ItemID
	lock := d.Lock(t, "select from orders.orders where order_no = $1 for no key update", claim.OrderNo)
	other := &session{Stack: d.Stack, seller: d.seller, client: d.Client(d.seller.ID)}
	answered := make(chan stacktest.Answer, 1)
	call := actOn(t, claim.ClaimNo, "reject", rejection())
	go func() { answered <- other.client.Do(t, call) }()
	stacktest.Await(t, "the rejection waits for the order", func() bool { return lock.IsWantedBy(t, 1) })
	require.Equal(t, "requested", d.client.Claim(t, claim.ClaimNo).Status, "it is not true yet")
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
