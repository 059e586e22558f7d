package apikey

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"

	"sellerapi.dev/pkg/principal"
)

// Reason is the reason for refusing a text, from a fixed set for logs and metrics. The client never learns it.
type Reason string

// The reasons, in the order of the checks. The first two concern the header and precede parsing.
const (
	ReasonMissing     Reason = "missing"
	ReasonRepeated    Reason = "repeated"
	ReasonMalformed   Reason = "malformed"
	ReasonEnvironment Reason = "environment"
	ReasonForged      Reason = "forged"
	ReasonUnknown     Reason = "unknown"
	ReasonAltered     Reason = "altered"
	ReasonRevoked     Reason = "revoked"
	ReasonExpired     Reason = "expired"
	ReasonScope       Reason = "scope"
)

// ErrHashUnknown is returned by a Lookup for a hash that belongs to no key.
var ErrHashUnknown = errors.New("no key has this hash")

// Lookup finds the key of a well-formed text. It returns ErrHashUnknown if there is none, and any other error if the result is
// unknown; the former becomes 401, the latter 503.
type Lookup func(ctx context.Context, hash Hash) (Found, error)

// Counted returns a look-up that increments a counter for each key found.
func (l Lookup) Counted(found interface{ Inc() }) Lookup {
	return func(ctx context.Context, hash Hash) (Found, error) {
		key, err := l(ctx, hash)
		if err == nil {
			found.Inc()
		}
		return key, err
	}
}

// RefusedError says that a text was refused for good, with the reason.
type RefusedError struct {
	Reason Reason
	// Key is set for a key that exists, for logging only; it grants no rights.
	Key Key
}

// Error returns the reason and, if known, the key, for the log; it contains no part of the text but its prefix.
func (e *RefusedError) Error() string {
	if e.Key.Prefix == "" {
		return "key refused: " + string(e.Reason)
	}
	return fmt.Sprintf("key refused: %s: %s of seller %s", e.Reason, e.Key.Prefix, e.Key.SellerID)
}

// Bearer is a key with a matching MAC, made once when it is cached. Whether it is still valid at the moment of a call is checked
// elsewhere.
type Bearer struct {
	Key

	Hash Hash
	// Principal is the bearer as sent to services.
	Principal principal.Principal
}

func newBearer(key Key, hash Hash) Bearer {
	return Bearer{key, hash, principal.Principal{
		SellerID: key.SellerID, KeyID: key.ID.String(),
		KeyPrefix: key.Prefix, Scopes: key.Scopes,
	}}
}

const (
	// maxFacts is the maximum number of cached keys, a few hundred bytes each.
	maxFacts = 100_000
	// factsLife limits how long the facts of an unchanged key are cached.
	factsLife = 10 * time.Minute
)

// MaxPreload is the maximum number of keys to preload: a few MiB, and less than a second to read.
const MaxPreload = 10_000

// LookupTimeout is the timeout of a look-up in production, so that an unresponsive database costs a client two seconds and not a
// statement's whole timeout.
const LookupTimeout = 2 * time.Second

// Verifier identifies the key of a text. It is safe for concurrent use.
type Verifier struct {
	texts   *Texts
	lookup  Lookup
	timeout time.Duration
	facts   *otter.Cache[Hash, Bearer]
}

// NewVerifier returns a verifier that parses texts and looks up those that are well-formed and not cached. A look-up fails after
// the timeout.
func NewVerifier(texts *Texts, lookup Lookup, timeout time.Duration) *Verifier {
	return &Verifier{texts: texts, lookup: lookup, timeout: timeout, facts: otter.Must(&otter.Options[Hash, Bearer]{
		MaximumSize:      maxFacts,
		ExpiryCalculator: otter.ExpiryWriting[Hash, Bearer](factsLife),
	})}
}

// Identify returns the bearer of a text. Errors: *RefusedError; any other error means that the look-up failed and the key's
// state is unknown. A text that this deployment did not issue costs no look-up.
func (v *Verifier) Identify(ctx context.Context, text string) (Bearer, error) {
	hash, err := v.texts.Read(text)
	if err != nil {
		return Bearer{}, &RefusedError{Reason: reasonOf(err)}
	}
	if bearer, known := v.facts.GetIfPresent(hash); known {
		return bearer, nil
	}
	ctx, cancel := context.WithTimeout(ctx, v.timeout)
	defer cancel()
	return v.facts.Get(ctx, hash, otter.LoaderFunc[Hash, Bearer](v.find))
}

// Reread returns the bearer as currently stored in PostgreSQL, and caches it. The read starts with the call.
func (v *Verifier) Reread(ctx context.Context, old Bearer) (Bearer, error) {
	ctx, cancel := context.WithTimeout(ctx, v.timeout)
	defer cancel()
	bearer, err := v.find(ctx, old.Hash)
	if err == nil {
		v.facts.Set(old.Hash, bearer)
	} else {
		v.facts.Invalidate(old.Hash)
	}
	return bearer, err
}

// Preload caches keys before the first call, without their look-up. It leaves out a key whose MAC does not match: the look-up
// of the call refuses it, with the reason.
func (v *Verifier) Preload(keys []Found) {
	for _, found := range keys {
		if v.texts.check(found, found.Hash) == nil {
			v.facts.Set(found.Hash, newBearer(found.Key, found.Hash))
		}
	}
}

// find looks a key up and verifies its MAC. Errors: *RefusedError, or any other of the look-up.
func (v *Verifier) find(ctx context.Context, hash Hash) (Bearer, error) {
	found, err := v.lookup(ctx, hash)
	switch {
	case errors.Is(err, ErrHashUnknown):
		return Bearer{}, &RefusedError{Reason: ReasonUnknown}
	case err != nil:
		return Bearer{}, err
	case v.texts.check(found, hash) != nil:
		return Bearer{}, &RefusedError{Reason: ReasonAltered, Key: found.Key}
	default:
		return newBearer(found.Key, hash), nil
	}
}

func reasonOf(err error) Reason {
	switch {
	case errors.Is(err, ErrOtherEnvironment):
		return ReasonEnvironment
	case errors.Is(err, ErrForged):
		return ReasonForged
	default:
		return ReasonMalformed
	}
}
