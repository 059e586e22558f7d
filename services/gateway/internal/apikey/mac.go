package apikey

import (
	"crypto/hmac"
	"encoding/binary"
	"errors"
	"time"
)

// The MAC of a row, in the column seal, covers the permissions and the owner of a stored key, with a key derived from the
// pepper. Someone with write access to the database but without the pepper can neither give a key to another seller, nor widen
// its scopes, extend its life or revert its revocation: a row whose MAC does not match is not accepted. What remains possible
// is to restore an earlier copy of a row as a whole, including its MAC, and to delete rows.

// ErrAltered says that a stored key does not match its MAC.
var ErrAltered = errors.New("the stored key does not match its MAC")

// Found is a key as returned by a look-up, with its MAC not yet verified.
type Found struct {
	Key

	// Hash is the look-up hash in the row.
	Hash Hash
	MAC  []byte
}

// RowMAC computes the MAC of a key with the given look-up hash.
type RowMAC func(key Key, hash Hash) []byte

// MAC implements RowMAC with the current pepper.
func (t *Texts) MAC(key Key, hash Hash) []byte { return t.peppers[0].rowMAC(key, hash) }

// check returns ErrAltered for a key found by a hash that is not its own, or whose MAC matches no listed pepper.
func (t *Texts) check(found Found, hash Hash) error {
	if found.Hash != hash {
		return ErrAltered
	}
	for _, pepper := range t.peppers {
		if hmac.Equal(pepper.rowMAC(found.Key, hash), found.MAC) {
			return nil
		}
	}
	return ErrAltered
}

// rowMAC writes the fields in order, each preceded by its length, so that no two keys share an input.
func (d *derived) rowMAC(key Key, hash Hash) []byte {
	var row []byte
	part := func(text []byte) {
		row = append(binary.BigEndian.AppendUint32(row, uint32(len(text))), text...) //nolint:gosec // scopes and ids are short
	}
	part(key.ID[:])
	part(key.SellerID[:])
	part(hash[:])
	part(instant(key.ExpiresAt))
	part(instant(key.RevokedAt))
	for _, scope := range key.Scopes {
		part([]byte(scope))
	}
	sum := d.row.sum(string(row))
	return sum[:]
}

// instant returns a time with the precision of its column; empty for nil.
func instant(at *time.Time) []byte {
	if at == nil {
		return nil
	}
	return binary.BigEndian.AppendUint64(nil, uint64(at.UnixMicro())) //nolint:gosec // bits of a time
}
