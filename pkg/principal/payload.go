package principal

import (
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// version is the first byte of a payload. A new format gets a new number, and verifiers must support it before signers use it.
const version = 3

// fixedBytes is the length of the payload before its texts: version, number of codes, seller, scopes, expiry.
const fixedBytes = 1 + 1 + 16 + 1 + 8

// appendPayload appends the signed part of a header. codes is the number of codes that will follow it.
func appendPayload(out []byte, codes int, p Principal, body BodyDigest, expiry time.Time) []byte {
	out = append(out, version, byte(codes)) //nolint:gosec // NewSigner bounds them by maxKeys
	out = append(out, p.SellerID[:]...)
	out = append(out, scopeBits(p.Scopes))
	// Rounding the expiry down shortens the life by up to a second, which Skew covers.
	out = binary.BigEndian.AppendUint64(out, uint64(expiry.Unix())) //nolint:gosec // bits of a Unix time, read back the same way
	out = appendText(out, p.KeyID)
	out = appendText(out, p.KeyPrefix)
	if body == (BodyDigest{}) {
		return appendText(out, "")
	}
	return appendText(out, string(body[:]))
}

// readPayload parses what appendPayload wrote and refuses everything else: another version, unknown scope bits, the nil seller, a
// digest of another length, missing or trailing bytes.
func readPayload(raw []byte) (Signed, time.Time, bool) {
	if len(raw) < fixedBytes || raw[0] != version || raw[18]>>len(scopes) != 0 {
		return Signed{}, time.Time{}, false
	}
	signed := Signed{Principal: Principal{SellerID: uuid.UUID(raw[2:18]), Scopes: scopesOf(raw[18])}}
	expiry := time.Unix(int64(binary.BigEndian.Uint64(raw[19:])), 0) //nolint:gosec // bits of a Unix time
	rest, body := raw[fixedBytes:], ""
	for _, into := range []*string{&signed.KeyID, &signed.KeyPrefix, &body} {
		text, left, ok := readText(rest)
		if !ok {
			return Signed{}, time.Time{}, false
		}
		*into, rest = text, left
	}
	if len(rest) != 0 || signed.SellerID == uuid.Nil || len(body) != 0 && len(body) != len(signed.body) {
		return Signed{}, time.Time{}, false
	}
	copy(signed.body[:], body)
	return signed, expiry, true
}

// appendText appends the length in two bytes and the text. A text that is too long for that makes a header that Verify refuses
// because of its length anyway.
func appendText(out []byte, text string) []byte {
	out = binary.BigEndian.AppendUint16(out, uint16(min(len(text), 1<<16-1))) //nolint:gosec // bounded by min
	return append(out, text...)
}

func readText(raw []byte) (text string, rest []byte, ok bool) {
	if len(raw) < 2 {
		return "", nil, false
	}
	length := int(binary.BigEndian.Uint16(raw))
	if len(raw) < 2+length {
		return "", nil, false
	}
	return string(raw[2 : 2+length]), raw[2+length:], true
}

func scopeBits(granted []Scope) byte {
	var bits byte
	for i, scope := range scopes {
		for _, g := range granted {
			if g == scope {
				bits |= 1 << i
			}
		}
	}
	return bits
}

// scopesOf is the inverse of scopeBits, in the order of All.
func scopesOf(bits byte) []Scope {
	granted := make([]Scope, 0, len(scopes))
	for i, scope := range scopes {
		if bits&(1<<i) != 0 {
			granted = append(granted, scope)
		}
	}
	return granted
}
