package apikey

import (
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/principal"
)

// MaxActive is how many active keys a seller may hold at once: enough to rotate every integration without downtime,
// few enough that a forgotten one is noticed.
const MaxActive = 5

// Limits bound the keys of a seller. Calls are counted by key, so a seller that could go on issuing and revoking would have no limits.
type Limits struct {
	// PerDay is how many keys are issued in any 24 hours.
	PerDay int
	// Rest is how long a key that has ended still counts towards MaxActive. While it is no shorter than the window of calls and the
	// time in which every gateway hears of a revocation, a seller has never more than MaxActive times the limits of a key.
	Rest time.Duration
}

// hearing is the time within which a revocation reaches every gateway.
const hearing = time.Minute

// RestFor returns the shortest Rest that upholds Limits for a rate window of this length.
func RestFor(window time.Duration) time.Duration { return window + hearing }

// DefaultLimits are those of an installation that sets none.
var DefaultLimits = Limits{PerDay: 10, Rest: RestFor(time.Minute)}

// State is derived from revocation and expiry at the moment of an answer; it is never stored.
type State string

// The states of a key. Revocation wins over expiry, because it is a decision and not a date.
const (
	Active  State = "active"
	Revoked State = "revoked"
	Expired State = "expired"
)

// StateAt derives the state of a key with these dates. A key is expired from the instant of its expiry on.
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

// Key is what may be shown of a key without revealing it.
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
	Version   int        // grows with every change of the key
}

// Principal is the caller that a request with this key speaks for.
func (k Key) Principal() principal.Principal {
	return principal.Principal{SellerID: k.SellerID, KeyID: k.ID.String(), KeyPrefix: k.Prefix, Scopes: k.Scopes}
}

// Why a request about keys is refused. Transports map them to their own codes.
var (
	// ErrSellerUnknown says that the seller was never registered.
	ErrSellerUnknown = errors.New("no such seller")
	// ErrKeyUnknown says that the seller has no key with this id; another seller's key is no different.
	ErrKeyUnknown = errors.New("no such key of this seller")
	// ErrOtherContent says that the request id belongs to an earlier request for another key.
	ErrOtherContent = errors.New("the request id was used before, for a key with other scopes, another purpose or another expiry")
	// ErrTooMany says that the seller already holds MaxActive active keys.
	ErrTooMany = errors.New("the seller already holds the largest allowed number of active keys")
	// ErrTooManyLately says that a key of the seller ended so lately that it still counts as active.
	ErrTooManyLately = errors.New("the seller holds the largest allowed number of keys, those counted that ended a moment ago: try again in some minutes")
	// ErrTooManyADay says that the seller was issued the largest allowed number of keys in the last 24 hours.
	ErrTooManyADay = errors.New("the seller was issued the largest allowed number of keys in the last 24 hours")
	// ErrUnconfirmed says that a key is revoked but the revocation is not yet confirmed on every gateway.
	ErrUnconfirmed = errors.New("the key is revoked forever; it is not confirmed on every gateway yet, and will be by itself as soon as Redis answers")
)

// Held is a key that a seller already has, as far as issuing another one needs it.
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

// repeated is what a request leads to whose id has issued the key. A caller that asks for other rights must not take those of the
// earlier key for them.
func repeated(key Key, request IssueRequest) (Key, bool, error) {
	if key.Purpose != request.Purpose || !slices.Equal(key.Scopes, request.Scopes) || !sameExpiry(key.ExpiresAt, request.ExpiresAt) {
		return Key{}, false, ErrOtherContent
	}
	return key, true, nil
}

// sameExpiry compares as precisely as an expiry is stored.
func sameExpiry(stored, asked *time.Time) bool {
	if stored == nil || asked == nil {
		return stored == asked
	}
	return stored.Truncate(time.Microsecond).Equal(asked.Truncate(time.Microsecond))
}

// Decide returns the outcome of an issue request; the caller holds the seller's lock. It returns true and the key that the
// same request was answered with before, or false for a new key. A repetition is answered even at the limit, after a
// revocation and past its expiry, because it issues nothing. Errors: ErrOtherContent for a repetition that asks for something
// else, ErrTooMany, ErrTooManyLately, ErrTooManyADay, VALIDATION_ERROR for an expiry that is not in the future.
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
	case active >= MaxActive:
		return Key{}, false, ErrTooMany
	case counted >= MaxActive:
		return Key{}, false, ErrTooManyLately
	case ofDay >= limits.PerDay:
		return Key{}, false, ErrTooManyADay
	default:
		return Key{}, false, nil
	}
}
