// Package refund asks payment providers to give customers their money back.
//
// # What a provider promises
//
// The id of a refund is the provider's idempotency key: asked for any number of times, it pays once. It answers a question
// with its [Word], or with an error, and an error says nothing at all about the money: the question has to be asked again.
// A provider that cannot decide at once says [Accepted] and gives its word later, through RecordRefund of the intake or in
// answer to a repeated question. What a word does to a refund is for the rules to say (package claim, refund.go).
//
// # The HTTP provider
//
// One POST for each question:
//
//	POST <url>
//	Content-Type: application/json
//	Idempotency-Key: <refund id>
//	X-Refund-Timestamp: <Unix time in seconds>
//	X-Refund-Signature: v1=<hex of HMAC-SHA-256 over timestamp "." body, under the shared key>
//
//	{"refund_id":"…","claim_no":"…","order_no":"…","seller_id":"…","kind":"refund","amount":12000,"points":500}
//
// kind is refund or shortfall_return. amount is what goes back in money, in the order's currency, and points what goes back in
// points; both belong together, so the word is about both. Either can be 0, and not both are: a purchase that was paid with
// points alone is asked for with the amount 0. The answer is
//
//	200 {"status":"succeeded","reference":"the provider's own id"}
//
// with one of the states succeeded, accepted, failed, needs_account. 400, 402 and 422 mean failed. Everything else, and
// whatever cannot be read, is no word. A question is repeated a few times within one call, after pauses that grow and are
// partly random, and then left to the refund's own rhythm.
//
// # The embedded provider
//
// It pays out of nothing and at once, and fails on demand; see [EmbeddedConfig]. It stands in where there is no
// payment system: on a developer's machine and in tests. A live environment does not start with it.
package refund

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/claims/internal/claim"
)

// Question is a refund that is asked for.
type Question struct {
	// ID is the idempotency key.
	ID       uuid.UUID
	ClaimNo  string
	OrderNo  string
	SellerID uuid.UUID
	Kind     claim.RefundKind
	// Amount is what goes back in money, in the order's currency, Points what goes back in points; not both are 0.
	Amount, Points int64
	// QueuedAt is when the refund was fixed.
	QueuedAt time.Time
}

// Word is what a provider says to a question.
type Word struct {
	// Trigger is Succeed, Failure, NeedAccount or Accepted.
	Trigger claim.RefundTrigger
	// Reference is the provider's own name of the payment; empty when it gives none.
	Reference string
}

// Accepted is the word of a provider that will give its word later.
const Accepted claim.RefundTrigger = "accepted"

// Provider gives customers their money back. Implementations are safe for concurrent use.
type Provider interface {
	// Ask asks for a refund and returns the provider's word. An error means that there is none: the refund may have been
	// paid or not. It returns before the context ends and takes at most a few seconds otherwise.
	Ask(ctx context.Context, q Question) (Word, error)
	// Close ends connections that are not used.
	Close()
}

// Config chooses a provider.
type Config struct {
	URL     string        `name:"refund-provider-url" env:"REFUND_PROVIDER_URL" help:"Where refunds are asked for; empty for the embedded provider, which no live environment starts with."`
	Keys    secret.Keys   `name:"refund-provider-keys" env:"REFUND_PROVIDER_KEYS" help:"Key that signs what the provider is asked: base64 of at least 32 bytes."`
	Timeout time.Duration `name:"refund-provider-timeout" env:"REFUND_PROVIDER_TIMEOUT" default:"2s" help:"Time for one try to ask the provider."`

	// Embedded is for programs that run the service within themselves.
	Embedded EmbeddedConfig `kong:"-"`
}

// Open returns the provider that the settings choose. It calls nobody yet.
func Open(config Config) (Provider, error) {
	if config.URL == "" {
		return &embedded{config: config.Embedded}, nil
	}
	provider, err := newHTTP(config)
	if err != nil {
		return nil, fmt.Errorf("refund provider: %w", err)
	}
	return provider, nil
}
