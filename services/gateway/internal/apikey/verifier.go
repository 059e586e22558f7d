package apikey

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"
)

// Reason says why a text is not accepted: a bounded word for logs and metrics. The client never learns it.
type Reason string

// The reasons, in the order in which they are found out. The first two are about the header and known before a text is.
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

// ErrHashUnknown is what a Lookup answers for a hash that belongs to no key.
var ErrHashUnknown = errors.New("no key has this hash")

// Lookup finds the key of a well-made text. It answers ErrHashUnknown when there is none, and any other error when it
// cannot know; the difference is the difference between 401 and 503.
type Lookup func(ctx context.Context, identity Identity) (Found, error)

// Counted returns the look-up that adds to a counter for each key it finds.
func (l Lookup) Counted(found interface{ Inc() }) Lookup {
	return func(ctx context.Context, identity Identity) (Found, error) {
		key, err := l(ctx, identity)
		if err == nil {
			found.Inc()
		}
		return key, err
	}
}

// RefusedError says that a text was refused for good, and why.
type RefusedError struct {
	Reason Reason
	// Key is set for a key that exists, for logging only; it grants no rights.
	Key Key
}

// Error says for the log why, and whose key it was when it was someone's; never a part of the text but its prefix.
func (e *RefusedError) Error() string {
	if e.Key.Prefix == "" {
		return "key refused: " + string(e.Reason)
	}
	return fmt.Sprintf("key refused: %s: %s of seller %s", e.Reason, e.Key.Prefix, e.Key.SellerID)
}

// Bearer is a key whose text was read, with everything about it that does not change from call to call. Whether it is
// still valid at this moment is not known here.
type Bearer struct {
	Key
	identity Identity
}

const (
	// factsKept is how many keys a gateway remembers, some hundred bytes each.
	factsKept = 100_000
	// factsLife bounds how long the facts of an unchanged key are cached.
	factsLife = 10 * time.Minute
)

// LookupTimeout is what a look-up may take in production, so that a database that does not answer costs a client two
// seconds and not a statement's whole time.
const LookupTimeout = 2 * time.Second

// Verifier finds out whose key a text is. It is safe for concurrent use.
type Verifier struct {
	texts   *Texts
	lookup  Lookup
	timeout time.Duration
	facts   *otter.Cache[Hash, Key]
}

// NewVerifier returns a verifier that reads texts and looks up those that are well made and not remembered. A look-up that takes
// longer than the time-out has failed.
func NewVerifier(texts *Texts, lookup Lookup, timeout time.Duration) *Verifier {
	return &Verifier{texts: texts, lookup: lookup, timeout: timeout, facts: otter.Must(&otter.Options[Hash, Key]{
		MaximumSize:      factsKept,
		ExpiryCalculator: otter.ExpiryWriting[Hash, Key](factsLife),
	})}
}

// Identify returns the bearer of a text. Errors: *RefusedError; anything else means that the look-up failed and nothing is
// known about the key. A text that this deployment did not make costs no look-up.
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

// Reread returns the bearer as PostgreSQL knows it now, and remembers that. The reading begins with the call.
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

// find looks a key up and checks its MAC. Errors: those of the look-up, ErrAltered.
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
