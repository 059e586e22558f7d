package apikey

import (
	"crypto/hmac"
	"encoding/binary"
	"errors"
	"time"
)

// The MAC of a row, in the column seal, is one over what a stored key may do, and for whom, under a key derived from the pepper.
// Who can write the database and does not have the pepper can neither hand a key to another seller, nor widen its scopes,
// lengthen its life or take back its revocation: a row whose MAC does not fit it is no key. What is left to him is to put an
// earlier copy of a row back as a whole, MAC included, and to take rows away.

// ErrAltered says that a stored key does not match its MAC.
var ErrAltered = errors.New("the stored key does not fit its MAC")

// Found is a key as returned by a look-up, with its MAC not yet verified.
type Found struct {
	Key

	// Hash is what the row says that the key is looked up by.
	Hash Hash
	MAC  []byte
}

// RowMAC makes the MAC of a key that is looked up by a hash.
type RowMAC func(key Key, hash Hash) []byte

// MAC implements RowMAC under the current pepper.
func (t *Texts) MAC(key Key, hash Hash) []byte { return t.peppers[0].rowMAC(key, hash) }

// check returns ErrAltered for a key that was found by a hash that is not its own, or whose MAC fits under no listed
// pepper.
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

// rowMAC writes the fields one after the other, each with its length, so that no two keys share an input.
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

// instant is a time as precisely as it is stored, empty for none.
func instant(at *time.Time) []byte {
	if at == nil {
		return nil
	}
	return binary.BigEndian.AppendUint64(nil, uint64(at.UnixMicro())) //nolint:gosec // bits of a time
}
