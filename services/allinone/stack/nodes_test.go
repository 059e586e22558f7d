//go:build citus

package stack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distributed"
	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/secret"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/orders"
)

// The role of a service has the rights of one node on all nodes: it reads and writes rows on the shards, except that it cannot
// remove or change rows of append-only tables there, and it is not a superuser on any node.
func TestRestrict_onNodes(t *testing.T) {
	t.Parallel()
	database := distributedtest.Database(t)
	require.NoError(t, orders.Schema.Migrate(t.Context(), postgres.Config{URL: database, RowSecurity: "off"}))
	config := pgtest.Config(t)
	config.URL = database
	distributedtest.Distribute(t, config, "orders")
	owner := connect(t, database)
	var role *pgx.Conn
	for range 2 { // twice, as when a system is started again
		restricted, err := stack.Restrict(t.Context(), database, "orders")
		require.NoError(t, err)
		role = connect(t, restricted)
	}
	for statement, refused := range map[string]bool{
		"select from orders.lines": false, "delete from orders.lines": false, "select from orders.status_changes": false,
		"delete from orders.status_changes": true, "update orders.status_changes set to_status = ''": true,
		"truncate orders.lines": true, "create table orders.more ()": true,
	} {
		_, err := role.Exec(t.Context(), statement)
		var failed *pgconn.PgError
		require.Equal(t, refused, errors.As(err, &failed) && failed.Code == "42501", "%s: %v", statement, err)
	}
	for table, want := range map[string]string{"lines": "t", "status_changes": "f"} {
		var may []string
		require.NoError(t, owner.QueryRow(t.Context(), `select array_agg(distinct result) from run_command_on_shards($1::text::regclass,
			$$ select has_table_privilege('orders_service', '%s', 'delete') $$)`, "orders."+table).Scan(&may))
		require.Equal(t, []string{want}, may, table)
	}
	var free []string
	require.NoError(t, owner.QueryRow(t.Context(), `select array_agg(distinct result) from run_command_on_all_nodes(
		$$ select rolsuper or rolbypassrls or rolcreaterole from pg_roles where rolname = 'orders_service' $$)`).Scan(&free))
	require.Equal(t, []string{"f"}, free)
}

func connect(t *testing.T, database secret.Text) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database.Reveal())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) })
	return conn
}

// An installation with data on one node is moved to several nodes: the coordinator, which has all rows, gets workers, and
// each service's tables are distributed, including a run that was interrupted and repeated. Clients read the same as
// before, byte for byte, with the same API keys. What was begun on one node can be finished on several, and an idempotency
// key that was used before is answered with the same response.
func TestDistribute_installationWithData(t *testing.T) {
	t.Parallel()
	database := distributedtest.Database(t)
	secrets, err := stack.NewSecrets()
	require.NoError(t, err)
	layout := func(isDistributed bool) func(*stack.Config) {
		return func(config *stack.Config) { config.Secrets, config.Distributed = secrets, isDistributed }
	}
	one := stacktest.OwnOn(t, database, layout(false))
	i := fill(t, one)
	before := i.look(t, one)
	one.Stop(t)

	breakOff(t, database)
	many := stacktest.OwnOn(t, database, layout(true)) // which continues the interrupted run, as the command of each service does
	require.Equal(t, before, i.look(t, many))
	i.goOn(t, many)
}

// breakOff distributes the first tables of orders and then interrupts the run.
func breakOff(t *testing.T, database secret.Text) {
	t.Helper()
	config := distributed.Config{Config: pgtest.Config(t), Shards: 8}
	config.URL, config.RowSecurity = database, "off"
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var said stopper
	said.stop = stop
	require.ErrorIs(t, distributed.Run(ctx, config, "orders", &said), context.Canceled)
}

// stopper is a writer that calls stop at the third line written to it.
type stopper struct {
	bytes.Buffer

	stop  context.CancelFunc
	lines int
}

// Write implements io.Writer.
func (s *stopper) Write(line []byte) (int, error) {
	if s.lines++; s.lines == 3 {
		s.stop()
	}
	return s.Buffer.Write(line)
}

type installation struct {
	sellers [2]stacktest.Seller
	paid    []*ordersv1.Order
	mixed   *ordersv1.Order
	claimNo string
	qnaID   string
	shipped stacktest.Call
	answer  json.RawMessage
}

// fill places orders of two sellers, including one with parts of both, requests claims, posts inquiries, and ships an order.
func fill(t *testing.T, s *stacktest.Stack) *installation {
	t.Helper()
	i := &installation{sellers: [2]stacktest.Seller(s.Sellers(t, 2))}
	for _, seller := range i.sellers {
		i.paid = append(i.paid, s.PlaceMany(t, 4, seller.ID)...)
		returned := stacktest.NewClaim(stacktest.Return, s.PlaceNew(t, seller.ID, stacktest.Claimable(stacktest.Return)))
		s.RequestClaim(t, returned)
		i.claimNo = returned.GetClaimNo()
		inquiry := stacktest.NewInquiry(seller.ID)
		s.Ask(t, inquiry)
		i.qnaID = inquiry.GetQnaId()
	}
	i.mixed = s.PlaceNew(t, i.sellers[0].ID, stacktest.With(i.sellers[1].ID))
	first := i.paid[0]
	stacktest.RequireOK[json.RawMessage](t, do(t, s, call(t, i.sellers[0], first, 0, "preparation")))
	i.shipped = call(t, i.sellers[0], first, 0, "shipment")
	i.answer = stacktest.RequireOK[json.RawMessage](t, do(t, s, i.shipped))
	return i
}

func call(t *testing.T, seller stacktest.Seller, order *ordersv1.Order, part int, action string) stacktest.Call {
	t.Helper()
	lines := order.GetSellers()[part].GetLines()
	ids := make([]string, 0, len(lines))
	for _, line := range lines {
		ids = append(ids, line.GetItemId())
	}
	body := map[string]any{"item_ids": ids}
	if action == "shipment" {
		body["carrier_name"], body["tracking_no"] = "CJ대한통운", "612345678901"
	}
	return stacktest.PostJSON(t, seller.Key, fmt.Sprintf("/open/v1/orders/%s/%s", order.GetOrderNo(), action), body)
}

// do sends a call and retries it while the answer is 503, as clients do: after a start the first calls reach nodes without
// connections.
func do(t *testing.T, s *stacktest.Stack, call stacktest.Call) (answer stacktest.Answer) {
	t.Helper()
	stacktest.Await(t, call.Path+" is answered", func() bool {
		answer = s.Do(t, call)
		return answer.Status != http.StatusServiceUnavailable
	})
	return answer
}

func (i *installation) look(t *testing.T, s *stacktest.Stack) map[string]string {
	t.Helper()
	seen := map[string]string{}
	for _, seller := range i.sellers {
		for list, id := range map[string]string{"orders": "order_no", "claims": "claim_no", "qna": ""} {
			path := "/open/v1/" + list
			page := do(t, s, stacktest.Get(seller.Key, path, "limit", "100"))
			read := stacktest.RequireOK[stacktest.Page[map[string]any]](t, page)
			require.NotEmpty(t, read.List)
			seen[seller.ID+path] = string(page.Data)
			for _, record := range read.List {
				if id != "" {
					one := path + "/" + fmt.Sprint(record[id])
					detail := do(t, s, stacktest.Get(seller.Key, one))
					stacktest.RequireOK[json.RawMessage](t, detail)
					seen[seller.ID+one] = string(detail.Data)
				}
			}
		}
	}
	return seen
}

func (i *installation) goOn(t *testing.T, s *stacktest.Stack) {
	t.Helper()
	require.JSONEq(t, string(i.answer), string(stacktest.RequireOK[json.RawMessage](t, do(t, s, i.shipped))))
	for part, seller := range i.sellers {
		for _, action := range []string{"preparation", "shipment", "delivery"} {
			stacktest.RequireOK[json.RawMessage](t, do(t, s, call(t, seller, i.mixed, part, action)))
		}
	}
	last := i.sellers[1]
	claimed := stacktest.PostJSON(t, last.Key, "/open/v1/claims/"+i.claimNo+"/approve", map[string]any{})
	stacktest.RequireOK[json.RawMessage](t, do(t, s, claimed))
	answered := stacktest.PostJSON(t, last.Key, "/open/v1/qna/"+i.qnaID+"/answer", map[string]any{"content": "가능합니다."})
	stacktest.RequireOK[json.RawMessage](t, do(t, s, answered))
	s.PlaceNew(t, last.ID, stacktest.With(i.sellers[0].ID))
}
