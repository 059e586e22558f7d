package inbox

import (
	"encoding/hex"
	"errors"
	"strings"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/principal"
)

// Header carries the key from the gateway to the owning service, "<digest> <fingerprint>" in hexadecimal; and back what
// the service did with it, see Outcome. It never carries the text of the client's key: net/http sends a request without
// a body again by itself when it sees a header Idempotency-Key.
const Header = principal.InboxHeader

// Digest stands for the text of an Idempotency-Key.
type Digest [16]byte

// Fingerprint stands for the content of a request.
type Fingerprint [16]byte

// Key names one request of one seller.
type Key struct {
	Seller      uuid.UUID
	Digest      Digest
	Fingerprint Fingerprint
}

// errHeader is the answer to a header that the gateway did not write.
var errHeader = errors.New("inbox: malformed header")

// FormatHeader is the header of a request with this digest and fingerprint.
func FormatHeader(digest Digest, fingerprint Fingerprint) string {
	return hex.EncodeToString(digest[:]) + " " + hex.EncodeToString(fingerprint[:])
}

// ParseHeader reads what FormatHeader wrote, for the seller of the request.
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
