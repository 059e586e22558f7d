package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/services/lab/child"
	"sellerapi.dev/services/lab/report"
	"sellerapi.dev/services/lab/wire"
	"sellerapi.dev/services/sandbox/market"
)

// gatewayKeys is the number of keys with which the gateway is called, each of a seller of its own, so that a window holds about
// as many calls as that of a busy client.
const gatewayKeys = 300

// A gatewayCall is a call whose cost is compared, with the bar on the gateway's CPU of the bare proxy's.
type gatewayCall struct {
	name    string
	request wire.Request
	most    float64
}

var fullPage = gatewayCall{
	"read, page full", wire.Request{Method: http.MethodGet, Target: "/open/v1/orders?limit=50&rows=50"}, 1.6,
}

var gatewayCalls = []gatewayCall{
	fullPage,
	{"read, page not full", wire.Request{Method: http.MethodGet, Target: "/open/v1/orders?limit=50&rows=7"}, 1.5},
	{"read, gzip accepted", wire.Request{Method: http.MethodGet, Target: fullPage.request.Target, Encoding: "gzip"}, 1.8},
	{"first process call", wire.Request{
		Method: http.MethodPost, Target: "/open/v1/orders/O-1/preparation", Body: []byte(firstBody), Announced: len(firstBody),
	}, 1.6},
}

const firstBody = `{"item_ids":["0190a5c0-0000-7000-8000-000000000001"]}`

// proxied is what forwards calls to a service that always gives the same answer: the gateway alone, and what it is compared with.
type proxied struct {
	b        *benchmark
	constant *child.Process
	bare     *child.Process
	// serviceAt and bareAt are their addresses.
	serviceAt, bareAt string
	gateway           *system
	keys              []string
}

// partGateway measures the gateway beside the proxy of the standard library, and beside nginx where that is installed.
func (b *benchmark) partGateway(ctx context.Context) (err error) {
	p := &proxied{b: b}
	defer func() { err = errors.Join(err, p.stop()) }()
	if err := p.start(ctx); err != nil {
		return err
	}
	var rows [][]string
	for n, call := range gatewayCalls {
		bare, gateway := p.side("bare proxy", call, p.bareAt, p.bare.PID()), p.side("gateway", call, p.gateway.env.GatewayURL, 0)
		if err := b.turns(ctx, []*side{bare, gateway}); err != nil {
			return err
		}
		for _, one := range []*side{bare, gateway} {
			rows = append(rows, append(one.cells(), times(one.ratio(perSecond, bare, perSecond)), times(one.ratio(ownCPU, bare, ownCPU))))
		}
		if n == 0 {
			b.report.Yardstick("bare proxy, 20 KB", bare.median(perSecond), "requests/s")
			b.report.Yardstick("bare proxy, 20 KB", bare.median(ownCPU), "µs CPU")
			b.report.Add(report.Bar{Name: call.name + ", throughput of the bare proxy", Unit: "x", AtLeast: 0.6}.
				Compare(gateway.ratio(perSecond, bare, perSecond)))
		}
		b.report.Add(report.Bar{Name: call.name + ", CPU of the bare proxy", Unit: "x", AtMost: call.most}.
			Compare(gateway.ratio(ownCPU, bare, ownCPU)))
	}
	if err := b.report.Table("the gateway in front of a constant service, compared with the bare proxy",
		append(cellNames[:len(cellNames):len(cellNames)], "requests/s", "CPU"), rows); err != nil {
		return err
	}
	return p.compareNginx(ctx)
}

func (p *proxied) start(ctx context.Context) (err error) {
	if p.constant, err = child.Run(ctx, &p.serviceAt, ChildCommand, constantChild); err != nil {
		return err
	}
	if p.bare, err = child.Run(ctx, &p.bareAt, ChildCommand, bareChild, p.serviceAt); err != nil {
		return err
	}
	if p.gateway, err = p.b.newGateway(ctx, p.serviceAt); err != nil {
		return err
	}
	sellers, err := market.Sellers(seed, gatewayKeys)
	if err != nil {
		return err
	}
	w := &world{env: p.gateway.env, known: map[string]*seller{}}
	if err := w.register(ctx, sellers); err != nil {
		return err
	}
	for _, one := range sellers {
		issued, err := w.seller(ctx, one.ID)
		if err != nil {
			return err
		}
		p.keys = append(p.keys, issued.key)
	}
	return p.eachKeyOnce(ctx)
}

// eachKeyOnce reads with each key in turn, so that the gateway has the facts about it.
func (p *proxied) eachKeyOnce(ctx context.Context) error {
	l, err := wire.Dial(ctx, p.gateway.env.GatewayURL)
	if err != nil {
		return err
	}
	defer func() { _ = l.Close() }()
	for _, key := range p.keys {
		request := fullPage.request
		request.Key = key
		if err := l.OK(request.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func (p *proxied) stop() error {
	var problems []error
	for _, one := range []*child.Process{p.bare, p.constant} {
		if one != nil {
			problems = append(problems, one.Stop())
		}
	}
	if p.gateway != nil {
		problems = append(problems, p.gateway.stop())
	}
	return errors.Join(problems...)
}

// own is the process that forwards, as the CPU times of a sample name it.
const own = "proxy"

var ownCPU = cpu(own)

// side returns a side that makes a call with one key after the other. pid is 0 for the gateway.
func (p *proxied) side(name string, call gatewayCall, address string, pid int) *side {
	if pid == 0 {
		pid = p.gateway.pids()["gateway"]
	}
	var next atomic.Int64
	requests := func(int, *rand.Rand) []byte {
		request := call.request
		request.Key = p.keys[int(next.Add(1))%len(p.keys)]
		return request.Bytes()
	}
	m := meter(func() (map[string]time.Duration, error) {
		used, failed := launch.TreeCPU(pid)
		redis, err := launch.CPU(p.b.ground.redis.PID())
		return map[string]time.Duration{own: used, "redis": redis}, errors.Join(failed, err)
	})
	return &side{
		name: fmt.Sprintf("%s: %s", call.name, name), rows: 1, atOnce: p.b.Concurrency,
		run: func(ctx context.Context) (sample, error) { return p.b.loop(ctx, m, address, requests) },
	}
}
