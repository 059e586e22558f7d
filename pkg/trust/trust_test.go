package trust_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
)

// Operators create keys with various tools, so every usual variant of base64 is accepted, and yields the same key.
func TestPrivateKey_everySpelling(t *testing.T) {
	t.Parallel()
	seed := bytes.Repeat([]byte{0xfb, 0xff, 0x3e, 0x10}, 8) // yields the characters in which the two alphabets differ
	for _, encoding := range []*base64.Encoding{
		base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding,
		base64.RawURLEncoding,
	} {
		var key trust.PrivateKey
		require.NoError(t, key.UnmarshalText([]byte(" "+encoding.EncodeToString(seed)+"\n")))
		opened, err := key.Open()
		require.NoError(t, err)
		require.Equal(t, ed25519.NewKeyFromSeed(seed), opened)
		require.Equal(t, base64.StdEncoding.EncodeToString(opened.Public().(ed25519.PublicKey)), key.Public())
	}
}

// A private key that appears in a log has to be rotated.
func TestPrivateKey_isNeverShown(t *testing.T) {
	t.Parallel()
	key := trusttest.Key(trust.Gateway)
	holder := struct {
		Key   trust.PrivateKey
		inner trust.PrivateKey
	}{key, key}
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(&out, nil)).Info("all", "key", key, "holder", holder)
	for _, verb := range strings.Fields("%v %+v %#v %s %q %x %d") {
		fmt.Fprintf(&out, verb+verb, key, holder)
	}
	encoded, err := json.Marshal(holder)
	require.NoError(t, err)
	shown := out.String() + string(encoded)
	require.Contains(t, shown, "[secret]")
	require.NotContains(t, shown, key.Reveal())
	require.NotContains(t, shown, key.Reveal()[:12])
}

// The error about an invalid key does not contain the key.
func TestPrivateKey_refused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"nothing":    {" \n", "private key: empty"},
		"not base64": {"canary!", "private key: not base64"},
		"short":      {base64.StdEncoding.EncodeToString([]byte("canary")), "private key: 6 bytes long; a key has 32"},
		"expanded":   {base64.StdEncoding.EncodeToString(make([]byte, 64)), "private key: 64 bytes long; a key has 32"},
	} {
		_, err := trust.ParsePrivateKey(c.text)
		require.EqualError(t, err, c.want, name)
	}
	_, err := trust.PrivateKey{}.Open()
	require.ErrorIs(t, err, trust.ErrNoPrivateKey)
	require.Empty(t, trust.PrivateKey{}.Public())
}

// During a rotation a party has two keys, and both are valid.
func TestPublicKeys_severalOfAParty(t *testing.T) {
	t.Parallel()
	now, next, issuer := trusttest.Named("now"), trusttest.Named("next"), trusttest.Key(trust.Issuer)
	keys, err := trust.ParsePublicKeys(
		"gateway=" + now.Public() + ",\n  gateway=" + strings.TrimRight(next.Public(), "=") + " issuer=" + issuer.Public() + "\n")
	require.NoError(t, err)
	require.Len(t, keys.Of(trust.Gateway), 2)
	require.NoError(t, keys.Check(trust.Gateway, now))
	require.NoError(t, keys.Check(trust.Gateway, next))
	require.ErrorContains(t, keys.Check(trust.Gateway, issuer), "not among the trusted keys of gateway")
	require.Empty(t, keys.Of(trust.Claims))
	require.ErrorIs(t, keys.Check(trust.Issuer, trust.PrivateKey{}), trust.ErrNoPrivateKey)
	again, err := trust.ParsePublicKeys(keys.String())
	require.NoError(t, err)
	require.Equal(t, keys, again)
}

// A partially valid list would let services start that recognise only some of the callers.
func TestPublicKeys_refused(t *testing.T) {
	t.Parallel()
	good := trusttest.Line(trust.Gateway, trusttest.Key(trust.Gateway))
	for name, c := range map[string]struct{ text, want string }{
		"nothing": {" ,\n", trust.ErrNoPublicKeys.Error()},
		"no party": {
			good + "," + trusttest.Named("x").Public(),
			"public key 2: no known party; expected PARTY=KEY with one of the parties [gateway orders claims qna console issuer sandbox]",
		},
		"unknown party": {
			"gatway=AAAA",
			"public key 1: no known party; expected PARTY=KEY with one of the parties [gateway orders claims qna console issuer sandbox]",
		},
		"no key": {good + " claims=", "public key 2, of claims: empty"},
		"key of two parties": {
			good + " orders=" + trusttest.Key(trust.Gateway).Public(),
			"public key 2, of orders: is also that of gateway; each party needs its own key",
		},
		"short": {"issuer=AAAA", "public key 1, of issuer: 3 bytes long; a key has 32"},
	} {
		var keys trust.PublicKeys
		require.EqualError(t, keys.UnmarshalText([]byte(c.text)), c.want, name)
		require.True(t, keys.IsZero(), name)
	}
}

// Two parties compute one secret, each with its own private key; another pair, or another purpose, has another.
func TestPrivateKey_agree(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	parties := trust.Parties()
	for i, one := range parties {
		for _, other := range parties[i+1:] {
			for _, purpose := range []string{"one", "other"} {
				here, err := trusttest.Key(one).Agree(trusttest.WithSandbox().Of(other)[0], purpose)
				require.NoError(t, err)
				there, err := trusttest.Key(other).Agree(trusttest.WithSandbox().Of(one)[0], purpose)
				require.NoError(t, err)
				require.Equal(t, here, there, "%s and %s", one, other)
				require.Len(t, here, trust.SecretBytes)
				require.False(t, seen[string(here)], "%s and %s have one of their own", one, other)
				seen[string(here)] = true
			}
		}
	}
}

// An invalid public key, or one with which every secret is the same, is refused.
func TestPrivateKey_agreeRefused(t *testing.T) {
	t.Parallel()
	key := trusttest.Key(trust.Gateway)
	neutral, offCurve := make([]byte, 32), make([]byte, 32)
	neutral[0], offCurve[0] = 1, 2
	for name, public := range map[string][]byte{"neutral point": neutral, "not on the curve": offCurve, "short": {1}, "none": nil} {
		_, err := key.Agree(public, "one")
		require.ErrorContains(t, err, "public key: ", name)
	}
	_, err := trust.PrivateKey{}.Agree(trusttest.Keys().Of(trust.Orders)[0], "one")
	require.ErrorIs(t, err, trust.ErrNoPrivateKey)
}
