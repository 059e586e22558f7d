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

// Refund implements Provider.
func (e *embedded) Refund(_ context.Context, r Request) (Result, error) {
	result := Result{Trigger: claim.Succeed, Reference: "embedded-" + r.ID.String()}
	switch {
	case ends(r.ClaimNo, e.config.FailEnding):
		result.Trigger = claim.Failure
	case ends(r.ClaimNo, e.config.AccountEnding):
		result.Trigger = claim.NeedAccount
	}
	return result, nil
}

// ends reports whether a number has the ending; false if the ending is empty.
func ends(number, ending string) bool { return ending != "" && strings.HasSuffix(number, ending) }

// Close implements Provider.
func (e *embedded) Close() {}
