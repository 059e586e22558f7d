package admission

import (
	"context"

	"sellerapi.dev/pkg/operation"
)

// Settle replaces the rows charged for an admitted read by those it returned, and updates the decision's usage. It reports
// whether that changed anything: a full page needs no round trip. In the first half of the budget the round trip is made in the
// background; in the second half before Settle returns, so that the client's next call finds the freed rows. The settlements in
// flight cannot use up the other half.
//
// A read may be settled again if its answer broke off after the rows were announced; the last settlement counts.
//
// A settlement that Redis does not store is dropped: the reservation expires with its call.
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
	a.background.Go(func() {
		defer close(settled)
		if earlier != nil {
			<-earlier
		}
		_, _ = a.guard.run(context.Background(), a.scripts.settle,
			[]string{namesOf(call.Key.SellerID).window(call.Key.ID, operation.Read)},
			a.limits.Window.Milliseconds(), nonce, rows)
	})
	if scarce {
		<-settled
	}
	return true
}

// Drain waits for the settlements in the background.
func (a *Admitter) Drain() { a.background.Wait() }
