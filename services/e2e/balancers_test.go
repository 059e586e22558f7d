package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// balancers are the load balancers in front of the ports of all services, one for each, as in a cluster: calls go to the
// instances in turn.
type balancers struct {
	t      *testing.T
	mu     sync.Mutex
	byPort map[string]*balancer
}

type balancer struct {
	mu     sync.Mutex
	behind []*backend
	next   int
	url    string
}

// backend is an instance behind a balancer. calls counts those in progress.
type backend struct {
	generation int
	url        string
	proxy      *httputil.ReverseProxy
	calls      sync.WaitGroup
}

// publish returns a function that adds the instances of a generation to the balancers as they start; see
// stack.Config.Published.
func (b *balancers) publish(generation int) func(service, port, address string) string {
	return func(service, port, address string) string {
		target, err := url.Parse(address)
		if err != nil {
			panic(err) // it is the address of a running service
		}
		added := &backend{generation: generation, url: address, proxy: &httputil.ReverseProxy{
			Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target) },
			Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
		}}
		return b.of(service + " " + port).add(added)
	}
}

// of returns the balancer of a port and starts it first if there is none.
func (b *balancers) of(port string) *balancer {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.byPort[port] == nil {
		one := &balancer{}
		server := httptest.NewServer(one)
		b.t.Cleanup(server.Close)
		one.url, b.byPort[port] = server.URL, one
	}
	return b.byPort[port]
}

func (b *balancers) leave(generation int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, one := range b.byPort {
		one.leave(generation)
	}
}

func (b *balancers) instance(t *testing.T, port string) string {
	t.Helper()
	require.Len(t, b.of(port).behind, 1)
	return b.of(port).behind[0].url
}

func (b *balancer) add(added *backend) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.behind = append(b.behind, added)
	return b.url
}

func (b *balancer) leave(generation int) {
	b.mu.Lock()
	var left, leaving []*backend
	for _, one := range b.behind {
		if one.generation == generation {
			leaving = append(leaving, one)
		} else {
			left = append(left, one)
		}
	}
	b.behind = left
	b.mu.Unlock()
	for _, one := range leaving {
		one.calls.Wait()
	}
}

// ServeHTTP forwards a call to the next instance.
func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.next++
	chosen := b.behind[b.next%len(b.behind)]
	chosen.calls.Add(1)
	b.mu.Unlock()
	defer chosen.calls.Done()
	chosen.proxy.ServeHTTP(w, r)
}
