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

// A signed principal is returned unchanged, and belongs to the body that it was signed with.
func TestVerify_roundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := newSigner(t, newKey)
		want := principal.Principal{
			SellerID: uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16,
				16).Filter(func(b []byte) bool { return uuid.UUID(b) != uuid.Nil }).Draw(t, "seller")),
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

// A leaked header can only be used for exactly the same call, which its idempotency key makes harmless.
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
		"boundary of method and target": {Method: "POST/", Target: "open/v1/claims/C1/approve?a=1", Inbox: call.Inbox},
		"boundary of target and record": {Method: "POST", Target: call.Target + "d", Inbox: " f"},
		"other spelling of the path":    {Method: "POST", Target: "/open/v1/claims/%43%31/approve?a=1", Inbox: call.Inbox},
		"empty call":                    {},
		"signature in the path":         {Method: "POST", Target: header, Inbox: call.Inbox},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := s.Verify(c, header, now)
			require.ErrorIs(t, err, principal.ErrSignature)
		})
	}
}

// A body is signed by its digest, and so is the absence of a body.
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

// A request has at most one signature and one inbox header, otherwise it would be unclear which of them the gateway wrote.
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

// A header is valid for its lifetime, extended at both ends by the tolerated clock skew.
func TestVerify_lifetime(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	header := s.read(page, caller())
	for name, c := range map[string]struct {
		after time.Duration
		want  error
	}{
		"immediately":                  {0, nil},
		"at the end of its lifetime":   {principal.Life, nil},
		"clock ahead by skew":          {principal.Life + principal.Skew, nil},
		"just after the tolerated end": {principal.Life + principal.Skew + time.Nanosecond, principal.ErrExpired},
		"a year later":                 {365 * 24 * time.Hour, principal.ErrExpired},
		"clock behind by skew":         {-principal.Skew, nil},
		"clock further behind":         {-principal.Skew - time.Nanosecond, principal.ErrFuture},
		"clock behind by a day":        {-24 * time.Hour, principal.ErrFuture},
		"shortly before tolerated end": {principal.Life + principal.Skew - time.Second, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := s.Verify(page, header, now.Add(c.after))
			require.ErrorIs(t, err, c.want)
		})
	}
}

// A header with any byte changed is refused.
func TestVerify_changedByte(t *testing.T) {
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

// A header that is cut, extended or encoded differently is refused.
func TestVerify_otherLengthOrSpelling(t *testing.T) {
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
	huge, noSeller := caller(), caller()
	huge.KeyID = strings.Repeat("k", 1<<16+1)
	noSeller.SellerID = uuid.Nil
	for name, c := range map[string]struct {
		header string
		want   error
	}{
		"nothing":    {"", principal.ErrMissing},
		"not base64": {"!!!", principal.ErrMalformed},
		"too short":  {"AAAA", principal.ErrMalformed},
		"no MAC":     {base64.RawURLEncoding.EncodeToString(make([]byte, 64)), principal.ErrSignature},
		"too many MACs": {
			base64.RawURLEncoding.EncodeToString(append([]byte{3, 255}, make([]byte, 64)...)),
			principal.ErrMalformed,
		},
		"MACs without content": {
			base64.RawURLEncoding.EncodeToString(append([]byte{3, 2}, make([]byte, 64)...)),
			principal.ErrMalformed,
		},
		"longer than allowed": {s.read(page, huge), principal.ErrMalformed},
		"without a seller":    {s.read(page, noSeller), principal.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := s.Verify(page, c.header, now)
			require.ErrorIs(t, err, c.want)
		})
	}
}

// A signed scope that does not exist is not granted.
func TestVerify_unknownScopeNotGranted(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	p := caller()
	p.Scopes = []principal.Scope{"admin", "qna:write", "orders:*", "orders:read", "qna:write"}
	got, err := s.Verify(page, s.read(page, p), now)
	require.NoError(t, err)
	require.Equal(t, []principal.Scope{"orders:read", "qna:write"}, got.Scopes)
}

// A gateway without a signing key and a service that trusts no key do not start.
func TestSigner_withoutKeys(t *testing.T) {
	t.Parallel()
	_, err := principal.NewSigner(trust.PrivateKey{}, trusttest.Keys())
	require.ErrorIs(t, err, trust.ErrNoPrivateKey)
	_, err = principal.NewVerifier(trust.Orders, trust.PrivateKey{}, trusttest.Keys())
	require.ErrorIs(t, err, trust.ErrNoPrivateKey)
	issuer := trusttest.Line(trust.Issuer, newKey)
	_, err = principal.NewSigner(newKey, trusttest.Parse(issuer))
	require.EqualError(t, err, "no public key of orders: neither could authenticate the other")
	_, err = principal.NewVerifier(trust.Orders, newKey, trusttest.Parse(issuer))
	require.EqualError(t, err, "no public key of gateway: neither could authenticate the other")
	gateway := trusttest.Line(trust.Gateway, newKey)
	_, err = principal.NewVerifier(trust.Orders, newKey, trusttest.Parse(gateway, gateway, gateway, gateway, gateway))
	require.EqualError(t, err, "5 public keys of gateway; a rotation needs two, and at most 4 are allowed")
}

func TestTheHeaderStaysSmall(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	require.Less(t, len(s.read(page, caller())), 224)
	require.Less(t, len(s.sign(page, "{}", caller())), 268)
}

func FuzzVerify_unsigned(f *testing.F) {
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
