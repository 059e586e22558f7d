package crash

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"sellerapi.dev/services/e2e/stacktest"
)

// providerFaults are what a payment system does before it pays, or instead of paying. With those in told it reports the outcome
// later by itself, because it is not asked again soon.
var (
	providerFaults = []string{
		stacktest.Down, stacktest.Silent, stacktest.Broken, stacktest.Nonsense, stacktest.Failed,
		stacktest.PaidLater, stacktest.NeedsAccount,
	}
	told = []string{stacktest.PaidLater, stacktest.NeedsAccount}
)

// refunding are actions with one refund each, of every kind: of the goods, of a shortfall, of a difference.
var refunding = []string{"approve", "reject paid", "pass exchange"}

// Whatever the payment system does first, and whichever process dies before it has recovered: every customer is refunded once.
func TestRefund_once(t *testing.T) {
	t.Parallel()
	database := migrated(t)
	for name, dies := range map[string][]string{"none": nil, "both": both} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSystem(t, database(t), "REFUND_PROVIDER_TIMEOUT=200ms")
			trials := unpaid()
			s.prepare(trials)
			seen := s.watch(trials)
			s.failProvider(trials)
			s.kill(dies...)
			s.start(dies...)
			for _, tr := range trials {
				s.payments.Tell(tr.no, stacktest.Paid)
				if slices.Contains(told, tr.wrong) {
					s.tell(tr)
					s.tell(tr)
				}
			}
			s.settle(trials)
			seen.end()
			s.requireEnd(t, trials)
		})
	}
}

// unpaid returns trials of the refunding actions with every fault of the payment system.
func unpaid() (trials []*trial) {
	for i := range actions {
		for _, providerFault := range providerFaults {
			if slices.Contains(refunding, actions[i].name) {
				trials = append(trials, &trial{action: &actions[i], wrong: providerFault})
			}
		}
	}
	return trials
}

func (s *system) failProvider(trials []*trial) {
	s.t.Helper()
	var asked sync.WaitGroup
	for _, tr := range trials {
		s.payments.Tell(tr.no, tr.wrong)
		asked.Go(func() { s.ask(tr, s.base) })
	}
	asked.Wait()
	s.retryUntilSuccess(trials) // an unfinished refund does not block a call
}

// tell lets the provider report the outcome of a refund that it was asked for.
func (s *system) tell(tr *trial) {
	s.t.Helper()
	var asked []stacktest.Payout
	eventually(s.t, func() bool {
		asked = s.payments.Asked(tr.no)
		return len(asked) > 0
	}, func() string { return tr.name() + ": the refund was not requested" })
	word := fmt.Sprintf(`{"refundId":%q,"outcome":"REFUND_OUTCOME_SUCCEEDED","providerReference":"R-1"}`, asked[0].RefundID)
	eventually(s.t, func() bool {
		return s.do(s.t.Context(), http.MethodPost, s.base+intake+"RecordRefund", s.asMarketplace(), word).status == http.StatusOK
	}, func() string { return tr.name() + ": the provider's word is not heard" })
}
