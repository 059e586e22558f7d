// Package refund requests refunds from payment providers.
//
// # The provider's contract
//
// The id of a refund is the provider's idempotency key: the provider pays once, however often the refund is requested. It
// answers a request with its [Result], or with an error. An error says nothing about the money: the request has to be repeated.
// A provider that cannot decide at once answers [Accepted] and reports the result later, through RecordRefund of the intake or
// in answer to a repeated request. The rules decide how an answer changes a refund (package claim, refund.go).
//
// # The HTTP provider
//
// One POST per request:
//
//	POST <url>
//	Content-Type: application/json
//	Idempotency-Key: <refund id>
//	X-Refund-Timestamp: <Unix time in seconds>
//	X-Refund-Signature: v1=<hex of HMAC-SHA-256 over timestamp "." body, under the shared key>
//
//	{"refund_id":"…","claim_no":"…","order_no":"…","seller_id":"…","kind":"refund","amount":12000,"points":500}
//
// kind is refund or shortfall_return. amount is the part refunded in money, in the order's currency, and points the part
// refunded in points; the answer applies to both. Either can be 0, but not both: for a purchase that was paid with points
// alone, the amount is 0. The response is
//
//	200 {"status":"succeeded","reference":"the provider's own id"}
//
// with one of the states succeeded, accepted, failed, needs_account. 400, 402 and 422 mean failed. Any other or unreadable
// response counts as no answer. A request is retried a few times within one call, with increasing, partly random pauses, and
// then follows the refund's own retry schedule.
//
// # The embedded provider
//
// It moves no money, answers at once, and fails on demand; see [EmbeddedConfig]. It replaces a payment system on a developer's
// machine and in tests. A live environment does not start with it.
package refund

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/claims/internal/claim"
)

// Request is a request for a refund.
type Request struct {
	// ID is the idempotency key.
	ID       uuid.UUID
	ClaimNo  string
	OrderNo  string
	SellerID uuid.UUID
	Kind     claim.RefundKind
	// Amount is the part refunded in money, in the order's currency, Points the part in points; not both are 0.
	Amount, Points int64
}

// Result is a provider's answer to a request.
type Result struct {
	// Trigger is Succeed, Failure, NeedAccount or Accepted.
	Trigger claim.RefundTrigger
	// Reference is the provider's own id of the payment; empty if it returns none.
	Reference string
}

// Accepted is the answer of a provider that will report the result later.
const Accepted claim.RefundTrigger = "accepted"

// Provider pays refunds to customers. Implementations are safe for concurrent use.
type Provider interface {
	// Refund requests a refund and returns the provider's answer. An error means that there is none: the refund may or may not
	// have been paid. It returns before the context ends and takes at most a few seconds otherwise.
	Refund(ctx context.Context, r Request) (Result, error)
	// Close closes idle connections.
	Close()
}

// Config selects a provider.
type Config struct {
	URL     string        `name:"refund-provider-url" env:"REFUND_PROVIDER_URL" help:"URL of the refund provider; empty for the embedded provider, which a live environment refuses."`
	Keys    secret.Keys   `name:"refund-provider-keys" env:"REFUND_PROVIDER_KEYS" help:"Key that signs requests to the provider: base64 of at least 32 bytes."`
	Timeout time.Duration `name:"refund-provider-timeout" env:"REFUND_PROVIDER_TIMEOUT" default:"2s" help:"Timeout of one request to the provider."`

	// Embedded is for programs that embed the service.
	Embedded EmbeddedConfig `kong:"-"`
}

// Open returns the configured provider. It makes no calls yet.
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
