package rpc

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"sellerapi.dev/pkg/trust"
)

// maxTokenChars bounds the work that a refused token can cause.
const maxTokenChars = 1024

// Why a token was refused. The texts are for the caller: they help an operator and reveal nothing to an attacker.
var (
	errTokenMissing   = errors.New("missing credential: send Authorization: Bearer <token>")
	errTokenMalformed = errors.New("malformed token: expected a JWT with iss, sub, aud, iat, exp and jti")
	errTokenSignature = errors.New("token is not signed with a key that is trusted here")
	errTokenExpired   = errors.New("token is expired")
	errTokenEarly     = errors.New("token was issued in the future")
	errTokenAudience  = errors.New("token is for another service")
	errTokenForeign   = errors.New("token identifies a caller that its issuer may not sign for")
	errTokenLife      = errors.New("token lifetime exceeds what its issuer may grant")
	errTokenRevoked   = errors.New("token is revoked")
)

// refusals maps errors of the library to refusals; the first match applies.
var refusals = []struct{ found, said error }{
	{jwt.ErrTokenSignatureInvalid, errTokenSignature},
	{jwt.ErrTokenUnverifiable, errTokenSignature},
	{jwt.ErrTokenRequiredClaimMissing, errTokenMalformed},
	{jwt.ErrTokenExpired, errTokenExpired},
	{jwt.ErrTokenUsedBeforeIssued, errTokenEarly},
	{jwt.ErrTokenInvalidAudience, errTokenAudience},
}

type verifier struct {
	trusted trust.PublicKeys
	revoked map[string]bool
	parser  *jwt.Parser
	now     func() time.Time
}

// newVerifier returns the verifier of a service. It fails for a malformed id, and without a key of the issuer, because every
// call would be refused.
func newVerifier(service string, trusted trust.PublicKeys, revoked []string) (*verifier, error) {
	if len(trusted.Of(trust.Issuer)) == 0 {
		return nil, fmt.Errorf("no public key of %s: no token could be verified", trust.Issuer)
	}
	ids, err := tokenIDs(revoked)
	if err != nil {
		return nil, err
	}
	v := &verifier{trusted: trusted, revoked: ids, now: time.Now}
	v.parser = jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodEdDSA.Alg()}), jwt.WithStrictDecoding(), jwt.WithAudience(service),
		jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(tokenSkew),
		jwt.WithTimeFunc(func() time.Time { return v.now() }),
	)
	return v, nil
}

func (v *verifier) verify(header string) (*jwt.RegisteredClaims, error) {
	scheme, token, _ := strings.Cut(header, " ")
	token = strings.TrimSpace(token)
	switch {
	case !strings.EqualFold(scheme, "Bearer") || token == "":
		return nil, errTokenMissing
	case len(token) > maxTokenChars:
		return nil, errTokenMalformed
	}
	said := &jwt.RegisteredClaims{}
	if _, err := v.parser.ParseWithClaims(token, said, v.keys); err != nil {
		return nil, refusal(err)
	}
	return said, v.checkClaims(said)
}

// keys returns the keys of the party in the token's iss claim; the library tries each.
func (v *verifier) keys(token *jwt.Token) (any, error) {
	party, err := token.Claims.GetIssuer()
	if err != nil {
		return nil, err
	}
	var set jwt.VerificationKeySet
	for _, key := range v.trusted.Of(trust.Party(party)) {
		set.Keys = append(set.Keys, key)
	}
	return set, nil
}

// checkClaims checks the claims that the library does not.
func (v *verifier) checkClaims(said *jwt.RegisteredClaims) error {
	party := trust.Party(said.Issuer)
	switch {
	case said.Subject == "" || said.ID == "" || said.IssuedAt == nil:
		return errTokenMalformed
	case !vouches(party, said.Subject):
		return errTokenForeign
	case said.ExpiresAt.Sub(said.IssuedAt.Time) > maxLife(party):
		return errTokenLife
	case v.revoked[said.ID]:
		return errTokenRevoked
	}
	return nil
}

func refusal(err error) error {
	for _, r := range refusals {
		if errors.Is(err, r.found) {
			return r.said
		}
	}
	return errTokenMalformed
}
