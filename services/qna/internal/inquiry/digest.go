package inquiry

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// digestVersion is the prefix of the digested data. A change of the format below needs a new one; inquiries posted before then no
// longer match when they are posted again.
const digestVersion = "inquiry/1"

// Digest returns a digest of everything that was sent, images in their order. Equal inquiries have equal digests.
func (p *Posted) Digest() [sha256.Size]byte {
	d := digester{sha256.New()}
	d.text(digestVersion, string(p.QnaID[:]), string(p.SellerID[:]), string(p.ProductID[:]),
		p.ProductName, string(p.Category), p.Body, p.MemberDisplayName)
	d.number(int64(len(p.ImageURLs)))
	d.text(p.ImageURLs...)
	secret := int64(0)
	if p.IsSecret {
		secret = 1
	}
	d.number(secret, p.CreatedAt.UnixMicro())
	return [sha256.Size]byte(d.Sum(nil))
}

// digester encodes values unambiguously: different sequences of values give different bytes.
type digester struct{ hash.Hash }

// text writes texts, each with a length prefix. Writing to a hash never fails.
func (d digester) text(texts ...string) {
	for _, text := range texts {
		d.number(int64(len(text)))
		_, _ = d.Write([]byte(text))
	}
}

// number writes numbers as eight bytes each.
func (d digester) number(numbers ...int64) {
	var eight [8]byte
	for _, number := range numbers {
		binary.BigEndian.PutUint64(eight[:], uint64(number)) //nolint:gosec // only the bits matter
		_, _ = d.Write(eight[:])
	}
}
