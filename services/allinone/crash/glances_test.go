package crash

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/services/allinone/stack/agreementtest"
	"sellerapi.dev/services/allinone/stack/stacktest"
)

// glances is what a client has seen that looks at the claims and orders of trials all the time, whatever dies meanwhile.
type glances struct {
	s       *system
	lookers []*agreementtest.Looker
	over    chan struct{}
	client  sync.WaitGroup
	count   int
	wrong   []string
}

// watch lets a client look at claims and orders until the end of what is returned.
func (s *system) watch(trials []*trial) *glances {
	g := &glances{s: s, over: make(chan struct{})}
	for _, tr := range trials {
		for _, no := range []string{tr.no, tr.successor} {
			if no == tr.no || tr.end.successor != "" {
				g.lookers = append(g.lookers, &agreementtest.Looker{Read: s.reader(tr), ClaimNo: no, OrderNo: tr.order})
			}
		}
	}
	g.client.Go(g.lookOn)
	return g
}

// reader reads as the seller of a trial.
func (s *system) reader(tr *trial) agreementtest.Reader {
	return func(ctx context.Context, path string) ([]byte, bool) {
		answer := s.do(ctx, http.MethodGet, s.base+path, s.asSeller(tr, principal.Call{Method: http.MethodGet, Target: path}, ""), "")
		return []byte(answer.body), answer.status == http.StatusOK
	}
}

// looksEach are the looks at one claim in a row, the first two of which tell nothing.
const looksEach = 4

// lookOn looks at all claims in turn, until it is over.
func (g *glances) lookOn() {
	for {
		for _, looker := range g.lookers {
			looker.Forget()
			for range looksEach {
				g.look(looker, agreementtest.Contradiction)
			}
		}
		select {
		case <-g.over:
			return
		case <-time.After(tick):
		}
	}
}

// look looks once, and reports whether that told something. contradiction says what must not be seen.
func (g *glances) look(looker *agreementtest.Looker, contradiction func(*stacktest.Claim, *stacktest.Order) string) bool {
	claim, order, ok := looker.Look(g.s.t.Context())
	if !ok {
		return false
	}
	g.count++
	if problem := contradiction(&claim, &order); problem != "" {
		g.wrong = append(g.wrong, problem)
	}
	return true
}

// end looks at every claim for the last time, when nothing is left to do, and requires that none has ever contradicted its order.
func (g *glances) end() {
	g.s.t.Helper()
	close(g.over)
	g.client.Wait()
	for _, looker := range g.lookers {
		looker.Forget()
		looks := func() bool { return g.look(looker, agreementtest.ContradictionAtRest) }
		eventually(g.s.t, looks, func() string { return looker.ClaimNo + " cannot be read" })
	}
	require.Empty(g.s.t, g.wrong)
	g.s.t.Logf("%d glances at %d claims", g.count, len(g.lookers))
}
