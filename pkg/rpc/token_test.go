package rpc

import (
	"encoding/base64"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
)

var storefront = Identity{
	Party: trust.Issuer, Key: trusttest.Key(trust.Issuer), Caller: "storefront", Audience: []string{"orders"},
}

var claimsItself = Identity{Party: trust.Claims, Key: trusttest.Key(trust.Claims), Caller: "claims", Audience: []string{"orders"}}

func newOrders(tb testing.TB, trusted trust.PublicKeys, revoked ...string) *verifier {
	tb.Helper()
	v, err := newVerifier("orders", trusted, revoked)
	require.NoError(tb, err)
	return v
}

// made returns a token of an identity, signed without the checks of the package so that invalid ones can be made too.
func made(tb testing.TB, identity Identity, change func(*jwt.RegisteredClaims)) string {
	tb.Helper()
	key, err := identity.Key.Open()
	require.NoError(tb, err)
	said := jwt.RegisteredClaims{
		Issuer: string(identity.Party), Subject: identity.Caller, Audience: identity.Audience, ID: "id",
		IssuedAt: jwt.NewNumericDate(time.Now()), ExpiresAt: jwt.NewNumericDate(time.Now().Add(time.Minute)),
	}
	change(&said)
	text, err := jwt.NewWithClaims(jwt.SigningMethodEdDSA, said).SignedString(key)
	require.NoError(tb, err)
	return text
}

func asIs(*jwt.RegisteredClaims) {}

// A token identifies its caller until it expires, with an allowance for differing clocks.
func TestToken_namesCallerUntilExpiry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		token, err := NewToken(storefront, time.Hour)
		require.NoError(t, err)
		start, v := time.Now(), newOrders(t, trusttest.Keys())
		require.Equal(t, start.Add(time.Hour), token.Expires)
		for after, want := range map[time.Duration]error{
			-tokenSkew:                   nil,
			-tokenSkew - time.Second:     errTokenEarly,
			0:                            nil,
			time.Hour:                    nil,
			time.Hour + tokenSkew - 1:    nil,
			time.Hour + tokenSkew:        errTokenExpired,
			100 * 365 * 24 * time.Hour:   errTokenExpired,
			59*time.Minute + time.Second: nil,
		} {
			v.now = func() time.Time { return start.Add(after) }
			said, err := v.verify("Bearer " + token.Text)
			require.ErrorIs(t, err, want, after)
			if want == nil {
				require.Equal(t, []string{"storefront", token.ID}, []string{said.Subject, said.ID})
			}
		}
	})
}

// The three steps of a rotation: every call succeeds at each, and a token of the removed key is refused.
func TestToken_keyRotation(t *testing.T) {
	t.Parallel()
	claims := trusttest.Line(trust.Claims, trusttest.Key(trust.Claims))
	old, next := trusttest.Line(trust.Issuer, trusttest.Named("old")), trusttest.Line(trust.Issuer, trusttest.Named("next"))
	before, during, after := trusttest.Parse(claims, old), trusttest.Parse(claims, old, next), trusttest.Parse(claims, next)
	by := func(name string) string {
		identity := storefront
		identity.Key = trusttest.Named(name)
		return made(t, identity, asIs)
	}
	for name, c := range map[string]struct {
		trusted trust.PublicKeys
		token   string
		want    error
	}{
		"before the rotation":               {before, by("old"), nil},
		"new public key added":              {during, by("old"), nil},
		"private key switched":              {during, by("next"), nil},
		"old public key removed":            {after, by("next"), nil},
		"signed with a removed key":         {after, by("old"), errTokenSignature},
		"signed with a key not yet trusted": {before, by("next"), errTokenSignature},
	} {
		_, err := newOrders(t, c.trusted).verify("Bearer " + c.token)
		require.ErrorIs(t, err, c.want, name)
	}
}

// A compromised service can sign any claims with its own key: only its own name is accepted.
func TestToken_forged(t *testing.T) {
	t.Parallel()
	v := newOrders(t, trusttest.Keys())
	for name, c := range map[string]struct {
		by   trust.Party
		says Identity
		want error
	}{
		"claims, as itself":             {trust.Claims, claimsItself, nil},
		"claims, as a system":           {trust.Claims, Identity{Party: trust.Claims, Caller: "operator"}, errTokenForeign},
		"claims, as the issuer":         {trust.Claims, Identity{Party: trust.Issuer, Caller: "operator"}, errTokenSignature},
		"gateway, as claims":            {trust.Gateway, Identity{Party: trust.Claims, Caller: "claims"}, errTokenSignature},
		"gateway, as issuer for claims": {trust.Gateway, Identity{Party: trust.Gateway, Caller: "claims"}, errTokenForeign},
		"the issuer, as claims":         {trust.Issuer, Identity{Party: trust.Issuer, Caller: "claims"}, errTokenForeign},
		"the issuer, as a system":       {trust.Issuer, storefront, nil},
		"the issuer, as the console":    {trust.Issuer, Identity{Party: trust.Issuer, Caller: CallerConsole}, nil},
		"the console, as itself":        {trust.Console, Identity{Party: trust.Console, Caller: CallerConsole}, nil},
		"the console, as a system":      {trust.Console, Identity{Party: trust.Console, Caller: "operator"}, errTokenForeign},
		"claims, as the console":        {trust.Claims, Identity{Party: trust.Claims, Caller: CallerConsole}, errTokenForeign},
		"claims, as orders":             {trust.Claims, Identity{Party: "orders", Caller: "orders"}, errTokenSignature},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.says.Key, c.says.Audience = trusttest.Key(c.by), []string{"orders"}
			_, err := v.verify("Bearer " + made(t, c.says, asIs))
			require.ErrorIs(t, err, c.want)
		})
	}
}

// A public key is not a secret, and an unsigned token has no signature: neither can be used to forge a token with another
// algorithm.
func TestToken_otherAlgorithms(t *testing.T) {
	t.Parallel()
	v := newOrders(t, trusttest.Keys())
	said := jwt.RegisteredClaims{
		Issuer: "issuer", Subject: "storefront", Audience: []string{"orders"}, ID: "id",
		IssuedAt: jwt.NewNumericDate(time.Now()), ExpiresAt: jwt.NewNumericDate(time.Now().Add(time.Minute)),
	}
	public := trusttest.Keys().Of(trust.Issuer)[0]
	symmetric, err := jwt.NewWithClaims(jwt.SigningMethodHS256, said).SignedString([]byte(public))
	require.NoError(t, err)
	unsigned, err := jwt.NewWithClaims(jwt.SigningMethodNone, said).SignedString(jwt.UnsafeAllowNoneSignatureType)
	require.NoError(t, err)
	for _, token := range []string{symmetric, unsigned} {
		_, err := v.verify("Bearer " + token)
		require.ErrorIs(t, err, errTokenSignature)
	}
}

// The error for a refused token states the reason.
func TestToken_refusalReason(t *testing.T) {
	t.Parallel()
	v := newOrders(t, trusttest.Keys(), " D0000000-0000-4000-8000-000000000001")
	good := made(t, storefront, asIs)
	parts, others := strings.Split(good, "."), strings.Split(made(t, claimsItself, asIs), ".")
	changed := func(change func(*jwt.RegisteredClaims)) string { return "Bearer " + made(t, storefront, change) }
	lived := func(identity Identity, life time.Duration) string {
		return "Bearer " + made(t, identity, func(c *jwt.RegisteredClaims) { c.ExpiresAt = jwt.NewNumericDate(c.IssuedAt.Add(life)) })
	}
	for name, c := range map[string]struct {
		header string
		want   error
	}{
		"no header":          {"", errTokenMissing},
		"scheme only":        {"Bearer", errTokenMissing},
		"scheme and blanks":  {"Bearer   ", errTokenMissing},
		"other scheme":       {"Basic " + good, errTokenMissing},
		"no scheme":          {good, errTokenMissing},
		"two parts":          {"Bearer " + parts[0] + "." + parts[1], errTokenMalformed},
		"four parts":         {"Bearer " + good + ".x", errTokenMalformed},
		"payload not base64": {"Bearer " + parts[0] + ".!." + parts[2], errTokenMalformed},
		"payload not JSON": {"Bearer " + parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte("x")) + "." +
			parts[2], errTokenMalformed},
		"too long":            {"Bearer " + parts[0] + "." + strings.Repeat("A", 1<<20) + "." + parts[2], errTokenMalformed},
		"no signature":        {"Bearer " + parts[0] + "." + parts[1] + ".", errTokenSignature},
		"truncated signature": {"Bearer " + parts[0] + "." + parts[1] + "." + parts[2][:20], errTokenSignature},
		"other payload":       {"Bearer " + parts[0] + "." + others[1] + "." + parts[2], errTokenSignature},
		"no caller":           {changed(func(c *jwt.RegisteredClaims) { c.Subject = "" }), errTokenMalformed},
		"no id":               {changed(func(c *jwt.RegisteredClaims) { c.ID = "" }), errTokenMalformed},
		"no iat":              {changed(func(c *jwt.RegisteredClaims) { c.IssuedAt = nil }), errTokenMalformed},
		"no exp":              {changed(func(c *jwt.RegisteredClaims) { c.ExpiresAt = nil }), errTokenMalformed},
		"no audience":         {changed(func(c *jwt.RegisteredClaims) { c.Audience = nil }), errTokenMalformed},
		"for other services": {changed(func(c *jwt.RegisteredClaims) {
			c.Audience = []string{
				"claims",
				"qna",
			}
		}), errTokenAudience},
		"for two services": {changed(func(c *jwt.RegisteredClaims) { c.Audience = []string{"claims", "orders"} }), nil},
		"revoked": {
			changed(func(c *jwt.RegisteredClaims) { c.ID = "d0000000-0000-4000-8000-000000000001" }),
			errTokenRevoked,
		},
		"lifetime of a year":        {lived(storefront, 365*24*time.Hour), errTokenLife},
		"longest lifetime":          {lived(storefront, MaxTokenLife), nil},
		"of a service, for a day":   {lived(claimsItself, 24*time.Hour), errTokenLife},
		"of a service, for an hour": {lived(claimsItself, time.Hour), nil},
		"scheme in lower case":      {"bearer " + good, nil},
		"blanks around token":       {"Bearer  " + good + " ", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := v.verify(c.header)
			require.ErrorIs(t, err, c.want)
		})
	}
}

// One token is revoked while the others of the same system keep working, so that a leak does not stop the marketplace.
func TestToken_revokedOneByOne(t *testing.T) {
	t.Parallel()
	leaked, err := NewToken(storefront, time.Hour)
	require.NoError(t, err)
	other, err := NewToken(storefront, time.Hour)
	require.NoError(t, err)
	before, after := newOrders(t, trusttest.Keys()), newOrders(t, trusttest.Keys(), leaked.ID)
	for _, c := range []struct {
		v     *verifier
		token Token
		want  error
	}{{before, leaked, nil}, {before, other, nil}, {after, leaked, errTokenRevoked}, {after, other, nil}} {
		_, err := c.v.verify("Bearer " + c.token.Text)
		require.ErrorIs(t, err, c.want)
	}
	require.NoError(t, (&Config{Revoked: []string{leaked.ID, " " + other.ID}}).Validate())
	require.EqualError(t, (&Config{Revoked: []string{leaked.ID, leaked.Text}}).Validate(),
		"RPC_REVOKED_TOKENS: 2: not the id of a token")
}

// Every spelling of an id that the setting takes revokes the token.
func TestToken_revokedInEverySpelling(t *testing.T) {
	t.Parallel()
	leaked, err := NewToken(storefront, time.Hour)
	require.NoError(t, err)
	for _, id := range []string{
		leaked.ID, " " + strings.ToUpper(leaked.ID) + " ", strings.ReplaceAll(leaked.ID, "-", ""), "{" + leaked.ID + "}",
		"urn:uuid:" + leaked.ID,
	} {
		require.NoError(t, (&Config{Revoked: []string{id}}).Validate(), id)
		_, err := newOrders(t, trusttest.Keys(), id).verify("Bearer " + leaked.Text)
		require.ErrorIs(t, err, errTokenRevoked, id)
	}
	_, err = newVerifier("orders", trusttest.Keys(), []string{leaked.ID, leaked.Text})
	require.EqualError(t, err, "RPC_REVOKED_TOKENS: 2: not the id of a token")
}

// A token that would not be accepted is not created.
func TestNewToken_refused(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]struct {
		identity Identity
		life     time.Duration
	}{
		"a token of issuer is valid for at most 2160h0m0s, not 2160h0m1s": {storefront, MaxTokenLife + time.Second},
		"a token of issuer is valid for at most 2160h0m0s, not 0s":        {storefront, 0},
		"a token of claims is valid for at most 1h0m0s, not 1h0m1s":       {claimsItself, time.Hour + time.Second},
		`issuer does not sign tokens of caller "claims"`: {Identity{
			Party: trust.Issuer, Key: storefront.Key,
			Caller: "claims", Audience: storefront.Audience,
		}, time.Minute},
		`claims does not sign tokens of caller "operator"`: {Identity{
			Party: trust.Claims, Key: claimsItself.Key,
			Caller: "operator", Audience: storefront.Audience,
		}, time.Minute},
		"a token needs a service that may be called with it": {Identity{
			Party: trust.Issuer, Key: storefront.Key,
			Caller: "operator",
		}, time.Minute},
		trust.ErrNoPrivateKey.Error(): {Identity{
			Party: trust.Issuer, Caller: "operator",
			Audience: storefront.Audience,
		}, time.Minute},
	} {
		_, err := NewToken(c.identity, c.life)
		require.EqualError(t, err, want)
	}
}

// A client uses its token for half of its lifetime and then renews it.
func TestTokenSource_renewsAtHalfLife(t *testing.T) {
	t.Parallel()
	key, err := claimsItself.Key.Open()
	require.NoError(t, err)
	source := &tokenSource{key: key, identity: claimsItself}
	start := time.Unix(1_800_000_000, 0)
	header := func(at time.Time) string {
		value, err := source.header(at)
		require.NoError(t, err)
		return value
	}
	first := header(start)
	require.Equal(t, first, header(start.Add(serviceTokenLife/2-1)))
	second := header(start.Add(serviceTokenLife / 2))
	require.NotEqual(t, first, second)
	v := newOrders(t, trusttest.Keys())
	v.now = func() time.Time { return start.Add(serviceTokenLife) }
	said, err := v.verify(second)
	require.NoError(t, err)
	require.Equal(t, "claims", said.Subject)
}

// A token expires by the wall clock, which goes on while a machine is suspended and the monotonic clock stands still. So it is
// renewed by the wall clock too: a time without a monotonic reading is compared by nothing else.
func TestTokenSource_renewsByWallClock(t *testing.T) {
	t.Parallel()
	key, err := claimsItself.Key.Open()
	require.NoError(t, err)
	source, now := &tokenSource{key: key, identity: claimsItself}, time.Now()
	require.Contains(t, now.String(), " m=")
	_, err = source.header(now)
	require.NoError(t, err)
	require.NotContains(t, source.renew.String(), " m=")
	require.True(t, source.renew.Equal(now.Add(serviceTokenLife/2)))
}

func FuzzVerifyToken_unsigned(f *testing.F) {
	v := newOrders(f, trusttest.Keys())
	good := made(f, storefront, func(c *jwt.RegisteredClaims) { c.ExpiresAt = jwt.NewNumericDate(c.IssuedAt.Add(MaxTokenLife)) })
	stranger := storefront
	stranger.Key = trusttest.Named("stranger")
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add(made(f, stranger, asIs))
	f.Add("..")
	f.Fuzz(func(t *testing.T, token string) {
		_, err := v.verify("Bearer " + token)
		if (strings.TrimSpace(token) == good) != (err == nil) {
			t.Fatalf("verify(%q) = %v", token, err)
		}
	})
}
