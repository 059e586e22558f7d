package crash

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver

	"sellerapi.dev/pkg/launch"
	sellerapi "sellerapi.dev/proto/clients/go"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/allinone/stack"
)

// follower is a program that keeps a copy of a seller's records in a SQLite file.
type follower struct {
	file    string
	command func() *exec.Cmd
	front   *front

	child  atomic.Pointer[launch.Child]
	killed atomic.Bool
	kills  atomic.Int32
	ended  chan error
}

// followers are the programs by name: the example for ERP systems, a receiver of webhooks that was written from the guide and
// keeps the copy of the example, and the program for the command line; and how their records are compared. The last one stores a
// record as the Go client has it.
var followers = map[string]struct {
	command func(t *testing.T, w *whole, file string) (line, environment []string)
	read    func(list string, record json.RawMessage) (any, error)
}{
	"erp": {
		func(_ *testing.T, _ *whole, file string) (line, environment []string) {
			return []string{"python3", "-B", filepath.Join(pythonClient, "example", "erp.py"), file}, nil
		},
		asMembers,
	},
	"receiver": {
		func(t *testing.T, w *whole, file string) (line, environment []string) {
			t.Helper()
			port, secret := w.addWebhook(t)
			return []string{"python3", "-B", filepath.Join("testdata", "receiver.py"), file, port}, []string{"WEBHOOK_SECRET=" + secret}
		},
		asMembers,
	},
	"sellerapi": {
		func(t *testing.T, _ *whole, file string) (line, environment []string) {
			t.Helper()
			folder, err := programs()
			require.NoError(t, err)
			return []string{filepath.Join(folder, "sellerapi"), "sync", "--follow", "--db", file}, nil
		},
		func(list string, record json.RawMessage) (any, error) {
			into := map[string]any{"orders": &sellerapi.Order{}, "claims": &sellerapi.Claim{}, "inquiries": &sellerapi.Inquiry{}}[list]
			return into, json.Unmarshal(record, into)
		},
	},
}

func asMembers(_ string, record json.RawMessage) (members any, err error) {
	return members, json.Unmarshal(record, &members)
}

// addWebhook registers the address of a receiver that is not started yet, and returns its port and its secret.
func (w *whole) addWebhook(t *testing.T) (port, secret string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	added, err := stack.Webhooks(w.at(gatewayService, "rpc"), w.token).AddWebhook(t.Context(), &gatewayv1.AddWebhookRequest{
		SellerId: w.seller, Url: "http://" + address, Actor: "kim", RequestId: uuid.NewString(),
	})
	require.NoError(t, err)
	_, port, err = net.SplitHostPort(address)
	require.NoError(t, err)
	return port, added.GetSecret()
}

var pythonClient = filepath.Join("..", "..", "..", "proto", "clients", "python")

// leastKills is how often each program is killed at least, and leastOrders is how many orders its first round has: several pages.
const leastKills, leastOrders = 12, 350

// An ERP system trusts its copy without looking: whatever dies, breaks or is refused on the way, at rest every record of the copy
// equals what the lists return, field by field, and there is no other.
func TestCopies_exactThroughFaults(t *testing.T) {
	t.Parallel()
	w := newWhole(t, migrated(t)(t))
	for placed := 0; placed < leastOrders; placed += 50 {
		w.place(50)
	}
	end, all := w.change(), map[string]*follower{}
	for name := range followers {
		all[name] = w.follow(t, name)
	}
	for _, name := range []string{gatewayService, ordersService, claimsService, qnaService} {
		w.kill(name)
		w.start(name)
	}
	require.NoError(t, w.redis.Process.Kill())
	require.NoError(t, w.redis.Process.Restart(t.Context()))
	for name, f := range all {
		eventually(t, func() bool { return f.kills.Load() >= leastKills }, func() string { return name + " is killed too rarely" })
	}
	end()
	for _, f := range all {
		f.front.calm.Store(true)
	}
	key := w.issue(t, w.seller)
	w.requireAllCopied(t, all, key)
	w.place(1) // nobody is killed any more: a receiver gets it by a delivery
	w.requireAllCopied(t, all, key)
	for _, f := range all {
		require.NoError(t, f.end())
	}
}

func (w *whole) requireAllCopied(t *testing.T, all map[string]*follower, key string) {
	t.Helper()
	for name, f := range all {
		w.requireCopied(t, name, f, key)
	}
}

// follow starts a program, and starts it again whenever it was killed.
func (w *whole) follow(t *testing.T, name string) *follower {
	t.Helper()
	f := &follower{file: filepath.Join(t.TempDir(), "copy.db"), ended: make(chan error, 1)}
	f.front = &front{next: w.toward(gatewayService, "public"), kill: f.kill}
	server := httptest.NewServer(f.front)
	t.Cleanup(server.Close)
	line, environment := followers[name].command(t, w, f.file)
	key, home := w.issue(t, w.seller), t.TempDir()
	f.command = func() *exec.Cmd {
		command := exec.CommandContext(t.Context(), line[0], line[1:]...) //nolint:gosec // the programs of this file
		command.Env = append([]string{
			"SELLER_API_URL=" + server.URL, "SELLER_API_KEY=" + key, "PATH=" + os.Getenv("PATH"), "HOME=" + home,
			"PYTHONPATH=" + filepath.Join(pythonClient, "src") + ":" + filepath.Join(pythonClient, "example"),
		}, environment...)
		return command
	}
	go func() { f.ended <- f.run() }()
	t.Cleanup(func() { require.NoError(t, f.end()) })
	return f
}

func (f *follower) run() error {
	for {
		command, said := f.command(), &bytes.Buffer{}
		command.Stdout, command.Stderr = io.Discard, said
		child, err := launch.Start(command)
		if err != nil {
			return err
		}
		f.child.Store(child)
		<-child.Ended()
		switch {
		case f.front.over.Load():
			return nil
		case !f.killed.Swap(false):
			return fmt.Errorf("the program ended by itself: %s", said)
		}
	}
}

// kill kills the program that runs now.
func (f *follower) kill() {
	child := f.child.Load()
	if child == nil {
		return
	}
	f.killed.Store(true)
	f.kills.Add(1)
	_ = child.Kill() // it may have ended
}

// end ends the program for good, and returns why it ended earlier, if it did.
func (f *follower) end() error {
	if f.front.over.Swap(true) {
		return nil
	}
	_ = f.child.Load().Kill() // it may have ended
	return <-f.ended
}

// front is what a program calls in place of the gateway. Until it is calm, calls are refused and cut in turn, and the program is
// killed before a call or after its answer.
type front struct {
	next       http.Handler
	kill       func()
	calls      atomic.Int64
	calm, over atomic.Bool
}

// ServeHTTP implements http.Handler.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if f.calm.Load() {
		f.next.ServeHTTP(w, r)
		return
	}
	switch f.calls.Add(1) % 9 {
	case 1:
		refuse(w, http.StatusTooManyRequests, "RATE_LIMITED")
	case 3:
		f.kill()
		panic(http.ErrAbortHandler)
	case 4:
		panic(http.ErrAbortHandler)
	case 5:
		answer := f.answer(r)
		w.Header().Set("Content-Length", strconv.Itoa(answer.Body.Len()))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes()[:answer.Body.Len()/2])
		panic(http.ErrAbortHandler)
	case 6:
		refuse(w, http.StatusServiceUnavailable, "RATE_LIMIT_UNAVAILABLE")
	case 8:
		answer := f.answer(r)
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
		_ = http.NewResponseController(w).Flush() // the program is killed anyway
		f.kill()
	default:
		f.next.ServeHTTP(w, r)
	}
}

func (f *front) answer(r *http.Request) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	f.next.ServeHTTP(answer, r)
	return answer
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"meta": {"code": %d, "message": "", "error_code": %q, "error_data": {}}, "data": null}`, status, code)
}

// requireCopied waits until a copy is as the lists are, and shows the difference if it stays another one.
func (w *whole) requireCopied(t *testing.T, name string, f *follower, key string) {
	t.Helper()
	want := w.parsed(t, name, w.read(t, key))
	var got map[string]map[string]any
	eventually(t, func() bool {
		select {
		case err := <-f.ended:
			require.NoError(t, err)
		default:
		}
		got = w.parsed(t, name, copied(t, f.file))
		return reflect.DeepEqual(want, got)
	}, func() string {
		require.Equal(t, want, got)
		return ""
	})
}

func (w *whole) parsed(t *testing.T, name string, all records) map[string]map[string]any {
	t.Helper()
	lists := map[string]map[string]any{}
	for list, records := range all {
		lists[list] = map[string]any{}
		for id, text := range records {
			record, err := followers[name].read(list, text)
			require.NoError(t, err)
			lists[list][id] = record
		}
	}
	return lists
}

// copied returns the records of a copy.
func copied(t *testing.T, file string) records {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(60000)")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	rows, err := db.QueryContext(t.Context(), "select list, id, record from records")
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	all := records{}
	for list := range identifiers {
		all[list] = map[string]json.RawMessage{}
	}
	for rows.Next() {
		var list, id, record string
		require.NoError(t, rows.Scan(&list, &id, &record))
		all[list][id] = json.RawMessage(record)
	}
	require.NoError(t, rows.Err())
	return all
}
