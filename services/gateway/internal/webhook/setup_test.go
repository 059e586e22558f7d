package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/store"
	"sellerapi.dev/services/gateway/internal/webhook"
)

var kim = audit.Author{Caller: "console", Actor: "kim"}

// fixture is a gateway whose services are clocks that the test moves.
type fixture struct {
	t      *testing.T
	db     *pgtest.DB
	store  *store.Store
	vault  *apikey.Vault
	sender *webhook.Sender
	tel    *telemetry.Telemetry
	hooks  *webhook.Hooks
	one    *webhook.Deliverer
	seller uuid.UUID
	now    time.Time

	mu     sync.Mutex
	clocks map[operation.Service]map[uuid.UUID]int64
	away   operation.Service
}

func setup(t *testing.T) *fixture {
	t.Helper()
	keyset, err := apikey.NewKeyset()
	require.NoError(t, err)
	vault, err := apikey.NewVault(keyset)
	require.NoError(t, err)
	db := pgtest.New(t, store.Migrations())
	b := &fixture{
		t: t, db: db, store: store.New(db.Pool), vault: vault, sender: webhook.NewSender(webhook.Addresses{Loopback: true}),
		tel: telemetrytest.ForTest(t), now: time.Now(),
		clocks: map[operation.Service]map[uuid.UUID]int64{operation.Orders: {}, operation.Claims: {}, operation.QnA: {}},
	}
	b.hooks = webhook.NewHooks(b.store, vault, b.services(), b.sender)
	b.one = b.instance()
	b.seller = b.register()
	return b
}

// instance returns another gateway on the same database.
func (b *fixture) instance() *webhook.Deliverer {
	d := webhook.NewDeliverer(b.store, b.vault, b.services(), b.sender, b.tel)
	b.t.Cleanup(d.Wait)
	return d
}

func (b *fixture) register() uuid.UUID {
	b.t.Helper()
	seller := uuid.New()
	require.NoError(b.t, b.store.RegisterSeller(b.t.Context(), apikey.RegisterRequest{SellerID: seller, Name: "S", Author: kim}))
	return seller
}

func (b *fixture) services() webhook.Services {
	services := webhook.Services{}
	for name := range b.clocks {
		services[name] = func(_ context.Context, sellers [][]byte) ([]int64, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			if name == b.away {
				return nil, io.ErrUnexpectedEOF
			}
			micros := make([]int64, len(sellers))
			for n, id := range sellers {
				micros[n] = b.clocks[name][uuid.UUID(id)]
			}
			return micros, nil
		}
	}
	return services
}

// move changes a list of the seller.
func (b *fixture) move(seller uuid.UUID, lists ...operation.Service) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, name := range lists {
		b.clocks[name][seller]++
	}
}

func (b *fixture) add(seller uuid.UUID, url string) (webhook.Webhook, secret.Text) {
	b.t.Helper()
	hook, text, err := b.hooks.Add(b.t.Context(), webhook.AddRequest{SellerID: seller, URL: url, Author: kim, RequestID: uuid.New()})
	require.NoError(b.t, err)
	return hook, text
}

// look lets an instance compare once, as much later as said.
func (b *fixture) look(d *webhook.Deliverer, later time.Duration) {
	b.t.Helper()
	b.now = b.now.Add(later)
	require.NoError(b.t, d.Look(b.t.Context(), b.now))
}

// pass lets an instance notice what has moved, wait for more, and deliver. What is due later is due now.
func (b *fixture) pass() {
	b.t.Helper()
	b.exec("update webhooks set due_at = now()")
	b.look(b.one, 0)
	b.look(b.one, webhook.Gather)
	b.one.Wait()
}

// wait returns in how many seconds the only webhook is due.
func (b *fixture) wait() float64 {
	b.t.Helper()
	var seconds float64
	row := b.db.Pool.QueryRow(b.t.Context(), "select extract(epoch from due_at - now())::float8 from webhooks")
	require.NoError(b.t, row.Scan(&seconds))
	return seconds
}

func (b *fixture) exec(sql string, args ...any) {
	b.t.Helper()
	_, err := b.db.Pool.Exec(b.t.Context(), sql, args...)
	require.NoError(b.t, err)
}

func (b *fixture) deliveries(hook webhook.Webhook) []webhook.Delivery {
	b.t.Helper()
	found, err := b.hooks.Deliveries(b.t.Context(), webhook.Request{SellerID: hook.SellerID, ID: hook.ID, Author: kim}, uuid.Max)
	require.NoError(b.t, err)
	return found
}

func (b *fixture) state(hook webhook.Webhook) webhook.Webhook {
	b.t.Helper()
	hooks, err := b.hooks.List(b.t.Context(), webhook.Request{SellerID: hook.SellerID, Author: kim})
	require.NoError(b.t, err)
	return hooks[slices.IndexFunc(hooks, func(one webhook.Webhook) bool { return one.ID == hook.ID })]
}

// received is a request to a receiver.
type received struct {
	header http.Header
	body   string
}

// receiver answers with handler, and keeps what it got.
type receiver struct {
	url string
	mu  sync.Mutex
	got []received
}

func receive(t *testing.T, handler http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		r.mu.Lock()
		r.got = append(r.got, received{request.Header, string(body)})
		r.mu.Unlock()
		if handler != nil {
			handler(w, request)
		}
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func (r *receiver) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

// verified reports whether one of the signatures is of the secret, as a receiver would.
func (r received) verified(t *testing.T, text secret.Text) bool {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text.Reveal(), "whsec_"))
	require.NoError(t, err)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(r.header.Get("webhook-id") + "." + r.header.Get("webhook-timestamp") + "." + r.body))
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return slices.Contains(strings.Split(r.header.Get("webhook-signature"), " "), want)
}
