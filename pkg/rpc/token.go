package rpc

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
	"sync"
	"time"

	"sellerapi.dev/pkg/secret"
)

const (
	// tokenVersion begins every token.
	tokenVersion = "v1"
	// tokenLabel separates these signatures from any other use of the same secret.
	tokenLabel = "rpc-token/1\x00"
	// tokenSkew is how far the clocks of signer and verifier may differ.
	tokenSkew = 5 * time.Second
	// serviceTokenLife is the life of the tokens that clients sign for themselves.
	serviceTokenLife = time.Minute
	// maxTokenChars bounds the work that a refused token can cause.
	maxTokenChars = 512
)

// tokenEncoding is strict: every token has one spelling.
var tokenEncoding = base64.RawURLEncoding.Strict()

// Why a token was refused. The texts are for the caller: they help an operator and tell a stranger nothing.
var (
	errTokenMissing   = errors.New("missing credential: send Authorization: Bearer <token>")
	errTokenMalformed = errors.New("malformed token: expected v1.<payload>.<mac>")
	errTokenSignature = errors.New("token is not signed with the shared secret")
	errTokenExpired   = errors.New("token is expired")
)

// NewToken returns a bearer token that lets caller call, for ttl from now, what the access table gives it. caller shows in the
// log of the called service; a name that is not among [Callers] may call nothing.
func NewToken(keys secret.Keys, caller string, ttl time.Duration) string {
	return signToken(keys, caller, time.Now().Add(ttl))
}

// signToken signs with the current key.
func signToken(keys secret.Keys, caller string, expiry time.Time) string {
	payload := binary.BigEndian.AppendUint64(nil, uint64(expiry.Unix())) //nolint:gosec // bits of a Unix time, read back the same way
	payload = append(payload, caller...)
	return tokenVersion + "." + tokenEncoding.EncodeToString(payload) + "." +
		tokenEncoding.EncodeToString(tokenMAC(keys.Current(), payload))
}

// verifyToken returns the caller that an Authorization header stands for.
func verifyToken(keys secret.Keys, header string, now time.Time) (string, error) {
	scheme, token, _ := strings.Cut(header, " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", errTokenMissing
	}
	payload, sent, ok := splitToken(token)
	if !ok {
		return "", errTokenMalformed
	}
	if !signedByAny(keys, payload, sent) {
		return "", errTokenSignature
	}
	expiry := time.Unix(int64(binary.BigEndian.Uint64(payload)), 0) //nolint:gosec // bits of a Unix time
	if now.After(expiry.Add(tokenSkew)) {
		return "", errTokenExpired
	}
	return string(payload[8:]), nil
}

// splitToken takes a token apart and refuses every spelling but the one that signToken writes.
func splitToken(token string) (payload, mac []byte, ok bool) {
	parts := strings.Split(token, ".")
	if len(token) > maxTokenChars || len(parts) != 3 || parts[0] != tokenVersion || strings.ContainsAny(token, "\r\n") {
		return nil, nil, false
	}
	payload, err := tokenEncoding.DecodeString(parts[1])
	if err != nil || len(payload) <= 8 {
		return nil, nil, false
	}
	mac, err = tokenEncoding.DecodeString(parts[2])
	return payload, mac, err == nil
}

// signedByAny compares the MAC under every key in constant time.
func signedByAny(keys secret.Keys, payload, sent []byte) bool {
	if keys.IsZero() {
		return false
	}
	if hmac.Equal(tokenMAC(keys.Current(), payload), sent) {
		return true
	}
	for _, key := range keys.Previous() {
		if hmac.Equal(tokenMAC(key, payload), sent) {
			return true
		}
	}
	return false
}

// tokenMAC signs a payload.
func tokenMAC(key, payload []byte) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = h.Write([]byte(tokenLabel))
	_, _ = h.Write(payload)
	return h.Sum(nil)
}

// tokenSource signs tokens for one caller and keeps each for half its life.
type tokenSource struct {
	keys   secret.Keys
	caller string

	mu    sync.Mutex
	token string
	renew time.Time
}

// header returns the value of the Authorization header at the moment now.
func (s *tokenSource) header(now time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !now.Before(s.renew) {
		s.token = "Bearer " + signToken(s.keys, s.caller, now.Add(serviceTokenLife))
		s.renew = now.Add(serviceTokenLife / 2)
	}
	return s.token
}

// callerKey is the context key of the caller's name.
type callerKey struct{}

// Caller returns the name in the token of the call that ctx belongs to, "" outside a call.
func Caller(ctx context.Context) string {
	caller, _ := ctx.Value(callerKey{}).(string)
	return caller
}
