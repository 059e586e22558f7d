package order

import (
	"slices"
	"time"

	"sellerapi.dev/pkg/carrier"
)

// NotAfter returns a time that the marketplace sent, at most [ClockSlack] ahead of our clock, as it is stored: not later than
// now, when it arrived. So no stamp of ours is ever before a time that was sent earlier.
func NotAfter(at, now time.Time) time.Time {
	if at.After(now) {
		return now
	}
	return at
}

// Arrived returns the placement as it is stored when it arrives: without times after that, and with parcels in their normal
// form. The placement itself, whose [Placement.Digest] tells a repetition, is unchanged. It must have passed its checks.
func (p *Placement) Arrived(at time.Time) Placement {
	stored := *p
	stored.PlacedAt, stored.PaidAt = at, NotAfter(p.PaidAt, at)
	stored.Parts = slices.Clone(p.Parts)
	for i := range stored.Parts {
		part := &stored.Parts[i]
		part.Lines = slices.Clone(part.Lines)
		for k := range part.Lines {
			part.Lines[k].arrive(at)
		}
	}
	return stored
}

func (l *Line) arrive(at time.Time) {
	l.History = slices.Clone(l.History)
	for i := range l.History {
		l.History[i].At = NotAfter(l.History[i].At, at)
	}
	if l.Shipment == nil {
		return
	}
	if parcel, err := carrier.ParseShipment(l.Shipment.CarrierName, l.Shipment.TrackingNo, l.Shipment.LogisticsCompany); err == nil {
		l.Shipment = &SentParcel{
			CarrierName: string(parcel.Carrier), TrackingNo: string(parcel.TrackingNo), LogisticsCompany: parcel.Logistics,
		}
	}
}

// IsForgotten reports whether a member's withdrawal covers an order: whether the order was placed or paid, whichever is
// earlier, before the member withdrew. A zero withdrawnAt is none; a zero paidAt is an order that is not paid.
func IsForgotten(withdrawnAt, placedAt, paidAt time.Time) bool {
	ordered := placedAt
	if !paidAt.IsZero() {
		ordered = NotAfter(paidAt, placedAt)
	}
	return !withdrawnAt.IsZero() && !ordered.After(withdrawnAt)
}
