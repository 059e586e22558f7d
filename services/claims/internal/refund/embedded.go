package refund

import (
	"context"
	"strings"

	"sellerapi.dev/services/claims/internal/claim"
)

// EmbeddedConfig configures the embedded provider: the endings of claim numbers whose refunds do not succeed at once, so that a
// retry gets the same result. An empty ending matches no claim.
type EmbeddedConfig struct {
	// FailEnding matches the claims whose refunds fail.
	FailEnding string
	// AccountEnding matches the claims whose customers have to provide an account; RecordRefund ends the wait.
	AccountEnding string
}

// embedded is a provider without a payment system. It has no state: its answer depends on the request alone.
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

// ends reports whether a number has the ending; false if the ending is empty.
func ends(number, ending string) bool { return ending != "" && strings.HasSuffix(number, ending) }

// Close implements Provider.
func (e *embedded) Close() {}
