package principal_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/pkg/principal"
)

var (
	now    = time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	oldKey = bytes.Repeat([]byte{1}, principal.MinKeyBytes)
	newKey = bytes.Repeat([]byte{2}, principal.MinKeyBytes)
)

// newSigner returns a signer or ends the test.
func newSigner(t interface {
	Helper()
	Fatal(...any)
}, current []byte, previous ...[]byte,
) *principal.Signer {
	t.Helper()
	s, err := principal.NewSigner(current, previous...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

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
		method, path := rapid.String().Draw(t, "method"), rapid.String().Draw(t, "path")
		got, err := s.Verify(method, path, s.Sign(method, path, want, now), now)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

func TestVerify_otherMethodOrPath(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	header := s.Sign("POST", "/open/v1/claims/C1/approve", caller(), now)
	for name, c := range map[string]struct{ method, path string }{
		"other method":                  {"GET", "/open/v1/claims/C1/approve"},
		"method in other case":          {"post", "/open/v1/claims/C1/approve"},
		"other path":                    {"POST", "/open/v1/claims/C2/approve"},
		"longer path":                   {"POST", "/open/v1/claims/C1/approve/"},
		"border of method and path":     {"POST/", "open/v1/claims/C1/approve"},
		"other spelling of the path":    {"POST", "/open/v1/claims/%43%31/approve"},
		"nothing":                       {"", ""},
		"path that holds the signature": {"POST", header},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := s.Verify(c.method, c.path, header, now)
			require.ErrorIs(t, err, principal.ErrSignature)
		})
	}
}

func TestVerify_lifetimeAndClockSkew(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	header := s.Sign("GET", "/p", caller(), now)
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
			_, err := s.Verify("GET", "/p", header, now.Add(c.after))
			require.ErrorIs(t, err, c.want)
		})
	}
}

func TestSigner_keyRotation(t *testing.T) {
	t.Parallel()
	before, during, after := newSigner(t, oldKey), newSigner(t, newKey, oldKey), newSigner(t, newKey)
	verify := func(s *principal.Signer, header string) error {
		_, err := s.Verify("GET", "/p", header, now)
		return err
	}
	byOld, byNew := before.Sign("GET", "/p", caller(), now), during.Sign("GET", "/p", caller(), now)
	require.NoError(t, verify(during, byOld))
	require.NoError(t, verify(during, byNew))
	require.NoError(t, verify(after, byNew))
	require.ErrorIs(t, verify(after, byOld), principal.ErrSignature)
	require.ErrorIs(t, verify(before, byNew), principal.ErrSignature)
}

func TestEveryChangedByteIsRefused(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	header := s.Sign("GET", "/p", caller(), now)
	for i := range len(header) {
		for c := range 256 {
			changed := header[:i] + string([]byte{byte(c)}) + header[i+1:]
			if changed == header {
				continue
			}
			_, err := s.Verify("GET", "/p", changed, now)
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
		header := s.Sign("GET", "/p", p, now)
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
			_, err := s.Verify("GET", "/p", other, now)
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
		"shorter than a MAC":  {"AAAA", principal.ErrMalformed},
		"no payload":          {base64.RawURLEncoding.EncodeToString(make([]byte, 32)), principal.ErrSignature},
		"longer than allowed": {s.Sign("GET", "/p", huge, now), principal.ErrMalformed},
		"of no seller":        {s.Sign("GET", "/p", nobody, now), principal.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := s.Verify("GET", "/p", c.header, now)
			require.ErrorIs(t, err, c.want)
		})
	}
}

func TestAScopeThatDoesNotExistIsNotGranted(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	p := caller()
	p.Scopes = []principal.Scope{"admin", principal.QnAWrite, "orders:*", principal.OrdersRead, principal.QnAWrite}
	got, err := s.Verify("GET", "/p", s.Sign("GET", "/p", p, now), now)
	require.NoError(t, err)
	require.Equal(t, []principal.Scope{principal.OrdersRead, principal.QnAWrite}, got.Scopes)
}

func TestShortSigningKeysAreRefusedByPosition(t *testing.T) {
	t.Parallel()
	_, err := principal.NewSigner([]byte("canary"))
	require.EqualError(t, err, "principal signing key 1: 6 bytes long; at least 32 are needed")
	_, err = principal.NewSigner(newKey, []byte("canary"))
	require.EqualError(t, err, "principal signing key 2: 6 bytes long; at least 32 are needed")
}

func TestTheHeaderStaysSmall(t *testing.T) {
	t.Parallel()
	require.Less(t, len(newSigner(t, newKey).Sign("GET", "/p", caller(), now)), 180)
}

func FuzzVerifyNeverTrustsWhatWasNotSigned(f *testing.F) {
	s := newSigner(f, newKey)
	good := s.Sign("GET", "/p", caller(), now)
	f.Add("GET", "/p", good)
	f.Add("GET", "/p", newSigner(f, oldKey).Sign("GET", "/p", caller(), now))
	f.Add("", "", "")
	f.Add("GET", "/p", good[:len(good)-1])
	f.Fuzz(func(t *testing.T, method, path, header string) {
		_, err := s.Verify(method, path, header, now)
		if trusted := method == "GET" && path == "/p" && header == good; trusted != (err == nil) {
			t.Fatalf("Verify(%q, %q, %q) = %v", method, path, header, err)
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	s := newSigner(b, newKey)
	header := s.Sign("GET", "/open/v1/orders", caller(), now)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Verify("GET", "/open/v1/orders", header, now); err != nil {
			b.Fatal(err)
		}
	}
}
