package inbox

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/principal"
)

// Header carries the key from the gateway to the owning service, "<digest> <fingerprint>" in hexadecimal; and back what
// the service did with it, see Outcome. It never carries the text of the client's key: net/http sends a request without
// a body again automatically when it has a header Idempotency-Key.
const Header = principal.InboxHeader

// Digest is the digest of an Idempotency-Key.
type Digest [16]byte

// Fingerprint is the digest of a request's content.
type Fingerprint [16]byte

// stored is what is kept of a digest: 8 of its bytes, which among n keys of one seller are those of a new key with a chance of
// n in 2^64. An attacker gains nothing by searching for a collision: they are keys of one seller, and the second is refused, or
// replayed when it asks for the same.
func (d Digest) stored() int64 {
	return int64(binary.BigEndian.Uint64(d[:])) //nolint:gosec // all 64 bits are kept, the sign among them
}

// stored returns the stored part of a fingerprint: 5 of its bytes. A key that is reused for other content, which is a client
// error, is mistaken for a repetition with probability 2^-40.
func (f Fingerprint) stored() []byte { return f[:5] }

// Key names one request of one seller.
type Key struct {
	Seller      uuid.UUID
	Digest      Digest
	Fingerprint Fingerprint
}

// errHeader is the error for a header that the gateway did not write.
var errHeader = errors.New("inbox: malformed header")

// FormatHeader returns the header of a request with this digest and fingerprint.
func FormatHeader(digest Digest, fingerprint Fingerprint) string {
	return hex.EncodeToString(digest[:]) + " " + hex.EncodeToString(fingerprint[:])
}

// ParseHeader parses the result of FormatHeader, for the seller of the request.
func ParseHeader(seller uuid.UUID, header string) (Key, error) {
	key := Key{Seller: seller}
	digest, fingerprint, found := strings.Cut(header, " ")
	if !found || len(digest) != 2*len(key.Digest) || len(fingerprint) != 2*len(key.Fingerprint) {
		return Key{}, errHeader
	}
	if _, err := hex.Decode(key.Digest[:], []byte(digest)); err != nil {
		return Key{}, errHeader
	}
	if _, err := hex.Decode(key.Fingerprint[:], []byte(fingerprint)); err != nil {
		return Key{}, errHeader
	}
	return key, nil
}
