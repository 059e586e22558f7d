package crash

import (
	"encoding/json"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path"
	"strings"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/proto"

	"sellerapi.dev/pkg/rpc/rpctest"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// The calls that are not procedures of the orders service: what a client or the marketplace asks of claims, and what claims
// asks of the provider.
const (
	clientCall = "client"
	refundCall = "refund"
)

// proxy is what all calls pass. It can stop one call of each claim.
type proxy struct {
	// over is closed when the test is over.
	over <-chan struct{}

	mu          sync.Mutex
	breakpoints map[string]*breakpoint
	// seen are the calls of each claim that passed since the last forget.
	seen map[string][]string
}

// breakpoint stops a call of a claim until it is opened, and lets the fault happen to it.
type breakpoint struct {
	call  string
	fault *fault
	// open is closed when everything may go on.
	open <-chan struct{}
	// reached is closed when the call is where it is to be stopped.
	reached chan struct{}
	once    sync.Once
	caught  atomic.Int32
}

// reading returns which call of which claim a request is.
type reading func(r *http.Request, body []byte) (claimNo, call string)

// routes lead to the processes, over the proxy.
func (s *system) routes() http.Handler {
	mux := http.NewServeMux()
	over := func(pattern, called string, read reading, next http.Handler) {
		mux.Handle(pattern, rpctest.Around(next, func(r *http.Request, body []byte) rpctest.Fault {
			no, call := read(r, body)
			return s.proxy.pass(called, no, call)
		}))
	}
	over("/orders.v1.ClaimLines/", ordersService, readLines, s.toward(ordersService, "rpc"))
	over("/claims.v1.Intake/", claimsService, readJSON(clientCall, "claimNo"), s.toward(claimsService, "rpc"))
	over("POST /open/v1/claims/", claimsService, readAction, s.toward(claimsService, "public"))
	over("/refunds", "provider", readJSON(refundCall, "claim_no"), s.payments)
	mux.Handle("GET /open/v1/claims/", s.toward(claimsService, "public"))
	mux.Handle("/open/v1/orders/", s.toward(ordersService, "public"))
	mux.Handle("/orders.v1.Intake/", s.toward(ordersService, "rpc"))
	return mux
}

// toward passes calls on to where the process listens now. One that does not answer breaks the connection, as it would
// without anybody in between.
func (s *system) toward(name, listener string) http.Handler {
	return &httputil.ReverseProxy{
		Transport: s.http.Transport,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: s.processes[name].Address(listener)})
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
}

// readLines reads a call of the orders service. Every message of its contract begins with the number of the claim.
func readLines(r *http.Request, body []byte) (claimNo, call string) {
	var first ordersv1.ReleaseRequest
	call = path.Base(r.URL.Path)
	if proto.Unmarshal(body, &first) != nil {
		panic(http.ErrAbortHandler)
	}
	return first.GetClaimNo(), call
}

// readJSON reads a call whose body has the number of the claim in a member.
func readJSON(call, member string) reading {
	return func(_ *http.Request, body []byte) (string, string) {
		var said map[string]any
		if json.Unmarshal(body, &said) != nil {
			panic(http.ErrAbortHandler)
		}
		no, _ := said[member].(string)
		return no, call
	}
}

// readAction reads an action of a seller.
func readAction(r *http.Request, _ []byte) (claimNo, call string) {
	return strings.Split(r.URL.Path, "/")[4], clientCall
}

// arm sets a breakpoint for the claims with these numbers.
func (c *proxy) arm(t *breakpoint, numbers ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, no := range numbers {
		c.breakpoints[no] = t
	}
}

// forget begins to note calls anew.
func (c *proxy) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.seen)
}

// calls are the calls of claims that passed since then, each once.
func (c *proxy) calls(numbers ...string) map[string]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[string]bool{}
	for _, no := range numbers {
		for _, call := range c.seen[no] {
			all[call] = true
		}
	}
	return all
}

// pass returns the fault to apply to a call.
func (c *proxy) pass(called, no, call string) rpctest.Fault {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[no] = append(c.seen[no], call)
	t := c.breakpoints[no]
	if t == nil || !t.matches(call) {
		return rpctest.Fault{}
	}
	return t.fault.of(called, func() {
		t.once.Do(func() { close(t.reached) })
		select {
		case <-t.open:
		case <-c.over:
		}
	})
}

// matches reports whether a call is one that the breakpoint stops: all of its name, so that nothing gets past it, or the first one
// when the client is to come again meanwhile.
func (t *breakpoint) matches(call string) bool {
	select {
	case <-t.open:
		return false
	default:
		return t.call == call && (t.caught.Add(1) == 1 || !t.fault.repeated)
	}
}
