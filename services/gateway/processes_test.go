package gateway_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

// The times of the gateways under test: operations may take so long, and an idempotency key may be held so long.
const (
	longestOperation = time.Second
	lockTime         = 3 * time.Second
)

// process is a program that can be killed and started again.
type process struct {
	t       *testing.T
	make    func() *exec.Cmd
	ready   func(*bufio.Reader) string // reads the address off the output
	command *exec.Cmd
	address string
	ended   chan struct{}
}

// start runs the program until it says its address. It ends with this process: the kernel sees to that when the thread
// that started it ends, which is therefore kept.
func (p *process) start() {
	p.t.Helper()
	command := p.make()
	tieToParent(command)
	output, err := command.StdoutPipe()
	require.NoError(p.t, err)
	command.Stderr = command.Stdout
	started, ended := make(chan error), make(chan struct{})
	lines := bufio.NewReader(output)
	spoken := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(ended)
		err := command.Start()
		started <- err
		if err != nil {
			return
		}
		<-spoken
		_, _ = io.Copy(io.Discard, lines)
		_ = command.Wait()
	}()
	require.NoError(p.t, <-started)
	p.command, p.ended = command, ended
	defer close(spoken)
	if address := p.ready(lines); address != p.address { // clients read it while it is started again
		p.address = address
	}
}

// kill ends the program as a crash does.
func (p *process) kill() {
	p.t.Helper()
	_ = p.command.Process.Signal(syscall.SIGKILL) // it may be gone already
	<-p.ended
}

// site is two gateways in processes of their own, in front of a service in another, on a Redis and a database of its own.
type site struct {
	t        *testing.T
	gateways [2]*process
	owner    *process
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
	s.owner.start()
	for i := range s.gateways {
		s.gateways[i] = s.newGateway(o)
		s.gateways[i].start()
	}
	return s
}

// newOwner is this test's own program in another role. It keeps its address when it is started again.
func (s *site) newOwner() *process {
	s.t.Helper()
	p := &process{t: s.t, address: "127.0.0.1:0"}
	p.make = func() *exec.Cmd {
		command := exec.CommandContext(s.t.Context(), os.Args[0])
		command.Env = append(os.Environ(), ownerEnv+"="+s.folder, ownerDatabaseEnv+"="+s.db.Config.URL.Reveal(),
			ownerSchemaEnv+"="+s.db.Schema, ownerAddressEnv+"="+p.address)
		return command
	}
	p.ready = func(lines *bufio.Reader) string {
		line, err := lines.ReadString('\n')
		require.NoError(s.t, err)
		return strings.TrimSpace(line)
	}
	s.t.Cleanup(p.kill)
	return p
}

// newGateway is the gateway's own program with short times. It keeps its address when it is started again.
func (s *site) newGateway(o *operator) *process {
	s.t.Helper()
	path, err := program()
	require.NoError(s.t, err)
	p := &process{t: s.t, address: "127.0.0.1:0"}
	p.make = func() *exec.Cmd {
		command := exec.CommandContext(s.t.Context(), path, "serve")
		command.Env = append(append([]string{}, o.environment...),
			"PRINCIPAL_KEYS="+base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32))),
			"ORDERS_URL=http://"+s.owner.address, "CLAIMS_URL=http://"+s.owner.address,
			"LISTEN_PUBLIC="+p.address, "LISTEN_RPC=127.0.0.1:0", "LISTEN_OPS=127.0.0.1:0", "RATE_PROCESS=100000", "RATE_TIMEOUT=5s",
			fmt.Sprint("UPSTREAM_TIMEOUT=", longestOperation), fmt.Sprint("IDEMPOTENCY_LOCK=", lockTime))
		return command
	}
	p.ready = func(lines *bufio.Reader) string {
		for {
			line, err := lines.ReadBytes('\n')
			require.NoError(s.t, err)
			var said struct {
				Msg       string            `json:"msg"`
				Addresses map[string]string `json:"addresses"`
			}
			require.NoError(s.t, json.Unmarshal(line, &said), string(line))
			if said.Msg == "serving" {
				return said.Addresses["public"]
			}
		}
	}
	s.t.Cleanup(p.kill)
	return p
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
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.gateways[gateway].address+path, strings.NewReader(body))
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
