package apikey

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"
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
type Lookup func(ctx context.Context, identity Identity) (Found, error)

// Counted returns a look-up that increments a counter for each key found.
func (l Lookup) Counted(found interface{ Inc() }) Lookup {
	return func(ctx context.Context, identity Identity) (Found, error) {
		key, err := l(ctx, identity)
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

// Bearer is the key of a parsed text, with its properties that do not change from call to call. Whether it is still valid at this
// moment is checked elsewhere.
type Bearer struct {
	Key
	identity Identity
}

const (
	// factsKept is the maximum number of cached keys, a few hundred bytes each.
	factsKept = 100_000
	// factsLife limits how long the facts of an unchanged key are cached.
	factsLife = 10 * time.Minute
)

// PreloadMost is the maximum number of keys to preload: a few MiB, and less than a second to read.
const PreloadMost = 10_000

// LookupTimeout is the timeout of a look-up in production, so that an unresponsive database costs a client two seconds and not a
// statement's whole timeout.
const LookupTimeout = 2 * time.Second

// Verifier identifies the key of a text. It is safe for concurrent use.
type Verifier struct {
	texts   *Texts
	lookup  Lookup
	timeout time.Duration
	facts   *otter.Cache[Hash, Key]
}

// NewVerifier returns a verifier that parses texts and looks up those that are well-formed and not cached. A look-up fails after
// the timeout.
func NewVerifier(texts *Texts, lookup Lookup, timeout time.Duration) *Verifier {
	return &Verifier{texts: texts, lookup: lookup, timeout: timeout, facts: otter.Must(&otter.Options[Hash, Key]{
		MaximumSize:      factsKept,
		ExpiryCalculator: otter.ExpiryWriting[Hash, Key](factsLife),
	})}
}

// Identify returns the bearer of a text. Errors: *RefusedError; any other error means that the look-up failed and the key's state is
// unknown. A text that this deployment did not issue costs no look-up.
func (v *Verifier) Identify(ctx context.Context, text string) (Bearer, error) {
	identity, err := v.texts.Read(text)
	if err != nil {
		return Bearer{}, &RefusedError{Reason: reasonOf(err)}
	}
	if key, known := v.facts.GetIfPresent(identity.Hash); known {
		return Bearer{Key: key, identity: identity}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, v.timeout)
	defer cancel()
	key, err := v.facts.Get(ctx, identity.Hash, otter.LoaderFunc[Hash, Key](func(ctx context.Context, _ Hash) (Key, error) {
		return v.find(ctx, identity)
	}))
	return bearer(key, identity, err)
}

// Reread returns the bearer as currently stored in PostgreSQL, and caches it. The read starts with the call.
func (v *Verifier) Reread(ctx context.Context, old Bearer) (Bearer, error) {
	ctx, cancel := context.WithTimeout(ctx, v.timeout)
	defer cancel()
	key, err := v.find(ctx, old.identity)
	if err == nil {
		v.facts.Set(old.identity.Hash, key)
	} else {
		v.facts.Invalidate(old.identity.Hash)
	}
	return bearer(key, old.identity, err)
}

// Preload caches keys before the first call, without their look-up. It leaves out a key whose MAC does not match: the look-up of the
// call refuses it, with the reason.
func (v *Verifier) Preload(keys []Found) {
	for _, found := range keys {
		if v.texts.check(found, found.Hash) == nil {
			v.facts.Set(found.Hash, found.Key)
		}
	}
}

// find looks a key up and verifies its MAC. Errors: those of the look-up, ErrAltered.
func (v *Verifier) find(ctx context.Context, identity Identity) (Key, error) {
	found, err := v.lookup(ctx, identity)
	if err != nil {
		return Key{}, err
	}
	return found.Key, v.texts.check(found, identity.Hash)
}

func bearer(key Key, identity Identity, err error) (Bearer, error) {
	switch {
	case errors.Is(err, ErrHashUnknown):
		return Bearer{}, &RefusedError{Reason: ReasonUnknown}
	case errors.Is(err, ErrAltered):
		return Bearer{}, &RefusedError{Reason: ReasonAltered, Key: key}
	case err != nil:
		return Bearer{}, err
	default:
		return Bearer{Key: key, identity: identity}, nil
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
