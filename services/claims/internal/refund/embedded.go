package refund

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"sellerapi.dev/services/claims/internal/claim"
)

// EmbeddedConfig tells the embedded provider how to behave. Which refunds a share falls on depends on their ids alone, and an
// ending picks single claims, so a refund that is asked for again gets the same treatment. In the zero value every refund
// succeeds at once.
type EmbeddedConfig struct {
	Delay          time.Duration `name:"refund-embedded-delay" env:"REFUND_EMBEDDED_DELAY" default:"0s" help:"How long the embedded refund provider takes to pay."`
	FailPercent    int           `name:"refund-embedded-fail-percent" env:"REFUND_EMBEDDED_FAIL_PERCENT" default:"0" help:"Share of refunds that fail at the embedded provider, however often they are asked for."`
	AccountPercent int           `name:"refund-embedded-account-percent" env:"REFUND_EMBEDDED_ACCOUNT_PERCENT" default:"0" help:"Share of refunds for which the embedded provider asks for an account; RecordRefund ends the wait."`
	FailEnding     string        `name:"refund-embedded-fail-ending" env:"REFUND_EMBEDDED_FAIL_ENDING" help:"Refunds of claims whose number ends like this fail at the embedded provider; empty for none."`
	AccountEnding  string        `name:"refund-embedded-account-ending" env:"REFUND_EMBEDDED_ACCOUNT_ENDING" help:"The embedded provider asks for an account for refunds of claims whose number ends like this; empty for none."`
}

// embedded is the provider without a payment system. It keeps nothing: what it says follows from the question.
type embedded struct {
	config EmbeddedConfig
	now    func() time.Time
}

var errShares = errors.New("the shares of the embedded refund provider must be 0 to 100 percent together, its delay not negative")

func newEmbedded(config EmbeddedConfig) (*embedded, error) {
	if config.FailPercent < 0 || config.AccountPercent < 0 || config.FailPercent+config.AccountPercent > 100 || config.Delay < 0 {
		return nil, errShares
	}
	return &embedded{config: config, now: time.Now}, nil
}

// Ask implements Provider. It gives its word at once or says when to ask again.
func (e *embedded) Ask(_ context.Context, q Question) (Word, error) {
	word := Word{Trigger: claim.Succeed, Reference: "embedded-" + q.ID.String()}
	switch draw := int(binary.BigEndian.Uint32(q.ID[:4]) % 100); {
	case draw < e.config.FailPercent || ends(q.ClaimNo, e.config.FailEnding):
		word.Trigger = claim.Failure
	case draw < e.config.FailPercent+e.config.AccountPercent || ends(q.ClaimNo, e.config.AccountEnding):
		word.Trigger = claim.NeedAccount
	}
	if left := e.config.Delay - e.now().Sub(q.QueuedAt); left > 0 {
		return Word{Trigger: Accepted, Reference: word.Reference, AskAgain: left}, nil
	}
	return word, nil
}

// ends reports whether a number ends as it was told; an empty ending is that of none.
func ends(number, ending string) bool { return ending != "" && strings.HasSuffix(number, ending) }

// Close implements Provider.
func (e *embedded) Close() {}
