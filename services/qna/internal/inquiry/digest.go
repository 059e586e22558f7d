package inquiry

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// digestVersion begins what is digested. A change of the form below needs a new one, and inquiries that were posted before
// it then look like other inquiries when they are posted again.
const digestVersion = "inquiry/1"

// Digest reports whether two posted inquiries are the same: everything that was sent counts, images in their order.
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

// digester writes values so that no two different sequences of them are the same bytes.
type digester struct{ hash.Hash }

// text writes texts, each with its length before it. A hash never fails to take them.
func (d digester) text(texts ...string) {
	for _, text := range texts {
		d.number(int64(len(text)))
		_, _ = d.Write([]byte(text))
	}
}

// number writes numbers of eight bytes each.
func (d digester) number(numbers ...int64) {
	var eight [8]byte
	for _, number := range numbers {
		binary.BigEndian.PutUint64(eight[:], uint64(number)) //nolint:gosec // the bits, whatever the sign
		_, _ = d.Write(eight[:])
	}
}
