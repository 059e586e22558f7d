package store

import (
	"cmp"
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
)

// FindKey looks up the key of a request. Errors: apikey.ErrHashUnknown, or a database error.
func (s *Store) FindKey(ctx context.Context, hash apikey.Hash) (apikey.Found, error) {
	var seller, id uuid.UUID
	err := s.pool.QueryRow(ctx, queries.SQL("FindHolder"), hash[:]).Scan(&seller, &id)
	if errors.Is(err, pgx.ErrNoRows) {
		return apikey.Found{}, apikey.ErrHashUnknown
	}
	if err != nil {
		return apikey.Found{}, postgres.Classify(err)
	}
	rows, _ := s.pool.Query(ctx, queries.SQL("FindKey"), seller, id)
	key, err := pgx.CollectExactlyOneRow(rows, scanFound)
	if errors.Is(err, pgx.ErrNoRows) {
		return apikey.Found{}, apikey.ErrHashUnknown
	}
	return key, postgres.Classify(err)
}

// ListActiveKeys returns at most limit keys that are neither revoked nor expired, of all sellers and in no order.
func (s *Store) ListActiveKeys(ctx context.Context, limit int) ([]apikey.Found, error) {
	keys, err := postgres.Collect(ctx, s.pool, scanFound, queries.SQL("ListActiveKeys"), limit)
	return keys, postgres.Classify(err)
}

// IssueKey stores a new key, or returns the one that the same request was answered with before. Errors:
// apikey.ErrSellerUnknown, those of apikey.Decide and of mint.
func (s *Store) IssueKey(
	ctx context.Context, request apikey.IssueRequest, limits apikey.Limits, mint apikey.Mint,
) (apikey.Encrypted, error) {
	return postgres.InTxReturning(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (apikey.Encrypted, error) {
		now, err := holdSeller(ctx, tx, request.SellerID)
		if err != nil {
			return apikey.Encrypted{}, err
		}
		held, err := postgres.Collect(ctx, tx, scanHeld, queries.SQL("ListHeldKeys"), request.SellerID)
		if err != nil {
			return apikey.Encrypted{}, err
		}
		key, again, err := apikey.Decide(held, request, limits, now)
		if err != nil {
			return apikey.Encrypted{}, err
		}
		done := audit.IssuedAgain
		if !again {
			done = audit.Issued
			if key.ID, err = insertKey(ctx, tx, request, held, mint); err != nil {
				return apikey.Encrypted{}, err
			}
		}
		encrypted, err := findEncrypted(ctx, tx, request.SellerID, key.ID)
		if err != nil {
			return apikey.Encrypted{}, err
		}
		return encrypted, record(ctx, tx, entry{
			author: request.Author, action: done, sellerID: &request.SellerID, keyID: &key.ID, detail: issueDetail(encrypted.Key),
		})
	})
}

// insertKey mints and stores a key whose prefix differs from those of all other keys of the seller.
func insertKey(
	ctx context.Context, tx pgx.Tx, request apikey.IssueRequest, held []apikey.Held, mint apikey.Mint,
) (uuid.UUID, error) {
	taken := make(map[string]bool, len(held))
	for _, key := range held {
		taken[key.Prefix] = true
	}
	minted, err := mint(taken)
	if err != nil {
		return uuid.Nil, err
	}
	if _, err := tx.Exec(ctx, queries.SQL("InsertKeyHash"), minted.Hash[:], request.SellerID, minted.ID); err != nil {
		return uuid.Nil, err
	}
	_, err = tx.Exec(ctx, queries.SQL("InsertKey"), minted.ID, request.SellerID, request.RequestID, minted.Prefix,
		minted.Hash[:], minted.Encrypted, request.Scopes, request.Purpose, request.ExpiresAt, minted.MAC)
	return minted.ID, err
}

func issueDetail(key apikey.Key) map[string]any {
	return map[string]any{"prefix": key.Prefix, "scopes": key.Scopes, "purpose": key.Purpose, "expires_at": key.ExpiresAt}
}

// SellerKeys returns every key of a seller, newest first, and records nothing.
func (s *Store) SellerKeys(ctx context.Context, seller uuid.UUID) ([]apikey.Key, error) {
	keys, err := postgres.Collect(ctx, s.pool, scanKey, queries.SQL("ListKeys"), seller)
	return keys, postgres.Classify(postgres.Wrap("list keys of a seller", err))
}

// ListKeys returns every key of a seller, newest first; none for an unknown seller.
func (s *Store) ListKeys(ctx context.Context, request apikey.ViewRequest) ([]apikey.Key, error) {
	return postgres.InTxReturning(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) ([]apikey.Key, error) {
		keys, err := postgres.Collect(ctx, tx, scanKey, queries.SQL("ListKeys"), request.SellerID)
		if err != nil {
			return nil, err
		}
		return keys, record(ctx, tx, entry{author: request.Author, action: audit.Listed, sellerID: &request.SellerID})
	})
}

// EncryptedKey returns a key to be revealed, after recording the access or the failure. Error: apikey.ErrKeyUnknown.
func (s *Store) EncryptedKey(ctx context.Context, request apikey.ViewRequest) (encrypted apikey.Encrypted, err error) {
	var unknown error
	err = postgres.InTx(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		looked := entry{author: request.Author, action: audit.Revealed, sellerID: &request.SellerID, keyID: &request.KeyID}
		encrypted, unknown = findEncrypted(ctx, tx, request.SellerID, request.KeyID)
		switch {
		case errors.Is(unknown, apikey.ErrKeyUnknown):
			looked = refused(audit.Refusal{
				Author: looked.author, Action: looked.action, Cause: audit.KeyUnknown, SellerID: looked.sellerID, KeyID: looked.keyID,
			})
		case unknown != nil:
			return unknown
		}
		return record(ctx, tx, looked)
	})
	return encrypted, cmp.Or(err, unknown)
}

// RevokeKey revokes a key; a repeated call changes nothing and returns the current key. Error: apikey.ErrKeyUnknown.
func (s *Store) RevokeKey(ctx context.Context, request apikey.RevokeRequest, mac apikey.RowMAC) (apikey.Key, error) {
	return postgres.InTxReturning(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (apikey.Key, error) {
		held, err := holdKey(ctx, tx, request.SellerID, request.KeyID)
		if err != nil {
			return apikey.Key{}, err
		}
		key, done := held.Key, audit.RevokedAgain
		if key.RevokedAt == nil {
			done = audit.Revoked
			key.RevokedAt, key.State, key.Version = &held.at, apikey.Revoked, key.Version+1
			if _, err := tx.Exec(ctx, queries.SQL("RevokeKey"), request.SellerID, request.KeyID, request.Reason, held.at,
				mac(key, held.hash)); err != nil {
				return apikey.Key{}, err
			}
		}
		return key, record(ctx, tx, entry{
			author: request.Author, action: done, sellerID: &request.SellerID, keyID: &request.KeyID,
			detail: map[string]any{"reason": request.Reason},
		})
	})
}

// holdKey locks a key of the seller and returns it with the time of the lock. Error: apikey.ErrKeyUnknown.
func holdKey(ctx context.Context, tx pgx.Tx, sellerID, keyID uuid.UUID) (heldKey, error) {
	rows, _ := tx.Query(ctx, queries.SQL("HoldKey"), sellerID, keyID)
	held, err := pgx.CollectExactlyOneRow(rows, scanHeldKey)
	if errors.Is(err, pgx.ErrNoRows) {
		return heldKey{}, apikey.ErrKeyUnknown
	}
	return held, err
}

// findEncrypted returns a key of the seller with its encrypted text. Error: apikey.ErrKeyUnknown.
func findEncrypted(ctx context.Context, tx pgx.Tx, sellerID, keyID uuid.UUID) (apikey.Encrypted, error) {
	rows, _ := tx.Query(ctx, queries.SQL("FindEncryptedKey"), sellerID, keyID)
	encrypted, err := pgx.CollectExactlyOneRow(rows, scanEncrypted)
	if errors.Is(err, pgx.ErrNoRows) {
		return apikey.Encrypted{}, apikey.ErrKeyUnknown
	}
	return encrypted, err
}
