package gateway_test

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

// free is an address with any free port of this machine.
const free = "127.0.0.1:0"

// system is two gateways in processes of their own, in front of a service in another one, with its own Redis and database.
type system struct {
	t        *testing.T
	gateways [2]*servicetest.Process
	owner    *servicetest.Process
	redis    *redistest.Server
	db       *pgtest.DB
	folder   string
	key      string
}

func newSystem(t *testing.T, settings ...string) *system {
	t.Helper()
	s := &system{t: t, redis: redistest.Own(t), db: pgtest.New(t, ownertest.Migrations()), folder: t.TempDir()}
	o := operatorOn(t, s.redis.Config.URL.Reveal())
	seller := uuid.NewString()
	o.run("keys", "register-seller", "--seller", seller, "--actor", "kim", "--name", "Seller")
	var key printedKey
	require.NoError(t, json.Unmarshal([]byte(o.run("keys", "issue", "--seller", seller, "--actor", "kim")), &key))
	s.key = key.Text
	s.owner = s.newOwner()
	s.owner.Start()
	for i := range s.gateways {
		s.gateways[i] = s.newGateway(o, settings)
		s.gateways[i].Start()
	}
	return s
}

// newOwner returns this test's own program as the owning service. It keeps its address when it is restarted.
func (s *system) newOwner() *servicetest.Process {
	s.t.Helper()
	return servicetest.New(s.t, func(last service.Addresses) *exec.Cmd {
		command := exec.CommandContext(s.t.Context(), os.Args[0])
		command.Env = append(os.Environ(), ownerEnv+"="+s.folder, ownerDatabaseEnv+"="+s.db.Config.URL.Reveal(),
			ownerSchemaEnv+"="+s.db.Schema, ownerAddressEnv+"="+cmp.Or(last["public"], free))
		return command
	})
}

// newGateway returns the gateway's program. It keeps its address when it is restarted.
func (s *system) newGateway(o *operator, settings []string) *servicetest.Process {
	s.t.Helper()
	path, err := program()
	require.NoError(s.t, err)
	return servicetest.New(s.t, func(last service.Addresses) *exec.Cmd {
		owner := "http://" + s.owner.Address("public")
		command := exec.CommandContext(s.t.Context(), path, "serve")
		command.Env = slices.Concat(o.environment, settings, []string{
			"SIGNING_KEY=" + trusttest.Key(trust.Gateway).Reveal(),
			"UPSTREAMS=orders=" + owner + ",claims=" + owner,
			"LISTEN=" + service.Listen{Public: cmp.Or(last["public"], free), RPC: free, Ops: free}.String(),
			"RATE_PROCESS=100000", "RATE_TIMEOUT=5s",
		})
		return command
	})
}

type reply struct {
	status   int
	header   http.Header
	body     string
	replayed bool
}

func (s *system) post(ctx context.Context, gateway int, key, path, body string) (reply, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.gateways[gateway].Address("public")+path,
		strings.NewReader(body))
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

// arrive is post, repeated as long as Redis does not respond in time on a loaded machine: nothing is processed then.
func (s *system) arrive(ctx context.Context, gateway int, key, path, body string) (reply, error) {
	for {
		got, err := s.post(ctx, gateway, key, path, body)
		if err != nil || !strings.Contains(got.body, "RATE_LIMIT_UNAVAILABLE") {
			return got, err
		}
	}
}

// settled repeats a call until the response is 200, and returns that response and how often the key was reported to be in use.
// The only other error allowed is that something is unavailable.
func (s *system) settled(gateway int, key, path, body string) (got reply, busy int) {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		var err error
		got, err = s.post(s.t.Context(), gateway, key, path, body)
		require.NoError(s.t, err)
		switch {
		case got.status == http.StatusConflict:
			require.Contains(s.t, got.body, "IDEMPOTENCY_IN_PROGRESS")
			require.Contains(s.t, []string{"1", "2", "3", "4", "5", "6"}, got.header.Get("Retry-After"))
			busy++
		case got.status != http.StatusOK:
			require.GreaterOrEqual(s.t, got.status, http.StatusInternalServerError, got.body)
		}
		return got.status == http.StatusOK
	}, waitFor, tick/2)
	return got, busy
}

// leasesEnd lets the leases of idempotency keys end, and checks that each would have lasted no longer than the gateway's setting.
func (s *system) leasesEnd() {
	s.t.Helper()
	ctx, client := s.t.Context(), s.redis.Client
	names, err := client.Keys(ctx, "*:i:*").Result()
	require.NoError(s.t, err)
	for _, name := range names {
		if client.GetRange(ctx, name, 0, 0).Val() != "B" { // begun
			continue
		}
		left := client.PTTL(ctx, name).Val()
		require.LessOrEqual(s.t, left, idempotency.Config{}.WithDefaults().Lease)
		require.NoError(s.t, client.PExpire(ctx, name, time.Millisecond).Err()) // it may have ended by itself
		require.Eventually(s.t, func() bool { return client.Exists(ctx, name).Val() == 0 }, waitFor, time.Millisecond)
	}
}

func (s *system) effects() (n int) {
	s.t.Helper()
	require.NoError(s.t, s.db.Pool.QueryRow(s.t.Context(), "select count(*) from effects").Scan(&n))
	return n
}

func (s *system) flush() {
	s.t.Helper()
	require.NoError(s.t, s.redis.Client.FlushAll(s.t.Context()).Err())
}

func (s *system) await(name string) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return marked(s.folder, name) }, waitFor, time.Millisecond)
}

func (s *system) forget(name string) {
	s.t.Helper()
	for _, what := range []string{markReached, markGoOn, markAnswered} {
		_ = os.Remove(filepath.Join(s.folder, name+what)) // it may not exist
	}
}
