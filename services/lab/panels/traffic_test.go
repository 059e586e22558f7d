package panels_test

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/identity"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/sandbox/market"
)

// traffic is the load on the system while it is measured: a lively marketplace, and sellers whose programs read, process,
// repeat calls and make mistakes.
type traffic struct {
	*stacktest.Stack
	seller string
	client *stacktest.Client
	sql    *pgx.Conn
	// console is its address, and person a browser that is signed in there.
	console string
	person  *http.Client
}

func startTraffic(t *testing.T, s *stacktest.Console) (stop func()) {
	t.Helper()
	sellers := s.Sellers(t, 2)
	plan := market.Plan{Seed: rand.Uint64(), Base: time.Now(), Orders: 150} // order numbers derive from the seed and must not repeat
	for _, seller := range sellers {
		plan.Sellers = append(plan.Sellers, market.Seller{ID: seller.ID, Name: "달빛상회", Share: 1})
	}
	trade, err := market.New(plan)
	require.NoError(t, err)
	_, err = trade.Fill(t.Context(), s.Intake, market.FillOptions{})
	require.NoError(t, err)
	session := market.Intakes{Orders: s.Intake, Claims: s.Claims, Inquiries: s.Inquiries}
	require.NoError(t, trade.Ask(t.Context(), s.Inquiries, 20))
	// A busy machine may take too long for a call; filling again adds what is missing.
	stacktest.Await(t, "claims in every state", func() bool {
		return trade.FillClaims(t.Context(), session,
			trade.ClaimStories()) == nil
	})

	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		trade.Live(ctx, session, time.Second, func(error) {})
	})
	f := traffic{
		Stack: s.Stack, seller: sellers[0].ID, client: s.Client(sellers[0].ID), sql: s.SQL(t),
		console: s.URL, person: signedIn(t, s, sellers[0].ID),
	}
	running.Go(func() {
		for ctx.Err() == nil {
			f.round(t)
		}
	})
	return func() { cancel(); running.Wait() }
}

func (f traffic) round(t *testing.T) {
	t.Helper()
	f.orders(t)
	f.claims(t)
	f.inquiries(t)
	f.pages(t)
	for _, path := range []string{"/open/v1/orders", "/open/v1/claims", "/open/v1/qna"} {
		f.client.Do(t, stacktest.Get("", path))
		f.client.Do(t, stacktest.Get("", path, "limit", "0"))
	}
	for _, key := range []string{"", "vpk_test_guessed", "not ours"} {
		f.Do(t, stacktest.Get(key, "/open/v1/orders"))
	}
}

// orders processes an order, sends a call twice, and requests an order that does not exist. It also makes the purchases
// that would be confirmed automatically days after their delivery due at once.
func (f traffic) orders(t *testing.T) {
	t.Helper()
	order := f.PlaceNew(t, f.seller)
	path := "/open/v1/orders/" + order.GetOrderNo()
	ids := map[string]any{"item_ids": []string{order.GetSellers()[0].GetLines()[0].GetItemId()}}
	again := stacktest.PostJSON(t, "", path+"/preparation", ids)
	shipment := map[string]any{"item_ids": ids["item_ids"], "carrier_name": "한진택배", "tracking_no": "412345678901"}
	for _, call := range []stacktest.Call{
		again, again, stacktest.Get("", path), stacktest.Get("", path+"0"), stacktest.PostJSON(t, "", path+"/delivery", ids),
		stacktest.PostJSON(t, "", path+"/shipment", shipment), stacktest.PostJSON(t, "", path+"/delivery", ids),
	} {
		f.client.Do(t, call)
	}
	_, err := f.sql.Exec(t.Context(), "update orders.lines set auto_confirm_at = now() where auto_confirm_at > now()")
	require.NoError(t, err)
}

func (f traffic) claims(t *testing.T) {
	t.Helper()
	for kind, actions := range map[string][]string{
		stacktest.Cancel: {"approve"}, stacktest.Exchange: {"approve", "pickup", "collect-done", "inspect", "reship"},
	} {
		request := stacktest.NewClaim(kind, f.PlaceNew(t, f.seller, stacktest.Claimable(kind)), stacktest.Pieces(1))
		f.RequestClaim(t, request)
		for _, action := range actions {
			f.client.Do(t, stacktest.ActOn(t, request.GetClaimNo(), action, map[string]string{
				"carrier_name": "한진택배", "tracking_no": "412345678901", "result": "pass",
			}))
		}
		f.client.Do(t, stacktest.ActOn(t, request.GetClaimNo(), "reject", map[string]string{"memo": "늦음"}))
	}
}

func (f traffic) inquiries(t *testing.T) {
	t.Helper()
	inquiry := stacktest.NewInquiry(f.seller)
	f.Ask(t, inquiry)
	for _, id := range []string{inquiry.GetQnaId(), uuid.NewString()} {
		f.client.Do(t, stacktest.PostJSON(t, "", "/open/v1/qna/"+id+"/answer", map[string]string{"content": "내일 출고됩니다"}))
	}
}

// signedIn returns a browser in which the representative of a seller has signed in at the console.
func signedIn(t *testing.T, s *stacktest.Console, seller string) *http.Client {
	t.Helper()
	s.People.Know(identity.Person{Subject: "kim", Name: "Kim", Roles: []string{"representative:" + seller}})
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	person := &http.Client{Jar: jar, Timeout: time.Minute}
	person.CheckRedirect = func(next *http.Request, _ []*http.Request) error {
		if query := next.URL.Query(); query.Has("code_challenge") { // the provider's page, on which kim is chosen
			query.Set(identity.Field, "kim")
			next.URL.RawQuery = query.Encode()
		}
		return nil
	}
	visit(t, person, s.URL+"/sign-in/start")
	return person
}

// visit gets a page, after redirections.
func visit(t *testing.T, person *http.Client, address string) {
	t.Helper()
	request, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, address, nil)
	require.NoError(t, err)
	response, err := person.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode, address)
}

// pages looks at the pages of the console.
func (f traffic) pages(t *testing.T) {
	t.Helper()
	for _, path := range []string{"/keys", "/requests", "/usage", "/webhooks"} {
		visit(t, f.person, f.console+path)
	}
}
