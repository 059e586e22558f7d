package apikey

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"

	"sellerapi.dev/pkg/secret"
)

var (
	// ErrNoKeyset says that a setting does not hold an AEAD key set. It omits the cause, because the parser's errors may quote
	// the input.
	ErrNoKeyset = errors.New("not a key set: expected base64 of the JSON key set that `gateway keyset new` prints")
	// ErrUndecryptable says that an encrypted text cannot be decrypted: its key is no longer in the set, or the bytes are damaged or
	// belong to another key id.
	ErrUndecryptable = errors.New("the encrypted API key cannot be decrypted with this key set")
)

// Vault encrypts key texts so that they can be revealed again. The associated data of each is its key id: the bytes of one row
// cannot be decrypted in another. It is safe for concurrent use.
type Vault struct{ cipher tink.AEAD }

// NewVault parses a key set as printed by `gateway keyset new`. Its primary key encrypts; every key in it decrypts.
// Error: ErrNoKeyset.
func NewVault(encoded secret.Text) (*Vault, error) {
	handle, err := readKeyset(encoded)
	if err != nil {
		return nil, err
	}
	cipher, err := aead.New(handle)
	if err != nil {
		return nil, ErrNoKeyset
	}
	return &Vault{cipher: cipher}, nil
}

// Encrypt encrypts the text of a key.
func (v *Vault) Encrypt(id uuid.UUID, text secret.Text) ([]byte, error) {
	encrypted, err := v.cipher.Encrypt([]byte(text.Reveal()), id[:])
	if err != nil {
		return nil, fmt.Errorf("encrypt an API key: %w", err)
	}
	return encrypted, nil
}

// Decrypt decrypts the result of Encrypt for the same key. Error: ErrUndecryptable.
func (v *Vault) Decrypt(id uuid.UUID, encrypted []byte) (secret.Text, error) {
	text, err := v.cipher.Decrypt(encrypted, id[:])
	if err != nil {
		return secret.Text{}, fmt.Errorf("%w: %w", ErrUndecryptable, err)
	}
	return secret.New(string(text)), nil
}

// NewKeyset returns a key set with one fresh AES-256-GCM key.
func NewKeyset() (secret.Text, error) {
	manager := keyset.NewManager()
	id, err := manager.Add(aead.AES256GCMKeyTemplate())
	if err != nil {
		return secret.Text{}, fmt.Errorf("generate an encryption key: %w", err)
	}
	return promoted(manager, id)
}

// ExtendKeyset adds a fresh key that decrypts but does not encrypt yet: the first half of a rotation. Every replica must run with
// the result before the second half, or it cannot decrypt new texts.
func ExtendKeyset(encoded secret.Text) (secret.Text, error) {
	handle, err := readKeyset(encoded)
	if err != nil {
		return secret.Text{}, err
	}
	manager := keyset.NewManagerFromHandle(handle)
	if _, err := manager.Add(aead.AES256GCMKeyTemplate()); err != nil {
		return secret.Text{}, fmt.Errorf("generate an encryption key: %w", err)
	}
	return written(manager)
}

// PromoteKeyset makes the newest key of the set the primary: the second half of a rotation.
func PromoteKeyset(encoded secret.Text) (secret.Text, error) {
	handle, err := readKeyset(encoded)
	if err != nil {
		return secret.Text{}, err
	}
	youngest, err := handle.Entry(handle.Len() - 1)
	if err != nil {
		return secret.Text{}, ErrNoKeyset
	}
	return promoted(keyset.NewManagerFromHandle(handle), youngest.KeyID())
}

func promoted(manager *keyset.Manager, id uint32) (secret.Text, error) {
	if err := manager.SetPrimary(id); err != nil {
		return secret.Text{}, fmt.Errorf("set the primary encryption key: %w", err)
	}
	return written(manager)
}

func written(manager *keyset.Manager) (secret.Text, error) {
	handle, err := manager.Handle()
	if err != nil {
		return secret.Text{}, fmt.Errorf("build the key set: %w", err)
	}
	var out bytes.Buffer
	if err := insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&out)); err != nil {
		return secret.Text{}, fmt.Errorf("write the key set: %w", err)
	}
	return secret.New(base64.StdEncoding.EncodeToString(bytes.TrimSpace(out.Bytes()))), nil
}

func readKeyset(encoded secret.Text) (*keyset.Handle, error) {
	plain, err := base64.StdEncoding.DecodeString(encoded.Reveal())
	if err != nil {
		return nil, ErrNoKeyset
	}
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(plain)))
	if err != nil || handle.Len() == 0 {
		return nil, ErrNoKeyset
	}
	return handle, nil
}
