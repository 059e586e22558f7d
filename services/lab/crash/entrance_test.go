package crash

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service/servicetest"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/gateway"
)

const gatewayService = "gateway"

// entrance is a system of orders and a gateway with the published limits in front of it, with a Redis of its own. The gateway's
// calls pass a proxy, which can hold one.
type entrance struct {
	*system
	redis    *redistest.Server
	settings []string // of the gateway
	held     atomic.Pointer[held]
}

// held is a call that stays between the gateway and orders.
type held struct {
	at            interruption
	caught        atomic.Bool
	reached, open chan struct{}
}

func newHeld(at interruption) *held {
	return &held{at: at, reached: make(chan struct{}), open: make(chan struct{})}
}

func newEntrance(t *testing.T, database secret.Text) *entrance {
	t.Helper()
	e := &entrance{system: &system{t: t, http: &http.Client{Transport: &http.Transport{}}}, redis: redistest.Own(t)}
	t.Cleanup(e.http.CloseIdleConnections)
	var err error
	e.db, err = pgxpool.New(t.Context(), database.Reveal())
	require.NoError(t, err)
	t.Cleanup(e.db.Close)
	proxy := httptest.NewServer(rpctest.Around(e.toward(ordersService, "public"),
		func(*http.Request, []byte) rpctest.Fault { return e.pass() }))
	t.Cleanup(proxy.Close)
	e.processes = map[string]*servicetest.Process{ordersService: e.process(ordersService, database)}
	e.addGateway(database, "UPSTREAMS=orders="+proxy.URL)
	e.start(ordersService, gatewayService)
	return e
}

// addGateway adds the gateway, which is not started yet.
func (e *entrance) addGateway(database secret.Text, settings ...string) {
	e.t.Helper()
	var keyset bytes.Buffer
	require.NoError(e.t, gateway.NewCommands().Keyset.New.Run(&keyset))
	e.settings = slices.Concat(settings, []string{
		"REDIS_URL=" + e.redis.Config.URL.Reveal(), "ENVIRONMENT=test",
		"KEY_PEPPER=" + base64.StdEncoding.EncodeToString(key), "KEY_ENCRYPTION_KEYSET=" + strings.TrimSpace(keyset.String()),
	})
	e.processes[gatewayService] = e.process(gatewayService, database, e.settings...)
	e.settings = append(e.settings, "DATABASE_URL="+database.Reveal())
}

// pass returns the fault of a call on its way to orders: the first one after a hold was asked for stays until it is opened.
func (e *entrance) pass() rpctest.Fault {
	h := e.held.Load()
	if h == nil || !h.caught.CompareAndSwap(false, true) {
		return rpctest.Fault{}
	}
	stop := func() {
		close(h.reached)
		select {
		case <-h.open:
		case <-e.t.Context().Done():
		}
	}
	if h.at.performed {
		return rpctest.Fault{After: stop, Drop: h.at.drops}
	}
	return rpctest.Fault{Before: stop, Unreachable: h.at.drops}
}

// client is a seller with a new key and an order, who sends one call until it is answered.
type client struct {
	*entrance
	seller, key       string
	path, body, order string
	idempotencyKey    string

	last             response
	spent, remaining int
	seen             []string
}

// response is what the client receives. It is zero when there was no connection, or it broke.
type response struct {
	reply
	header http.Header
}

func (e *entrance) newClient(t *testing.T) *client {
	t.Helper()
	c := &client{entrance: e, seller: uuid.NewString(), idempotencyKey: uuid.NewString()}
	e.operate(t, "keys", "register-seller", "--name", "S", "--seller", c.seller, "--actor", "kim")
	c.key = e.issue(t, c.seller)
	order := stacktest.NewOrder(c.seller, stacktest.InState("paid"))
	intake := stack.Intake("http://"+e.processes[ordersService].Address("rpc"), marketplaceToken(t))
	_, err := intake.PlaceOrders(t.Context(), &ordersv1.PlaceOrdersRequest{Orders: []*ordersv1.Order{order}})
	require.NoError(t, err)
	c.order = "/open/v1/orders/" + order.GetOrderNo()
	c.path = c.order + "/preparation"
	c.body = fmt.Sprintf(`{"item_ids":[%q]}`, order.GetSellers()[0].GetLines()[0].GetItemId())
	return c
}

func (e *entrance) issue(t *testing.T, seller string) string {
	t.Helper()
	var issued struct {
		Text string `json:"text"`
	}
	require.NoError(t, json.Unmarshal(e.operate(t, "keys", "issue", "--seller", seller, "--actor", "kim"), &issued))
	return issued.Text
}

func (e *entrance) operate(t *testing.T, arguments ...string) []byte {
	t.Helper()
	folder, err := programs()
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), filepath.Join(folder, gatewayService), arguments...)
	command.Env = e.settings
	out, err := command.Output()
	require.NoError(t, err)
	return out
}

func (c *client) send() response { return c.do(http.MethodPost, c.path, c.body) }

func (c *client) get() response { return c.do(http.MethodGet, c.order, "") }

func (c *client) do(method, path, body string) response {
	request, err := http.NewRequestWithContext(context.WithoutCancel(c.t.Context()), method,
		"http://"+c.processes[gatewayService].Address("public")+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("X-Api-Key", c.key)
	if method == http.MethodPost {
		request.Header.Set("Idempotency-Key", c.idempotencyKey)
	}
	got, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	if err != nil {
		return response{}
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return response{}
	}
	return response{reply{got.StatusCode, string(text), got.Header.Get(inbox.ReplayedHeader) == "true"}, got.Header}
}

// count counts a call, unless the gateway did not get it or said that it did not count it.
func (c *client) count(got response) {
	if got.status == 0 && len(c.seen) > 0 {
		return
	}
	c.seen = append(c.seen, fmt.Sprint(got.status, " ", got.header.Get("Retry-After")))
	if !strings.Contains(got.body, "RATE_LIMIT") {
		c.spent++
	}
}
