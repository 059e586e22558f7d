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

// The calls that are not procedures of the orders service: the request of a client or the marketplace to claims, and that of
// claims to the provider.
const (
	clientCall = "client"
	refundCall = "refund"
)

// proxy is the proxy that all calls pass. It can stop one call of each claim.
type proxy struct {
	// over is closed when the test is over.
	over <-chan struct{}

	mu          sync.Mutex
	breakpoints map[string]*breakpoint
	// seen are the calls of each claim since the last forget.
	seen map[string][]string
}

// breakpoint stops a call of a claim until it is opened, and applies the fault to it.
type breakpoint struct {
	call  string
	fault *fault
	// open is closed when everything may continue.
	open <-chan struct{}
	// reached is closed when the call has arrived at the point where it is to be stopped.
	reached chan struct{}
	once    sync.Once
	caught  atomic.Int32
}

// reading determines the claim and the call of a request.
type reading func(r *http.Request, body []byte) (claimNo, call string)

// routes returns the handler of the proxy, which forwards calls to the processes.
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

// toward forwards calls to the address where the process listens now. If the process does not respond, the connection breaks, as
// it would without a proxy.
func (s *system) toward(name, listener string) http.Handler {
	return &httputil.ReverseProxy{
		Transport: s.http.Transport,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: s.processes[name].Address(listener)})
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
}

// readLines reads a call of the orders service. Every message of its contract has the number of the claim as its first field.
func readLines(r *http.Request, body []byte) (claimNo, call string) {
	var first ordersv1.ReleaseRequest
	call = path.Base(r.URL.Path)
	if proto.Unmarshal(body, &first) != nil {
		panic(http.ErrAbortHandler)
	}
	return first.GetClaimNo(), call
}

// readJSON returns the reading of calls whose body has the number of the claim in a member.
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

func (c *proxy) arm(t *breakpoint, numbers ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, no := range numbers {
		c.breakpoints[no] = t
	}
}

// forget discards the calls that were recorded so far.
func (c *proxy) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.seen)
}

// calls returns the calls of claims since the last forget, each once.
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

// matches reports whether the breakpoint stops a call: every call of its name, so that none gets past it, or only the first one
// when the client is to retry meanwhile.
func (t *breakpoint) matches(call string) bool {
	select {
	case <-t.open:
		return false
	default:
		return t.call == call && (t.caught.Add(1) == 1 || !t.fault.repeated)
	}
}
