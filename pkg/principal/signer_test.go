package principal_test

import (
	"encoding/base64"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
)

var (
	now    = time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	oldKey = trusttest.Named("old")
	newKey = trusttest.Named("new")
	page   = principal.Call{Method: "GET", Target: "/p?limit=1"}
)

// pair signs and verifies.
type pair struct {
	*principal.Signer
	*principal.Verifier
}

// newSigner signs with a key and recognises it and the further ones; or it ends the test.
func newSigner(t interface {
	Helper()
	Fatal(...any)
}, current trust.PrivateKey, further ...trust.PrivateKey,
) pair {
	t.Helper()
	signer, err := principal.NewSigner(current, trusttest.Keys())
	if err != nil {
		t.Fatal(err)
	}
	return pair{signer, newVerifier(t, append(further, current)...)}
}

// newVerifier recognises these keys.
func newVerifier(t interface {
	Helper()
	Fatal(...any)
}, keys ...trust.PrivateKey,
) *principal.Verifier {
	t.Helper()
	lines := make([]string, len(keys))
	for i, key := range keys {
		lines[i] = trusttest.Line(trust.Gateway, key)
	}
	verifier, err := principal.NewVerifier(trust.Orders, trusttest.Key(trust.Orders), trusttest.Parse(lines...))
	if err != nil {
		t.Fatal(err)
	}
	return verifier
}

// sign signs a call to the service that verifies.
func (p pair) sign(call principal.Call, body string, who principal.Principal) string {
	return p.Sign(trust.Orders, call, principal.DigestOf([]byte(body)), who, now)
}

// read signs a call without a body.
func (p pair) read(call principal.Call, who principal.Principal) string { return p.sign(call, "", who) }

// caller returns a principal with all fields set.
func caller() principal.Principal {
	return principal.Principal{
		SellerID: uuid.MustParse("018f4b4e-7c7a-7a51-a0c3-5d1a44a6b001"), KeyID: "018f4b4e-0000-7000-8000-000000000001",
		KeyPrefix: "vpk_live_abc", Scopes: []principal.Scope{principal.OrdersRead, principal.ClaimsWrite},
	}
}

func TestASignedPrincipalComesBackAsItWas(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := newSigner(t, newKey)
		want := principal.Principal{
			SellerID:  uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Filter(func(b []byte) bool { return uuid.UUID(b) != uuid.Nil }).Draw(t, "seller")),
			KeyID:     rapid.StringN(0, 50, 100).Draw(t, "key"),
			KeyPrefix: rapid.StringN(0, 12, 48).Draw(t, "prefix"),
			Scopes:    []principal.Scope{},
		}
		for _, scope := range principal.All() {
			if rapid.Bool().Draw(t, string(scope)) {
				want.Scopes = append(want.Scopes, scope)
			}
		}
		call := principal.Call{
			Method: rapid.String().Draw(t, "method"), Target: rapid.String().Draw(t, "target"), Inbox: rapid.String().Draw(t, "inbox"),
		}
		body := rapid.SliceOf(rapid.Byte()).Draw(t, "body")
		got, err := s.Verify(call, s.sign(call, string(body), want), now)
		require.NoError(t, err)
		require.Equal(t, want, got.Principal)
		require.Equal(t, len(body) == 0, got.CheckBody(nil) == nil)
		require.NoError(t, got.CheckBody(body))
		require.ErrorIs(t, got.CheckBody(append(body, 0)), principal.ErrBody)
	})
}

// A header that leaks opens nothing but the very call that it was made for, which its idempotency key makes harmless.
func TestVerify_otherCall(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	call := principal.Call{Method: "POST", Target: "/open/v1/claims/C1/approve?a=1", Inbox: "d f"}
	header := s.read(call, caller())
	for name, c := range map[string]principal.Call{
		"other method":                  {Method: "GET", Target: call.Target, Inbox: call.Inbox},
		"method in other case":          {Method: "post", Target: call.Target, Inbox: call.Inbox},
		"other path":                    {Method: "POST", Target: "/open/v1/claims/C2/approve?a=1", Inbox: call.Inbox},
		"longer path":                   {Method: "POST", Target: "/open/v1/claims/C1/approve/?a=1", Inbox: call.Inbox},
		"other query":                   {Method: "POST", Target: "/open/v1/claims/C1/approve?a=2", Inbox: call.Inbox},
		"longer query":                  {Method: "POST", Target: "/open/v1/claims/C1/approve?a=1&b=2", Inbox: call.Inbox},
		"no query":                      {Method: "POST", Target: "/open/v1/claims/C1/approve", Inbox: call.Inbox},
		"other idempotency record":      {Method: "POST", Target: call.Target, Inbox: "e f"},
		"no idempotency record":         {Method: "POST", Target: call.Target},
		"border of method and target":   {Method: "POST/", Target: "open/v1/claims/C1/approve?a=1", Inbox: call.Inbox},
		"border of target and record":   {Method: "POST", Target: call.Target + "d", Inbox: " f"},
		"other spelling of the path":    {Method: "POST", Target: "/open/v1/claims/%43%31/approve?a=1", Inbox: call.Inbox},
		"nothing":                       {},
		"path that holds the signature": {Method: "POST", Target: header, Inbox: call.Inbox},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := s.Verify(c, header, now)
			require.ErrorIs(t, err, principal.ErrSignature)
		})
	}
}

// A body is signed by its digest, and that there is none is signed too.
func TestSigned_otherBody(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	for name, c := range map[string]struct{ signed, sent string }{
		"other":   {`{"a":1}`, `{"a":2}`},
		"longer":  {`{"a":1}`, `{"a":1} `},
		"removed": {`{"a":1}`, ""},
		"added":   {"", `{"a":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			digest, err := principal.DigestFrom(strings.NewReader(c.signed))
			require.NoError(t, err)
			require.Equal(t, principal.DigestOf([]byte(c.signed)), digest)
			signed, err := s.Verify(page, s.sign(page, c.signed, caller()), now)
			require.NoError(t, err)
			require.ErrorIs(t, signed.CheckBody([]byte(c.sent)), principal.ErrBody)
			require.NoError(t, signed.CheckBody([]byte(c.signed)))
		})
	}
}

// A request carries one signature and one record, or nobody knows which of them the gateway wrote.
func TestVerifyRequest_headersTwice(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	request := httptest.NewRequestWithContext(t.Context(), "POST", "/p?a=%zz", nil)
	request.Header.Set(principal.InboxHeader, "d f")
	request.Header.Set(principal.Header, s.read(principal.Outgoing(request), caller()))
	signed, err := s.VerifyRequest(request, now)
	require.NoError(t, err)
	require.Equal(t, caller(), signed.Principal)
	for _, name := range []string{principal.Header, principal.InboxHeader} {
		twice := request.Clone(t.Context())
		twice.Header.Add(name, request.Header.Get(name))
		_, err := s.VerifyRequest(twice, now)
		require.ErrorIs(t, err, principal.ErrMissing, name)
	}
}

func TestVerify_lifetimeAndClockSkew(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	header := s.read(page, caller())
	for name, c := range map[string]struct {
		after time.Duration
		want  error
	}{
		"at once":                          {0, nil},
		"at the end of its life":           {principal.Life, nil},
		"verifier's clock ahead by skew":   {principal.Life + principal.Skew, nil},
		"just later":                       {principal.Life + principal.Skew + time.Nanosecond, principal.ErrExpired},
		"a year later":                     {365 * 24 * time.Hour, principal.ErrExpired},
		"verifier's clock behind by skew":  {-principal.Skew, nil},
		"verifier's clock further behind":  {-principal.Skew - time.Nanosecond, principal.ErrFuture},
		"signed with a clock a day ahead":  {-24 * time.Hour, principal.ErrFuture},
		"shortly before the tolerated end": {principal.Life + principal.Skew - time.Second, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := s.Verify(page, header, now.Add(c.after))
			require.ErrorIs(t, err, c.want)
		})
	}
}

// The three steps of a rotation: every call succeeds at each, and what the old key signs is refused after the last.
func TestVerifier_keyRotation(t *testing.T) {
	t.Parallel()
	before, during, after := newVerifier(t, oldKey), newVerifier(t, oldKey, newKey), newVerifier(t, newKey)
	byOld, byNew := newSigner(t, oldKey).read(page, caller()), newSigner(t, newKey).read(page, caller())
	for name, c := range map[string]struct {
		verifier *principal.Verifier
		header   string
		want     error
	}{
		"before":                   {before, byOld, nil},
		"new public key added":     {during, byOld, nil},
		"private key switched":     {during, byNew, nil},
		"old public key removed":   {after, byNew, nil},
		"signed with a removed":    {after, byOld, principal.ErrSignature},
		"switched before it knows": {before, byNew, principal.ErrSignature},
	} {
		_, err := c.verifier.Verify(page, c.header, now)
		require.ErrorIs(t, err, c.want, name)
	}
}

// A service may change its key while the gateway signs: what is signed for two keys is read with either.
func TestSigner_serviceKeyRotation(t *testing.T) {
	t.Parallel()
	gateway := trusttest.Key(trust.Gateway)
	signing := func(keys ...trust.PrivateKey) *principal.Signer {
		lines := make([]string, 0, 2+len(keys))
		lines = append(lines, trusttest.Line(trust.Claims, trusttest.Key(trust.Claims)), trusttest.Line(trust.QnA, trusttest.Key(trust.QnA)))
		for _, key := range keys {
			lines = append(lines, trusttest.Line(trust.Orders, key))
		}
		signer, err := principal.NewSigner(gateway, trusttest.Parse(lines...))
		require.NoError(t, err)
		return signer
	}
	reading := func(key trust.PrivateKey) *principal.Verifier {
		verifier, err := principal.NewVerifier(trust.Orders, key, trusttest.Keys())
		require.NoError(t, err)
		return verifier
	}
	for name, c := range map[string]struct {
		signer   *principal.Signer
		verifier *principal.Verifier
		want     error
	}{
		"before":                   {signing(oldKey), reading(oldKey), nil},
		"new public key added":     {signing(oldKey, newKey), reading(oldKey), nil},
		"private key switched":     {signing(oldKey, newKey), reading(newKey), nil},
		"old public key removed":   {signing(newKey), reading(newKey), nil},
		"signed for a removed":     {signing(oldKey), reading(newKey), principal.ErrSignature},
		"switched before it knows": {signing(oldKey), reading(newKey), principal.ErrSignature},
	} {
		header := c.signer.Sign(trust.Orders, page, principal.DigestOf([]byte("{}")), caller(), now)
		_, err := c.verifier.Verify(page, header, now)
		require.ErrorIs(t, err, c.want, name)
		require.Less(t, len(header), 268+43, name)
	}
}

// Only the gateway signs principals, and each for one service: the key of another party is worth nothing here, that of another service
// included, which got headers of its own.
func TestVerifier_otherParties(t *testing.T) {
	t.Parallel()
	services := []trust.Party{trust.Orders, trust.Claims, trust.QnA}
	for _, party := range trust.Parties() {
		signer, err := principal.NewSigner(trusttest.Key(party), trusttest.Keys())
		require.NoError(t, err)
		for _, to := range trust.Parties() {
			header := signer.Sign(to, page, principal.BodyDigest{}, caller(), now)
			for _, at := range services {
				verifier, err := principal.NewVerifier(at, trusttest.Key(at), trusttest.Keys())
				require.NoError(t, err)
				_, err = verifier.Verify(page, header, now)
				require.Equal(t, party == trust.Gateway && to == at, err == nil, "%s to %s, read by %s", party, to, at)
			}
		}
	}
}

func TestEveryChangedByteIsRefused(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	header := s.read(page, caller())
	for i := range len(header) {
		for c := range 256 {
			changed := header[:i] + string([]byte{byte(c)}) + header[i+1:]
			if changed == header {
				continue
			}
			_, err := s.Verify(page, changed, now)
			require.Error(t, err, "byte %d as %#x", i, c)
		}
	}
}

func TestEveryOtherLengthOrSpellingIsRefused(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	p := caller()
	for _, keyID := range []string{"1", "12", "123"} { // every remainder of base64
		p.KeyID = keyID
		header := s.read(page, p)
		raw, err := base64.RawURLEncoding.DecodeString(header)
		require.NoError(t, err)
		others := make([]string, 0, 2*len(header)+11)
		others = append(others,
			header+"=", header+"==", header+"A", header+"\n", "\r"+header, header[:4]+"\r\n"+header[4:], " "+header,
			base64.StdEncoding.EncodeToString(raw)+"=", header+header, strings.Repeat("A", len(header)), strings.Repeat("A", 100_000),
		)
		for i := range len(header) {
			others = append(others, header[:i], header[i:])
		}
		for _, other := range others {
			if other == header {
				continue
			}
			_, err := s.Verify(page, other, now)
			require.Error(t, err, "%q", other)
		}
	}
}

func TestVerify_refusalReasons(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	huge, nobody := caller(), caller()
	huge.KeyID = strings.Repeat("k", 1<<16+1)
	nobody.SellerID = uuid.Nil
	for name, c := range map[string]struct {
		header string
		want   error
	}{
		"nothing":             {"", principal.ErrMissing},
		"not base64":          {"!!!", principal.ErrMalformed},
		"nearly nothing":      {"AAAA", principal.ErrMalformed},
		"no code":             {base64.RawURLEncoding.EncodeToString(make([]byte, 64)), principal.ErrSignature},
		"many codes":          {base64.RawURLEncoding.EncodeToString(append([]byte{3, 255}, make([]byte, 64)...)), principal.ErrMalformed},
		"codes and no more":   {base64.RawURLEncoding.EncodeToString(append([]byte{3, 2}, make([]byte, 64)...)), principal.ErrMalformed},
		"longer than allowed": {s.read(page, huge), principal.ErrMalformed},
		"of no seller":        {s.read(page, nobody), principal.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := s.Verify(page, c.header, now)
			require.ErrorIs(t, err, c.want)
		})
	}
}

func TestAScopeThatDoesNotExistIsNotGranted(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	p := caller()
	p.Scopes = []principal.Scope{"admin", principal.QnAWrite, "orders:*", principal.OrdersRead, principal.QnAWrite}
	got, err := s.Verify(page, s.read(page, p), now)
	require.NoError(t, err)
	require.Equal(t, []principal.Scope{principal.OrdersRead, principal.QnAWrite}, got.Scopes)
}

// A gateway that could not sign, and a service that would recognise nobody, do not start.
func TestSigner_withoutKeys(t *testing.T) {
	t.Parallel()
	_, err := principal.NewSigner(trust.PrivateKey{}, trusttest.Keys())
	require.ErrorIs(t, err, trust.ErrNoPrivateKey)
	_, err = principal.NewVerifier(trust.Orders, trust.PrivateKey{}, trusttest.Keys())
	require.ErrorIs(t, err, trust.ErrNoPrivateKey)
	issuer := trusttest.Line(trust.Issuer, newKey)
	_, err = principal.NewSigner(newKey, trusttest.Parse(issuer))
	require.EqualError(t, err, "no public key of orders: neither would recognise the other")
	_, err = principal.NewVerifier(trust.Orders, newKey, trusttest.Parse(issuer))
	require.EqualError(t, err, "no public key of gateway: neither would recognise the other")
	gateway := trusttest.Line(trust.Gateway, newKey)
	_, err = principal.NewVerifier(trust.Orders, newKey, trusttest.Parse(gateway, gateway, gateway, gateway, gateway))
	require.EqualError(t, err, "5 public keys of gateway; a rotation takes two, and 4 is the most")
}

func TestTheHeaderStaysSmall(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	require.Less(t, len(s.read(page, caller())), 224)
	require.Less(t, len(s.sign(page, "{}", caller())), 268)
}

func FuzzVerifyNeverTrustsWhatWasNotSigned(f *testing.F) {
	s := newSigner(f, newKey)
	call := principal.Call{Method: "GET", Target: "/p", Inbox: "i"}
	good := s.read(call, caller())
	f.Add("GET", "/p", "i", good)
	f.Add("GET", "/p", "i", newSigner(f, oldKey).read(call, caller()))
	f.Add("", "", "", "")
	f.Add("GET", "/p", "i", good[:len(good)-1])
	f.Fuzz(func(t *testing.T, method, target, inbox, header string) {
		sent := principal.Call{Method: method, Target: target, Inbox: inbox}
		_, err := s.Verify(sent, header, now)
		if trusted := sent == call && header == good; trusted != (err == nil) {
			t.Fatalf("Verify(%+v, %q) = %v", sent, header, err)
		}
	})
}

func BenchmarkSign(b *testing.B) {
	s := newSigner(b, newKey)
	b.ReportAllocs()
	for b.Loop() {
		s.read(page, caller())
	}
}

func BenchmarkVerify(b *testing.B) {
	s := newSigner(b, newKey)
	header := s.read(page, caller())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Verify(page, header, now); err != nil {
			b.Fatal(err)
		}
	}
}
