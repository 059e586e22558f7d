package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/envfile"
	"sellerapi.dev/services/e2e/stacktest"
)

// Blocks of the guide, each identified by a text that only it contains.
const (
	firstCallBlock = "call() {"
	copyBlock      = "collect() {"
	orderBlock     = "PlaceOrders"
	shipBlock      = "post() {"
	claimBlock     = "RequestClaim"
	reshipBlock    = "reship() {"
)

// actFunction is the shell function that the chapter on exchanges calls actions with.
const actFunction = `act() { local action=$1; shift; post "claims/$claim/$action" "$claim-$action" "$@"; }`

// A loop that people copy must end on a failure that it cannot fix, say why, and store nothing that is not a record: an
// unattended script would otherwise go on for hours, or take an incomplete copy for a complete one.
func TestWalk_loopsEndOnFailures(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	for name, c := range map[string]struct {
		key       string // used instead of the seller's
		refused   refusal
		blocks    []string
		before    string // runs before the last block
		says      string
		copied    int // pages
		succeeded bool
	}{
		"copy_401": {
			key: "vpk_live_wrong", blocks: []string{firstCallBlock, copyBlock}, says: "the round is not complete",
		},
		"copy_422_second_page": {
			refused: refusal{has: "cursor=", status: http.StatusUnprocessableEntity, code: "INVALID_CURSOR", times: 100},
			blocks:  []string{firstCallBlock, copyBlock}, says: "INVALID_CURSOR", copied: 1,
		},
		"copy_503_once": {
			refused: refusal{has: "cursor=", status: http.StatusServiceUnavailable, code: "RATE_LIMIT_UNAVAILABLE", times: 1},
			blocks:  []string{firstCallBlock, copyBlock}, copied: 2, succeeded: true,
		},
		"reship_401": {
			key: "vpk_live_wrong", blocks: []string{firstCallBlock, reshipBlock},
			before: "no=DEMO-0 claim=CDEMO-0\npost() { local path=$1 key=$2; shift 2; api -X POST \"$base/$path\" -H " +
				"\"Idempotency-Key: $key\" \"$@\"; }\n" + actFunction,
			says: "not reshipped: ",
		},
		"reship_409": {
			blocks: []string{firstCallBlock, orderBlock, shipBlock, claimBlock, reshipBlock}, before: actFunction, says: "not reshipped: ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seller := s.Seller(t)
			s.PlaceMany(t, 104, seller.ID)
			if c.key != "" {
				seller.Key = c.key
			}
			env := s.Env(seller, s.Seller(t))
			env.GatewayURL = c.refused.inFrontOf(t, s.Witnessed(t))
			dir, problems, err := runBlocks(t, env, c.before, c.blocks)
			require.Equal(t, c.succeeded, err == nil, "%v\n%s", err, problems)
			require.Contains(t, problems, c.says)
			copied, _ := os.ReadFile(filepath.Join(dir, ".run", "orders.jsonl"))
			require.Equal(t, c.copied, strings.Count(string(copied), `"next_cursor"`))
			require.NotContains(t, string(copied), `"data":null`)
		})
	}
}

// Changes are lost if a round begins at its own time instead of that of the last complete one: after a pause of a weekend,
// those of the weekend. A round that fails does not count.
func TestWalk_copyGoesOnAfterPause(t *testing.T) {
	t.Parallel()
	const lastRound, tenMinutesBefore = 1700000000, "2023-11-14T22:03:20Z"
	for status, complete := range map[int]bool{http.StatusOK: true, http.StatusUnauthorized: false} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			asked := make(chan string, 2)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if since := r.URL.Query().Get("updated_at_gte"); since != "" {
					asked <- since
				}
				w.WriteHeader(status)
				_, _ = io.WriteString(w, `{"meta":{},"data":{"list":[],"next_cursor":null}}`)
			}))
			t.Cleanup(server.Close)
			begun := time.Now()
			before := fmt.Sprintf("echo %d >.run/collected\n", lastRound)
			dir, problems, err := runBlocks(t, envfile.Values{GatewayURL: server.URL}, before, []string{firstCallBlock, copyBlock})
			require.Equal(t, complete, err == nil, "%v\n%s", err, problems)
			require.Len(t, asked, 1)
			require.Equal(t, tenMinutesBefore, <-asked)
			kept, err := os.ReadFile(filepath.Join(dir, ".run", "collected"))
			require.NoError(t, err)
			collected, err := strconv.ParseInt(strings.TrimSpace(string(kept)), 10, 64)
			require.NoError(t, err)
			if complete {
				require.WithinRange(t, time.Unix(collected, 0), begun.Add(-time.Second), time.Now())
			} else {
				require.EqualValues(t, lastRound, collected)
			}
		})
	}
}

func runBlocks(t *testing.T, env envfile.Values, before string, blocks []string) (dir, problems string, err error) {
	t.Helper()
	dir = t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".run"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".run", envfile.Name), envfile.Format(env), 0o600))
	var script strings.Builder
	for i, wanted := range blocks {
		if i == len(blocks)-1 {
			script.WriteString(before + "\nset -e\n")
		}
		script.WriteString(blockWith(t, wanted))
	}
	shell := exec.CommandContext(t.Context(), "bash", "-uo", "pipefail", "-c", script.String()) //nolint:gosec // the guide
	shell.Dir = dir
	var said strings.Builder
	shell.Stdout, shell.Stderr = io.Discard, &said
	err = shell.Run()
	return dir, said.String(), err
}

func blockWith(t *testing.T, text string) string {
	t.Helper()
	var found []string
	for _, block := range shellBlocks(t) {
		if strings.Contains(block, text) {
			found = append(found, block)
		}
	}
	require.Len(t, found, 1, text)
	return found[0]
}

// refusal is a failure that is returned instead of the system's response to the first requests whose query contains a text.
type refusal struct {
	has    string
	status int
	code   string
	times  int64
}

// inFrontOf returns the address of a proxy that refuses requests, or the address itself if none is to be refused.
func (r refusal) inFrontOf(t *testing.T, address string) string {
	t.Helper()
	if r.times == 0 {
		return address
	}
	target, err := url.Parse(address)
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{Rewrite: func(request *httputil.ProxyRequest) { request.SetURL(target) }}
	var refused atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if strings.Contains(request.URL.RawQuery, r.has) && refused.Add(1) <= r.times {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(r.status)
			_, _ = io.WriteString(w, `{"meta":{"error_code":"`+r.code+`"},"data":null}`)
			return
		}
		proxy.ServeHTTP(w, request)
	}))
	t.Cleanup(server.Close)
	return server.URL
}
