package apikey

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/principal"
)

// Limits restrict the keys of a seller. Calls are limited per key, so a seller that could keep issuing and revoking would have
// no limit.
type Limits struct {
	// Active is the maximum number of active keys.
	Active int
	// PerDay is the maximum number of keys issued in any 24 hours.
	PerDay int
	// Rest is how long an ended key still counts towards Active. As long as it is not shorter than the rate limit window plus the
	// time in which a revocation reaches every gateway, a seller never exceeds Active times the limits of a key.
	Rest time.Duration
}

// LimitError refuses a new key because of the limits of its seller.
type LimitError struct {
	// Reason is ErrTooMany, ErrTooManyLately or ErrTooManyADay.
	Reason error
	// Limits are those that the seller has.
	Limits Limits
}

// Error states the reason and all limits: the next try may meet another one.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%v; a seller has at most %d active keys, a key that was revoked or has expired counts as active for "+
		"another %g seconds, "+
		"and at most %d keys are issued in 24 hours", e.Reason, e.Limits.Active, e.Limits.Rest.Seconds(), e.Limits.PerDay)
}

// Unwrap returns the reason.
func (e *LimitError) Unwrap() error { return e.Reason }

func (l Limits) refuse(reason error) error { return &LimitError{Reason: reason, Limits: l} }

// revocationDelay is the time within which a revocation reaches every gateway.
const revocationDelay = time.Minute

// RestFor returns the shortest Rest that enforces Limits for a rate limit window of this length.
func RestFor(window time.Duration) time.Duration { return window + revocationDelay }

// DefaultLimits are the limits of an installation that sets none. Five keys are enough to rotate every integration without
// downtime, and few enough that a forgotten one is noticed.
var DefaultLimits = Limits{Active: 5, PerDay: 10, Rest: RestFor(time.Minute)}

// State is derived from revocation and expiry for each answer; it is never stored.
type State string

// The states of a key. Revocation wins over expiry, because it is a decision and not a date.
const (
	Active  State = "active"
	Revoked State = "revoked"
	Expired State = "expired"
)

// StateAt derives the state of a key from its dates. A key is expired from the instant of its expiry on.
func StateAt(now time.Time, expiresAt, revokedAt *time.Time) State {
	switch {
	case revokedAt != nil:
		return Revoked
	case expiresAt != nil && !now.Before(*expiresAt):
		return Expired
	default:
		return Active
	}
}

// Key holds what may be shown of a key without revealing it.
type Key struct {
	ID        uuid.UUID
	SellerID  uuid.UUID
	Prefix    string
	Scopes    []principal.Scope
	Purpose   string
	State     State
	IssuedAt  time.Time
	ExpiresAt *time.Time // nil: never
	RevokedAt *time.Time // nil: not revoked
	Version   int        // increases with every change of the key
}

// The reasons for refusing a request about keys. Transports map them to their own codes.
var (
	// ErrSellerUnknown says that the seller was never registered.
	ErrSellerUnknown = errors.New("no such seller")
	// ErrKeyUnknown says that the seller has no key with this id; that includes the keys of other sellers.
	ErrKeyUnknown = errors.New("no such key of this seller")
	// ErrOtherContent says that the request id belongs to an earlier request for another key.
	ErrOtherContent = errors.New("the request id was used before, for a key with other scopes, another purpose or another expiry")
	// ErrTooMany says that the seller already holds the maximum number of active keys.
	ErrTooMany = errors.New("the seller already has the maximum number of active keys")
	// ErrTooManyLately says that a key of the seller ended so recently that it still counts as active.
	ErrTooManyLately = errors.New("the seller has the maximum number of keys, including recently ended ones")
	// ErrTooManyADay says that the seller was issued the largest allowed number of keys in the last 24 hours.
	ErrTooManyADay = errors.New("the seller was issued the maximum number of keys in the last 24 hours")
	// ErrUnconfirmed says that a key is revoked but the revocation is not yet confirmed on every gateway.
	ErrUnconfirmed = errors.New("the key is revoked permanently; it is not confirmed on every gateway yet, which happens " +
		"automatically once Redis responds")
)

// Held is an existing key of a seller, with the fields needed for issuing another one.
type Held struct {
	Key
	RequestID uuid.UUID
}

// admittedAfter reports whether calls of the key may have been admitted after an instant.
func (k Key) admittedAfter(instant time.Time) bool {
	ended := k.RevokedAt
	if k.State == Expired {
		ended = k.ExpiresAt
	}
	return k.State == Active || ended.After(instant)
}

// repeated returns the outcome of a request whose id has already issued the key. A caller that asks for other rights must not
// mistake the earlier key for the requested one.
func repeated(key Key, request IssueRequest) (Key, bool, error) {
	if key.Purpose != request.Purpose || !slices.Equal(key.Scopes, request.Scopes) || !sameExpiry(key.ExpiresAt, request.ExpiresAt) {
		return Key{}, false, ErrOtherContent
	}
	return key, true, nil
}

// sameExpiry compares with the precision of the stored expiry.
func sameExpiry(stored, asked *time.Time) bool {
	if stored == nil || asked == nil {
		return stored == asked
	}
	return stored.Truncate(time.Microsecond).Equal(asked.Truncate(time.Microsecond))
}

// Decide returns the outcome of an issue request; the caller must hold the seller's lock. It returns true and the key issued
// for the same request before, or false for a new key. A repeated request succeeds even at the limit, after a revocation and
// past its expiry, because it issues nothing. Errors: ErrOtherContent for a repeated request with other content, a
// *[LimitError], VALIDATION_ERROR for an expiry that is not in the future.
func Decide(held []Held, request IssueRequest, limits Limits, now time.Time) (Key, bool, error) {
	active, counted, ofDay := 0, 0, 0
	for _, key := range held {
		if key.RequestID == request.RequestID {
			return repeated(key.Key, request)
		}
		if key.State == Active {
			active++
		}
		if key.admittedAfter(now.Add(-limits.Rest)) {
			counted++
		}
		if key.IssuedAt.After(now.Add(-24 * time.Hour)) {
			ofDay++
		}
	}
	switch {
	case request.ExpiresAt != nil && !request.ExpiresAt.After(now):
		return Key{}, false, apierr.Invalid(apierr.FieldError{
			Field: "expires_at", Code: apierr.FieldRange, Message: "must be in the future",
		})
	case active >= limits.Active:
		return Key{}, false, limits.refuse(ErrTooMany)
	case counted >= limits.Active:
		return Key{}, false, limits.refuse(ErrTooManyLately)
	case ofDay >= limits.PerDay:
		return Key{}, false, limits.refuse(ErrTooManyADay)
	default:
		return Key{}, false, nil
	}
}
