package gateway_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/service/servicetest"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

// The times of the gateways under test: operations may take so long, and an idempotency key may be held so long.
const (
	longestOperation = time.Second
	lockTime         = 3 * time.Second
)

// free takes any port of this machine.
const free = "127.0.0.1:0"

// site is two gateways in processes of their own, in front of a service in another, on a Redis and a database of its own.
type site struct {
	t        *testing.T
	gateways [2]*servicetest.Process
	owner    *servicetest.Process
	redis    *redistest.Server
	db       *pgtest.DB
	folder   string
	key      string
}

// newSite starts everything.
func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, redis: redistest.Own(t), db: pgtest.New(t, ownertest.Migrations()), folder: t.TempDir()}
	o := operatorOn(t, s.redis.Config.URL.Reveal())
	seller := uuid.NewString()
	o.run("keys", "register-seller", "--seller", seller, "--actor", "kim", "--name", "Seller")
	var key printedKey
	require.NoError(t, json.Unmarshal([]byte(o.run("keys", "issue", "--seller", seller, "--actor", "kim")), &key))
	s.key = key.Text
	s.owner = s.newOwner()
	s.owner.Start()
	for i := range s.gateways {
		s.gateways[i] = s.newGateway(o)
		s.gateways[i].Start()
	}
	return s
}

// newOwner is this test's own program in another role. It keeps its address when it is started again.
func (s *site) newOwner() *servicetest.Process {
	s.t.Helper()
	return servicetest.New(s.t, func(last service.Addresses) *exec.Cmd {
		command := exec.CommandContext(s.t.Context(), os.Args[0])
		command.Env = append(os.Environ(), ownerEnv+"="+s.folder, ownerDatabaseEnv+"="+s.db.Config.URL.Reveal(),
			ownerSchemaEnv+"="+s.db.Schema, ownerAddressEnv+"="+cmp.Or(last["public"], free))
		return command
	})
}

// newGateway is the gateway's own program with short times. It keeps its address when it is started again.
func (s *site) newGateway(o *operator) *servicetest.Process {
	s.t.Helper()
	path, err := program()
	require.NoError(s.t, err)
	return servicetest.New(s.t, func(last service.Addresses) *exec.Cmd {
		owner := "http://" + s.owner.Address("public")
		command := exec.CommandContext(s.t.Context(), path, "serve")
		command.Env = append(append([]string{}, o.environment...),
			"PRINCIPAL_KEYS="+base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32))),
			"ORDERS_URL="+owner, "CLAIMS_URL="+owner, "LISTEN_PUBLIC="+cmp.Or(last["public"], free),
			"LISTEN_RPC="+free, "LISTEN_OPS="+free, "RATE_PROCESS=100000", "RATE_TIMEOUT=5s",
			fmt.Sprint("UPSTREAM_TIMEOUT=", longestOperation), fmt.Sprint("IDEMPOTENCY_LOCK=", lockTime))
		return command
	})
}

// reply is what a client got.
type reply struct {
	status   int
	header   http.Header
	body     string
	replayed bool
}

// post sends a process call to one of the gateways.
func (s *site) post(ctx context.Context, gateway int, key, path, body string) (reply, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.gateways[gateway].Address("public")+path, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	request.Header.Set("X-Api-Key", s.key)
	request.Header.Set("Idempotency-Key", key)
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return reply{response.StatusCode, response.Header, string(text), response.Header.Get(inbox.ReplayedHeader) == "true"}, err
}

// settled repeats a call until it is answered 200 and returns that answer and how long it took. On the way the client is
// only told that it is under way or that something is missing.
func (s *site) settled(gateway int, key, path, body string) (reply, time.Duration) {
	s.t.Helper()
	began := time.Now()
	var got reply
	require.Eventually(s.t, func() bool {
		var err error
		got, err = s.post(s.t.Context(), gateway, key, path, body)
		return err == nil && got.status == http.StatusOK
	}, waitFor, tick/2, got.body)
	return got, time.Since(began)
}

// effects is how many effects there are.
func (s *site) effects() (n int) {
	s.t.Helper()
	require.NoError(s.t, s.db.Pool.QueryRow(s.t.Context(), "select count(*) from effects").Scan(&n))
	return n
}

// flush makes Redis forget everything.
func (s *site) flush() {
	s.t.Helper()
	require.NoError(s.t, s.redis.Client.FlushAll(s.t.Context()).Err())
}

// await waits for a mark.
func (s *site) await(name string) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return marked(s.folder, name) }, waitFor, time.Millisecond)
}

// forget removes the marks of a name, so that it works once more.
func (s *site) forget(name string) {
	s.t.Helper()
	for _, what := range []string{markReached, markGoOn, markAnswered} {
		_ = os.Remove(filepath.Join(s.folder, name+what)) // it may not be there
	}
}
