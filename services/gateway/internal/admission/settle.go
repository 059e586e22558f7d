package admission

import (
	"context"

	"sellerapi.dev/pkg/operation"
)

// Settle replaces the rows that an admitted read is charged with by those it returned, and brings the decision's usage up
// to date. It reports whether that changed anything: a page that was full costs nothing. In the first half of the budget the
// round trip happens aside and nobody waits for it; in the second half it happens before Settle returns, so that the
// client's next call finds the rows that are free. What is under way aside can not fill the other half.
//
// A read may be settled again, when the answer broke off that the rows were announced with; the last word stands.
//
// A settlement that Redis does not take is given up: the reservation ages out with its call.
func (a *Admitter) Settle(call Call, decision *Decision, rows int) bool {
	charged := &decision.ticket
	if a.limits.RowBudget(call.Class) == 0 || rows == charged.rows {
		return false
	}
	scarce := 2*decision.Usage.Rows >= decision.Usage.RowsLimit
	decision.Usage.Rows += rows - charged.rows
	charged.rows = rows
	earlier, nonce, settled := charged.settled, charged.nonce, make(chan struct{})
	charged.settled = settled
	a.aside.Go(func() {
		defer close(settled)
		if earlier != nil {
			<-earlier
		}
		_, _ = a.guard.run(context.Background(), a.scripts.settle, []string{namesOf(call.Seller).window(call.Key, operation.Read)},
			argument{}.word(a.terms[call.Class].window).raw(nonce).uint32(rows))
	})
	if scarce {
		<-settled
	}
	return true
}

// Drain waits for the settlements that happen aside.
func (a *Admitter) Drain() { a.aside.Wait() }
