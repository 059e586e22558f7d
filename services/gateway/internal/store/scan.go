package store

import (
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/services/gateway/internal/apikey"
)

// scanKey scans the leading columns of every query on keys; the last of them is the database's time, on which the state
// depends.
func scanKey(row pgx.CollectableRow) (apikey.Key, error) {
	var key apikey.Key
	err := scanInto(row, &key)
	return key, err
}

func scanHeld(row pgx.CollectableRow) (apikey.Held, error) {
	var held apikey.Held
	err := scanInto(row, &held.Key, &held.RequestID)
	return held, err
}

func scanFound(row pgx.CollectableRow) (apikey.Found, error) {
	var found apikey.Found
	var hash []byte
	err := scanInto(row, &found.Key, &found.MAC, &hash)
	copy(found.Hash[:], hash)
	return found, err
}

// heldKey is a locked key, its look-up columns, and the time of the lock.
type heldKey struct {
	apikey.Key

	hash apikey.Hash
	at   time.Time
}

func scanHeldKey(row pgx.CollectableRow) (heldKey, error) {
	var held heldKey
	var hash []byte
	err := scanInto(row, &held.Key, &hash, &held.at)
	copy(held.hash[:], hash)
	return held, err
}

func scanEncrypted(row pgx.CollectableRow) (apikey.Encrypted, error) {
	var encrypted apikey.Encrypted
	err := scanInto(row, &encrypted.Key, &encrypted.Text)
	return encrypted, err
}

func scanInto(row pgx.CollectableRow, key *apikey.Key, more ...any) error {
	var now time.Time
	columns := slices.Concat([]any{
		&key.ID, &key.SellerID, &key.Prefix, &key.Scopes, &key.Purpose, &key.IssuedAt, &key.ExpiresAt,
		&key.RevokedAt, &key.Version, &now,
	}, more)
	if err := row.Scan(columns...); err != nil {
		return err
	}
	key.State = apikey.StateAt(now, key.ExpiresAt, key.RevokedAt)
	return nil
}
