package apikey

import (
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
)

func vault(t *testing.T, keyset secret.Text) *Vault {
	t.Helper()
	v, err := NewVault(keyset)
	require.NoError(t, err)
	return v
}

// An encrypted text can be decrypted for its own key id only, and not after a change.
func TestVault_opensForItsOwnKeyIDOnly(t *testing.T) {
	t.Parallel()
	keyset, err := NewKeyset()
	require.NoError(t, err)
	v, id := vault(t, keyset), newID(t)
	encrypted, err := v.Encrypt(id, secret.New("the text"))
	require.NoError(t, err)
	require.NotContains(t, string(encrypted), "the text")
	text, err := v.Decrypt(id, encrypted)
	require.NoError(t, err)
	require.Equal(t, "the text", text.Reveal())
	_, err = v.Decrypt(uuid.New(), encrypted)
	require.ErrorIs(t, err, ErrUndecryptable)
	encrypted[len(encrypted)-1] ^= 1
	_, err = v.Decrypt(id, encrypted)
	require.ErrorIs(t, err, ErrUndecryptable)
}

// Replicas change their settings one after the other, so at each step the keysets before and after must decrypt each other's
// texts.
func TestVault_rotationInTwoSteps(t *testing.T) {
	t.Parallel()
	first, err := NewKeyset()
	require.NoError(t, err)
	extended, err := ExtendKeyset(first)
	require.NoError(t, err)
	promoted, err := PromoteKeyset(extended)
	require.NoError(t, err)
	id := newID(t)
	for name, pair := range map[string][2]secret.Text{"extend": {first, extended}, "promote": {extended, promoted}} {
		for _, direction := range [][2]secret.Text{{pair[0], pair[1]}, {pair[1], pair[0]}} {
			encrypted, err := vault(t, direction[0]).Encrypt(id, secret.New(name))
			require.NoError(t, err)
			text, err := vault(t, direction[1]).Decrypt(id, encrypted)
			require.NoError(t, err, name)
			require.Equal(t, name, text.Reveal())
		}
	}
	fresh, err := vault(t, promoted).Encrypt(id, secret.New("new"))
	require.NoError(t, err)
	_, err = vault(t, first).Decrypt(id, fresh)
	require.ErrorIs(t, err, ErrUndecryptable, "the promoted key must be the one that encrypts")
}

// An invalid keyset is refused, and the error does not quote it.
func TestVault_badKeysetIsNotQuoted(t *testing.T) {
	t.Parallel()
	for _, plain := range []string{"", "canary", "{}", `{"primaryKeyId":1,"key":[]}`, `{"canary":`} {
		for _, encoded := range []string{plain, base64.StdEncoding.EncodeToString([]byte(plain))} {
			_, err := NewVault(secret.New(encoded))
			require.ErrorIs(t, err, ErrNoKeyset)
			require.NotContains(t, fmt.Sprint(err), "canary")
			_, err = ExtendKeyset(secret.New(encoded))
			require.ErrorIs(t, err, ErrNoKeyset)
			_, err = PromoteKeyset(secret.New(encoded))
			require.ErrorIs(t, err, ErrNoKeyset)
		}
	}
}
