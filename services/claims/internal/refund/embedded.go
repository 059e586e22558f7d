package refund

import (
	"context"
	"strings"

	"sellerapi.dev/services/claims/internal/claim"
)

// EmbeddedConfig tells the embedded provider how to behave: the ends of numbers of claims whose refunds do not succeed at
// once, so that a refund that is asked for again gets the same treatment. An empty ending is that of none.
type EmbeddedConfig struct {
	// FailEnding is that of refunds that fail.
	FailEnding string
	// AccountEnding is that of refunds for which the customer has to name an account; RecordRefund ends the wait.
	AccountEnding string
}

// embedded is the provider without a payment system. It keeps nothing: what it says follows from the question.
type embedded struct{ config EmbeddedConfig }

// Ask implements Provider.
func (e *embedded) Ask(_ context.Context, q Question) (Word, error) {
	word := Word{Trigger: claim.Succeed, Reference: "embedded-" + q.ID.String()}
	switch {
	case ends(q.ClaimNo, e.config.FailEnding):
		word.Trigger = claim.Failure
	case ends(q.ClaimNo, e.config.AccountEnding):
		word.Trigger = claim.NeedAccount
	}
	return word, nil
}

// ends reports whether a number ends as it was told; an empty ending is that of none.
func ends(number, ending string) bool { return ending != "" && strings.HasSuffix(number, ending) }

// Close implements Provider.
func (e *embedded) Close() {}
