package rpc

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/trust"
)

const (
	// MaxTokenLife is the longest life of a token of the issuer.
	MaxTokenLife = 90 * 24 * time.Hour
	// maxServiceTokenLife is the longest life of a token that a service signs for its own calls, serviceTokenLife the one that
	// clients use.
	maxServiceTokenLife = time.Hour
	serviceTokenLife    = time.Minute
	// tokenSkew is how far the clocks of signer and verifier may differ.
	tokenSkew = 5 * time.Second
)

func maxLife(party trust.Party) time.Duration {
	if party == trust.Issuer {
		return MaxTokenLife
	}
	return maxServiceTokenLife
}

// vouches reports whether a party may sign tokens of a caller: services sign only those of their own calls, the issuer
// those of all other callers, and of the console, because a marketplace with a partner center of its own has no service console.
func vouches(party trust.Party, caller string) bool {
	if party == trust.Issuer {
		return caller == CallerConsole || !slices.Contains(trust.Parties(), trust.Party(caller))
	}
	return string(party) == caller
}

// Identity defines the signer, the caller and the audience of tokens.
type Identity struct {
	// Party signs with Key.
	Party trust.Party
	Key   trust.PrivateKey
	// Caller is a name in the access table for which the party may sign: its own, or for the issuer that of any caller that does not
	// sign its own tokens.
	Caller string
	// Audience are the services that may be called.
	Audience []string
}

// Token is a credential for calls.
type Token struct {
	// ID identifies the token in Config.Revoked.
	ID string
	// Text is sent as "Authorization: Bearer <text>".
	Text string
	// Expires is when it expires.
	Expires time.Time
}

// NewToken returns a token of an identity that is valid for life from now. It returns an error when the party has no key, may
// not sign for the caller, or when life is not positive or longer than the party may grant.
func NewToken(identity Identity, life time.Duration) (Token, error) {
	key, err := identity.open()
	switch {
	case err != nil:
		return Token{}, err
	case life <= 0 || life > maxLife(identity.Party):
		return Token{}, fmt.Errorf("a token of %s is valid for at most %s, not %s", identity.Party, maxLife(identity.Party), life)
	}
	return sign(key, identity, life, time.Now())
}

func (i Identity) open() (ed25519.PrivateKey, error) {
	switch {
	case !vouches(i.Party, i.Caller):
		return nil, fmt.Errorf("%s does not sign tokens of caller %q", i.Party, i.Caller)
	case len(i.Audience) == 0:
		return nil, errors.New("a token needs a service that may be called with it")
	}
	return i.Key.Open()
}

func sign(key ed25519.PrivateKey, identity Identity, life time.Duration, now time.Time) (Token, error) {
	token := Token{ID: uuid.NewString(), Expires: now.Add(life).Truncate(jwt.TimePrecision)}
	var err error
	token.Text, err = jwt.NewWithClaims(jwt.SigningMethodEdDSA, jwt.RegisteredClaims{
		Issuer: string(identity.Party), Subject: identity.Caller, Audience: identity.Audience, ID: token.ID,
		IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(token.Expires),
	}).SignedString(key)
	if err != nil {
		return Token{}, fmt.Errorf("sign token: %w", err)
	}
	return token, nil
}

// tokenSource signs tokens of one identity and keeps each for half its life.
type tokenSource struct {
	key      ed25519.PrivateKey
	identity Identity

	mu    sync.Mutex
	value string
	renew time.Time
}

func (s *tokenSource) header(now time.Time) (string, error) {
	now = now.Round(0) // tokens expire by the wall clock; the monotonic one stands still while a machine is suspended
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Before(s.renew) {
		return s.value, nil
	}
	token, err := sign(s.key, s.identity, serviceTokenLife, now)
	if err != nil {
		return "", err
	}
	s.value, s.renew = "Bearer "+token.Text, now.Add(serviceTokenLife/2)
	return s.value, nil
}

type callerKey struct{}

// Caller returns the name in the token of the call that ctx belongs to, "" outside a call.
func Caller(ctx context.Context) string {
	caller, _ := ctx.Value(callerKey{}).(string)
	return caller
}
