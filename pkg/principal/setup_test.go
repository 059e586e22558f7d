package principal_test

import (
	"time"

	"github.com/google/uuid"

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

type pair struct {
	*principal.Signer
	*principal.Verifier
}

// newSigner returns a signer with a key, whose pair verifies with it and the further
// keys, or fails the test.
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

func (p pair) sign(call principal.Call, body string, who principal.Principal) string {
	return p.Sign(trust.Orders, call, principal.DigestOf([]byte(body)), who, now)
}

func (p pair) read(call principal.Call, who principal.Principal) string { return p.sign(call, "", who) }

func caller() principal.Principal {
	return principal.Principal{
		SellerID: uuid.MustParse("018f4b4e-7c7a-7a51-a0c3-5d1a44a6b001"), KeyID: "018f4b4e-0000-7000-8000-000000000001",
		KeyPrefix: "vpk_live_abc", Scopes: []principal.Scope{"orders:read", "claims:write"},
	}
}
