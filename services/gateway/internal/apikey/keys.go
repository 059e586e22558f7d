package apikey

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/secret"
)

// Minted is a new key as stored, with its encrypted text.
type Minted struct {
	Found

	Encrypted []byte
}

// Mint generates a key whose prefix differs from those of the seller's other keys. The store calls it with the seller locked.
type Mint func(taken map[string]bool) (Minted, error)

// Encrypted is a stored key with its encrypted text.
type Encrypted struct {
	Key
	Text []byte
}

// Store keeps sellers, keys and the audit trail. Every method writes its audit entry in the transaction of its effect.
type Store interface {
	// RegisterSeller registers a seller or updates its name.
	RegisterSeller(ctx context.Context, request RegisterRequest) error
	// IssueKey locks the seller, calls Decide, and stores a key from mint. Errors: ErrSellerUnknown, those of Decide.
	IssueKey(ctx context.Context, request IssueRequest, limits Limits, mint Mint) (Encrypted, error)
	// ListKeys returns every key of a seller, newest first; none for an unknown seller.
	ListKeys(ctx context.Context, request ViewRequest) ([]Key, error)
	// EncryptedKey returns a key to be revealed. Error: ErrKeyUnknown.
	EncryptedKey(ctx context.Context, request ViewRequest) (Encrypted, error)
	// RevokeKey revokes a key and recomputes its MAC; a repeated call changes nothing. Error: ErrKeyUnknown.
	RevokeKey(ctx context.Context, request RevokeRequest, mac RowMAC) (Key, error)
}

// Keys implements the use cases of the console's RPC and the operator's commands. It is safe for concurrent use.
type Keys struct {
	texts  *Texts
	vault  *Vault
	store  Store
	limits Limits
	// publish makes a revocation certain on every gateway.
	publish func(context.Context, Key) error
}

// NewKeys returns the use cases over a store; publish makes a revocation certain on every gateway.
func NewKeys(texts *Texts, vault *Vault, store Store, limits Limits, publish func(context.Context, Key) error) *Keys {
	return &Keys{texts: texts, vault: vault, store: store, limits: limits, publish: publish}
}

// Register registers a seller. Idempotent; a second call updates the name.
func (k *Keys) Register(ctx context.Context, request RegisterRequest) error {
	return k.store.RegisterSeller(ctx, request)
}

// Issue returns a new key and its text, or those of the earlier call with the same request id and content. Errors:
// ErrSellerUnknown, ErrOtherContent, a *[LimitError], VALIDATION_ERROR for an expiry that is not in the future, and for the scope
// of the sandbox in a live environment.
func (k *Keys) Issue(ctx context.Context, request IssueRequest) (Key, secret.Text, error) {
	if at := slices.Index(request.Scopes, principal.Sandbox); at >= 0 && k.texts.environment != Test {
		return Key{}, secret.Text{}, scopeNotAllowed(fmt.Sprintf("scopes[%d]", at))
	}
	encrypted, err := k.store.IssueKey(ctx, request, k.limits,
		func(taken map[string]bool) (Minted, error) { return k.mint(request, taken) })
	if err != nil {
		return Key{}, secret.Text{}, err
	}
	text, err := k.vault.Decrypt(encrypted.ID, encrypted.Text)
	if err != nil {
		return Key{}, secret.Text{}, err
	}
	return encrypted.Key, text, nil
}

// List returns every key of a seller in any state, newest first.
func (k *Keys) List(ctx context.Context, request ViewRequest) ([]Key, error) {
	return k.store.ListKeys(ctx, request)
}

// Reveal returns the text of an issued key. Errors: ErrKeyUnknown, ErrUndecryptable.
func (k *Keys) Reveal(ctx context.Context, request ViewRequest) (secret.Text, error) {
	encrypted, err := k.store.EncryptedKey(ctx, request)
	if err != nil {
		return secret.Text{}, err
	}
	return k.vault.Decrypt(encrypted.ID, encrypted.Text)
}

// Revoke revokes a key for good; when it has returned, no gateway admits it any more. Idempotent. Errors: ErrKeyUnknown;
// ErrUnconfirmed, with the error of publish: the key is revoked, but the revocation may not have reached every gateway.
func (k *Keys) Revoke(ctx context.Context, request RevokeRequest) (Key, error) {
	key, err := k.store.RevokeKey(ctx, request, k.texts.MAC)
	if err != nil {
		return Key{}, err
	}
	if err := k.publish(ctx, key); err != nil {
		return key, fmt.Errorf("%w: %w", ErrUnconfirmed, err)
	}
	return key, nil
}

// mintTries is the maximum number of prefixes drawn. There are 62³ of them, so exceeding it means that the source of randomness
// is broken, and not bad luck.
const mintTries = 20

// errNoPrefix says that every drawn prefix is taken.
var errNoPrefix = errors.New("no unused key prefix was found")

func (k *Keys) mint(request IssueRequest, taken map[string]bool) (Minted, error) {
	for range mintTries {
		id, err := uuid.NewV7()
		if err != nil {
			return Minted{}, fmt.Errorf("generate a key ID: %w", err)
		}
		text, hash := k.texts.New(id)
		prefix := text.Reveal()[:PrefixChars]
		if taken[prefix] {
			continue
		}
		encrypted, err := k.vault.Encrypt(id, text)
		if err != nil {
			return Minted{}, err
		}
		key := Key{ID: id, SellerID: request.SellerID, Prefix: prefix, Scopes: request.Scopes, ExpiresAt: request.ExpiresAt}
		return Minted{Found{Key: key, Hash: hash, MAC: k.texts.MAC(key, hash)}, encrypted}, nil
	}
	return Minted{}, errNoPrefix
}
