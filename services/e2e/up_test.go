package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/distributed/distributedtest"

	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/allinone/envfile"
	"sellerapi.dev/services/e2e/stacktest"
)

const timeout = 5 * time.Minute

var programDir string

var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(programDir, "allinone")
	build := exec.CommandContext(context.Background(), "go", "build", "-o", path, "sellerapi.dev/services/allinone/cmd/allinone")
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the launcher: %w\n%s", err, output)
	}
	return path, nil
})

// The whole life cycle of `make up`, as a person experiences it: start, try the printed request, start twice by mistake, fill,
// lose the process, start again, stop, clean.
func TestLauncher_survivesRestarts(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	t.Cleanup(func() { allinone(t, context.WithoutCancel(t.Context()), dir, "clean") })
	first := startUp(t, dir, "--orders=300", "--lively")
	env := readEnv(t, dir)
	number := requireWorks(t, first, env)
	requireClaims(t, env)

	_, stderr, code := allinone(t, t.Context(), dir, "up")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, fmt.Sprintf("another stack runs in %s already (process %d)", dir, first.command.Process.Pid))
	stdout, stderr, code := allinone(t, t.Context(), dir, "fill", "--orders=1500", "--sellers=3", "--claims=10")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "1500 orders placed (0 existed, 0 conflicts)")
	require.Contains(t, stdout, "10 claims exist, each on a separate order")
	requireMarketplaceMayCall(t, env)

	servers := childrenOf(first.command.Process.Pid)
	require.Len(t, servers, map[bool]int{false: 2, true: 4}[distributedtest.Requested()],
		"Redis, and one or three PostgreSQL servers")
	require.NoError(t, first.command.Process.Kill())
	require.Error(t, waitFor(t, first), "the launcher was killed")
	requireGone(t, servers)

	second := startUp(t, dir, "--no-lively")
	again := readEnv(t, dir)
	require.Equal(t, [2]string{env.SellerAKey, env.SellerBKey}, [2]string{again.SellerAKey, again.SellerBKey}, "keys are kept")
	status, _ := get(t, again.GatewayURL+"/open/v1/orders/"+number, again.SellerAKey)
	require.Equal(t, http.StatusOK, status, "orders are kept")

	servers = childrenOf(second.command.Process.Pid)
	require.NoError(t, second.command.Process.Signal(syscall.SIGINT))
	require.NoError(t, waitFor(t, second))
	require.Contains(t, second.said(), "Stopping; the data are kept.")
	require.Empty(t, slices.DeleteFunc(servers, func(pid int) bool { return !alive(pid) }), "nothing is left running")
	require.NoFileExists(t, filepath.Join(dir, envfile.Name))
	_, stderr, code = allinone(t, t.Context(), dir, "fill")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "no stack runs here")
}

// A key that is missing in the database, as with another DATABASE_URL, is issued anew, and secrets and servers of the run
// directory are created if they do not exist.
func TestLauncher_reissuesLostKeys(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	t.Cleanup(func() { allinone(t, context.WithoutCancel(t.Context()), dir, "clean") })
	first := startUp(t, dir, "--orders=5", "--no-lively")
	before := readEnv(t, dir)
	require.NoError(t, first.command.Process.Signal(syscall.SIGTERM))
	require.NoError(t, waitFor(t, first))
	require.NoError(t, os.Remove(filepath.Join(dir, "secrets.json")))
	startUp(t, dir, "--no-lively")
	after := readEnv(t, dir)
	require.Equal(t, before.SellerAID, after.SellerAID)
	require.NotEqual(t, before.SellerAKey, after.SellerAKey)
	status, _ := get(t, after.GatewayURL+"/open/v1/orders", after.SellerAKey)
	require.Equal(t, http.StatusOK, status)
	status, _ = get(t, after.GatewayURL+"/open/v1/orders", before.SellerAKey)
	require.Equal(t, http.StatusUnauthorized, status)
}

// requireWorks tries the requests that the launcher prints, checks the key on the page where developers begin to read, and
// returns the order that is requested.
func requireWorks(t *testing.T, p *process, env envfile.Values) string {
	t.Helper()
	printed := regexp.MustCompile(`curl -H 'X-Api-Key: (\S+)' '(\S+)'`).FindAllStringSubmatch(p.said(), -1)
	require.Len(t, printed, 4, p.said())
	for _, request := range printed {
		require.Equal(t, env.SellerAKey, request[1])
		status, envelope := get(t, request[2], request[1])
		require.Equal(t, http.StatusOK, status, request[2])
		require.NotEqual(t, `{"list":[],"next_cursor":null}`, string(envelope.Data), request[2])
	}
	require.Contains(t, string(served(t, env.GatewayURL+"/docs/settings.json")), `"key":"`+env.SellerAKey+`"`, "for the first page")
	return printed[2][2][strings.LastIndex(printed[2][2], "/")+1:]
}

// requireClaims checks that there is a claim in every state, also in those that wait for a payment that never comes.
func requireClaims(t *testing.T, env envfile.Values) {
	t.Helper()
	states := map[string]bool{"expired": false} // appears by itself, a little later
	for _, names := range shown {
		for _, name := range names {
			if _, asked := states[name]; asked {
				continue
			}
			states[name] = true
			status, envelope := get(t, env.GatewayURL+"/open/v1/claims?limit=1&status="+name, env.SellerAKey)
			require.Equal(t, http.StatusOK, status)
			require.Contains(t, string(envelope.Data), `"status":"`+name+`"`)
		}
	}
}

// requireMarketplaceMayCall uses RPC_TOKEN as any other program would: JSON over HTTP.
func requireMarketplaceMayCall(t *testing.T, env envfile.Values) {
	t.Helper()
	body := fmt.Sprintf(`{"seller_id":%q,"actor":"test"}`, env.SellerAID)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, env.KeysRPCURL+"/gateway.v1.Keys/ListKeys",
		strings.NewReader(body))
	require.NoError(t, err)
	request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + env.RPCToken}}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	answer, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, "%s", answer)
	require.Contains(t, string(answer), env.SellerAKey[:12])
}

type process struct {
	command *exec.Cmd
	ended   chan error

	mu   sync.Mutex
	text strings.Builder
}

func startUp(t *testing.T, dir string, flags ...string) *process {
	t.Helper()
	path, err := program()
	require.NoError(t, err)
	p := &process{ended: make(chan error, 1)}
	p.command = exec.CommandContext(context.WithoutCancel(t.Context()), path,
		append([]string{"up", "--run-dir=" + dir, "--port=0"}, flags...)...)
	p.command.Env = slices.DeleteFunc(os.Environ(), func(set string) bool {
		return strings.HasPrefix(set, "DATABASE_URL=") || strings.HasPrefix(set, "REDIS_URL=")
	})
	p.command.Stderr = os.Stderr
	stdout, err := p.command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.command.Start())
	t.Cleanup(func() {
		_ = p.command.Process.Signal(syscall.SIGTERM)
		_ = waitFor(t, p)
	})
	ready := make(chan struct{})
	go p.listen(stdout, ready)
	select {
	case <-ready:
	case err := <-p.ended:
		t.Fatalf("the launcher ended while starting: %v\n%s", err, p.said())
	case <-time.After(timeout):
		t.Fatalf("the launcher did not start\n%s", p.said())
	}
	return p
}

func (p *process) listen(stdout io.Reader, ready chan<- struct{}) {
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		p.mu.Lock()
		p.text.WriteString(lines.Text() + "\n")
		p.mu.Unlock()
		if strings.Contains(lines.Text(), "Ctrl-C stops everything") {
			close(ready)
		}
	}
	p.ended <- p.command.Wait()
	close(p.ended)
}

func (p *process) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// waitFor returns how the launcher ended; nil if that was already waited for.
func waitFor(t *testing.T, p *process) error {
	t.Helper()
	select {
	case err := <-p.ended:
		return err
	case <-time.After(timeout):
		t.Fatalf("the launcher does not end\n%s", p.said())
		return nil
	}
}

func allinone(t *testing.T, ctx context.Context, dir, command string, flags ...string) (stdout, stderr string, code int) { //nolint:revive // the test comes first, as everywhere
	t.Helper()
	path, err := program()
	require.NoError(t, err)
	var out, problems strings.Builder
	run := exec.CommandContext(ctx, path, append([]string{command, "--run-dir=" + dir}, flags...)...)
	run.Stdout, run.Stderr = &out, &problems
	err = run.Run()
	if _, exited := err.(*exec.ExitError); !exited { //nolint:errorlint // as documented by exec
		require.NoError(t, err)
	}
	return out.String(), problems.String(), run.ProcessState.ExitCode()
}

func readEnv(t *testing.T, dir string) envfile.Values {
	t.Helper()
	path := filepath.Join(dir, envfile.Name)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	values, err := envfile.Parse(text)
	require.NoError(t, err)
	return values
}

func get(t *testing.T, address, key string) (int, web.Envelope) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	request.Header.Set("X-Api-Key", key)
	response, err := stacktest.HTTPClient(t).Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	var envelope web.Envelope
	require.NoError(t, json.NewDecoder(response.Body).Decode(&envelope))
	return response.StatusCode, envelope
}

func childrenOf(parent int) []int {
	var children []int
	entries, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, entry := range entries {
		text, err := os.ReadFile(entry)
		if err != nil {
			continue // the process has just ended
		}
		_, behindName, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(behindName)
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			pid, _ := strconv.Atoi(strings.Split(entry, "/")[2])
			children = append(children, pid)
		}
	}
	return children
}

// alive reports whether a process is running; a zombie is not.
func alive(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, behindName, _ := strings.Cut(string(text), ") ")
	return err == nil && !strings.HasPrefix(behindName, "Z")
}

func requireGone(t *testing.T, pids []int) {
	t.Helper()
	require.Eventually(t, func() bool { return !slices.ContainsFunc(pids, alive) }, timeout, 50*time.Millisecond)
}
