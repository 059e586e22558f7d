package order

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"time"
)

// digestVersion is the prefix of the digested data. A change of the format below needs a new one; orders placed before then no
// longer match when they are placed again.
const digestVersion = "placement/1"

// firstTexts is how many texts of a contact the original format has. Later texts are appended, and only if they are given, so
// that the digest of an order without them is unchanged.
const firstTexts = 8

// Digest returns a digest of everything that was sent, in the order in which it was sent. Equal placements have equal digests.
func (p *Placement) Digest() [sha256.Size]byte {
	d := digester{sha256.New()}
	d.text(digestVersion, p.No, p.MemberID, p.Currency)
	d.moment(p.PaidAt)
	for _, text := range contactTexts[:firstTexts] {
		d.text(*text.Of(&p.Contact))
	}
	d.number(int64(len(p.Parts)))
	for i := range p.Parts {
		d.part(&p.Parts[i])
	}
	for _, text := range contactTexts[firstTexts:] {
		if given := *text.Of(&p.Contact); given != "" {
			d.text(text.Name, given)
		}
	}
	return [sha256.Size]byte(d.Sum(nil))
}

// digester encodes values unambiguously: different sequences of values give different bytes.
type digester struct{ hash.Hash }

func (d digester) part(part *Part) {
	d.text(string(part.SellerID[:]))
	d.number(part.Charges.PointUsed, part.Charges.ShippingFeeBase, part.Charges.ShippingFeePaid, int64(len(part.Lines)))
	for i := range part.Lines {
		d.line(&part.Lines[i])
	}
}

// line writes a line. What later versions of the format know of it is appended, and only if it is given.
func (d digester) line(line *Line) {
	d.original(line)
	if !line.ShipBy.IsZero() {
		d.text("ship_by")
		d.moment(line.ShipBy)
	}
}

// original writes what the original format has of a line.
func (d digester) original(line *Line) {
	d.text(string(line.ID[:]), line.ProductID, line.ProductName, line.OptionName)
	d.number(line.Quantity, line.ListPrice, line.UnitPrice, line.Discount, int64(len(line.History)))
	for _, change := range line.History {
		d.text(string(change.To))
		d.moment(change.At)
	}
	if line.Shipment == nil {
		d.number(0)
		return
	}
	d.number(1)
	d.text(line.Shipment.CarrierName, line.Shipment.TrackingNo)
	if line.Shipment.LogisticsCompany == nil {
		d.number(0)
		return
	}
	d.number(1)
	d.text(*line.Shipment.LogisticsCompany)
}

// text writes texts, each with a length prefix.
func (d digester) text(texts ...string) {
	for _, text := range texts {
		d.number(int64(len(text)))
		_, _ = d.Write([]byte(text))
	}
}

// moment writes a time, which may be zero.
func (d digester) moment(at time.Time) {
	if at.IsZero() {
		d.number(0)
		return
	}
	d.number(1, at.UnixMicro())
}

// number writes numbers as eight bytes each.
func (d digester) number(numbers ...int64) {
	var eight [8]byte
	for _, number := range numbers {
		binary.BigEndian.PutUint64(eight[:], uint64(number)) //nolint:gosec // only the bits matter
		_, _ = d.Write(eight[:])
	}
}
