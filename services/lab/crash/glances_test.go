package crash

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/services/e2e/agreementtest"
	"sellerapi.dev/services/e2e/stacktest"
)

// glances are the observations of a client that reads the claims and orders of trials continuously, whichever process dies
// meanwhile.
type glances struct {
	s       *system
	lookers []*agreementtest.Looker
	over    chan struct{}
	client  sync.WaitGroup
	count   int
	wrong   []string
}

// watch starts a client that reads claims and orders until end of the returned glances is called.
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

// reader returns a function that reads as the seller of a trial.
func (s *system) reader(tr *trial) agreementtest.Reader {
	return func(ctx context.Context, path string) ([]byte, bool) {
		answer := s.do(ctx, http.MethodGet, s.base+path, s.asSeller(tr, principal.Call{Method: http.MethodGet, Target: path}, ""), "")
		return []byte(answer.body), answer.status == http.StatusOK
	}
}

// looksEach is how often one claim is looked at in a row. The first two looks show nothing: there is no earlier read to compare
// with.
const looksEach = 4

// lookOn looks at all claims in turn until over is closed.
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

// look looks once, records what contradiction finds, and reports whether the look showed a claim and its order at one instant.
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

// end looks at every claim a last time, when nothing is left to do, and requires that none ever contradicted its order.
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
