package principal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
)

// The three steps of a rotation: every call succeeds at each, and a header signed with the old key is refused after the last.
func TestVerifier_keyRotation(t *testing.T) {
	t.Parallel()
	before, during, after := newVerifier(t, oldKey), newVerifier(t, oldKey, newKey), newVerifier(t, newKey)
	byOld, byNew := newSigner(t, oldKey).read(page, caller()), newSigner(t, newKey).read(page, caller())
	for name, c := range map[string]struct {
		verifier *principal.Verifier
		header   string
		want     error
	}{
		"before the rotation":               {before, byOld, nil},
		"new public key added":              {during, byOld, nil},
		"private key switched":              {during, byNew, nil},
		"old public key removed":            {after, byNew, nil},
		"signed with a removed key":         {after, byOld, principal.ErrSignature},
		"signed with a key not yet trusted": {before, byNew, principal.ErrSignature},
	} {
		_, err := c.verifier.Verify(page, c.header, now)
		require.ErrorIs(t, err, c.want, name)
	}
}

// A service may rotate its key while the gateway signs: a header for two keys is verified with either.
func TestSigner_serviceKeyRotation(t *testing.T) {
	t.Parallel()
	gateway := trusttest.Key(trust.Gateway)
	signing := func(keys ...trust.PrivateKey) *principal.Signer {
		lines := make([]string, 0, 2+len(keys))
		lines = append(lines, trusttest.Line(trust.Claims, trusttest.Key(trust.Claims)),
			trusttest.Line(trust.QnA, trusttest.Key(trust.QnA)))
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
		"before the rotation":            {signing(oldKey), reading(oldKey), nil},
		"new public key added":           {signing(oldKey, newKey), reading(oldKey), nil},
		"private key switched":           {signing(oldKey, newKey), reading(newKey), nil},
		"old public key removed":         {signing(newKey), reading(newKey), nil},
		"signed for a removed key":       {signing(oldKey), reading(newKey), principal.ErrSignature},
		"private key switched too early": {signing(oldKey), reading(newKey), principal.ErrSignature},
	} {
		header := c.signer.Sign(trust.Orders, page, principal.DigestOf([]byte("{}")), caller(), now)
		_, err := c.verifier.Verify(page, header, now)
		require.ErrorIs(t, err, c.want, name)
		require.Less(t, len(header), 268+43, name)
	}
}

// Only the gateway signs principals, and each for one service: a header signed with the key of another party is refused,
// including a service that received headers of its own.
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
