package order_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
)

// The clock of the marketplace may be ahead of ours. No time is stored that is later than the arrival, so that no stamp of ours
// is before it, and the order of the times stays; what was sent is still recognised when it is repeated.
func TestArrived_noTimeAhead(t *testing.T) {
	t.Parallel()
	sent := sound()
	sent.PaidAt = noon.Add(10 * time.Second)
	line := &sent.Parts[1].Lines[0]
	for i := range line.History {
		line.History[i].At = noon.Add(time.Duration(20+i) * time.Second)
	}
	digest := sent.Digest()
	stored := sent.Arrived(noon)
	require.Equal(t, noon, stored.PaidAt)
	require.Equal(t, noon, stored.PlacedAt)
	for _, change := range stored.Parts[1].Lines[0].History {
		require.Equal(t, noon, change.At)
	}
	require.Equal(t, digest, sent.Digest(), "what was sent is unchanged")
	require.Equal(t, noon.Add(20*time.Second), line.History[0].At)

	past := sound()
	later := past.Arrived(noon.Add(24 * time.Hour))
	later.PlacedAt = time.Time{}
	require.Equal(t, past, later, "past times are stored as they were sent")
	pending := sound()
	pending.PaidAt = time.Time{}
	stored = pending.Arrived(noon)
	require.False(t, stored.IsPaid())
}

// A parcel that comes with a placed order is stored as every other.
func TestArrived_parcelNormalised(t *testing.T) {
	t.Parallel()
	company := " 가온물류 "
	sent := sound()
	sent.Parts[1].Lines[0].Shipment = &order.SentParcel{
		CarrierName: " CJ대한통운", TrackingNo: "６123-4567 8904",
		LogisticsCompany: &company,
	}
	require.Empty(t, sent.Check("o", noon))
	stored := sent.Arrived(noon)
	require.Equal(t, &order.SentParcel{CarrierName: "CJ대한통운", TrackingNo: "612345678904", LogisticsCompany: &company},
		stored.Parts[1].Lines[0].Shipment)
	require.Equal(t, "６123-4567 8904", sent.Parts[1].Lines[0].Shipment.TrackingNo)
}

// A parcel that comes with a placed order is refused for what every shipment is refused for, with the field.
func TestCheck_pastParcels(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	for name, row := range map[string]struct {
		parcel      order.SentParcel
		field, code string
	}{
		"carrier not listed":   {order.SentParcel{CarrierName: "DHL", TrackingNo: "1"}, "carrier_name", "not_allowed"},
		"carrier of blanks":    {order.SentParcel{CarrierName: " ", TrackingNo: "1"}, "carrier_name", "not_allowed"},
		"carrier with control": {order.SentParcel{CarrierName: "한진택배\n", TrackingNo: "1"}, "carrier_name", "control"},
		"number of blanks":     {order.SentParcel{CarrierName: "한진택배", TrackingNo: "  "}, "tracking_no", "empty"},
		"number of hyphens":    {order.SentParcel{CarrierName: "한진택배", TrackingNo: "- ."}, "tracking_no", "empty"},
		"number with control":  {order.SentParcel{CarrierName: "한진택배", TrackingNo: "1\t2"}, "tracking_no", "control"},
		"number of ligatures": {
			order.SentParcel{CarrierName: "한진택배", TrackingNo: strings.Repeat("ﷺ", 60)}, "tracking_no", "too_long",
		},
		"company with control": {
			order.SentParcel{CarrierName: "한진택배", TrackingNo: "1", LogisticsCompany: text("가온\n물류")}, "logistics_company", "control",
		},
	} {
		placement := sound()
		placement.Parts[1].Lines[0].Shipment = &row.parcel
		problems := placement.Check("o", noon)
		require.Len(t, problems, 1, name)
		require.Equal(t, "o.sellers[1].lines[0].shipment."+row.field, problems[0].Field, name)
		require.Equal(t, row.code, problems[0].Code, name)
	}
	placement := sound()
	placement.Parts[1].Lines[0].Shipment = &order.SentParcel{CarrierName: "한진택배", TrackingNo: "1", LogisticsCompany: text("")}
	require.Empty(t, placement.Check("o", noon), "an empty company is a value")
}

// A withdrawal covers what was placed or paid before it, whichever was earlier.
func TestIsForgotten(t *testing.T) {
	t.Parallel()
	before, after, never := noon.Add(-time.Second), noon.Add(time.Second), time.Time{}
	for name, row := range map[string]struct {
		withdrawnAt, placedAt, paidAt time.Time
		forgotten                     bool
	}{
		"never withdrew":             {never, before, before, false},
		"placed before":              {noon, before, before, true},
		"arrived late":               {noon, after, before, true},
		"paid afterwards":            {noon, before, after, true},
		"unpaid, placed before":      {noon, before, never, true},
		"unpaid, of who came back":   {noon, after, never, false},
		"of who came back":           {noon, after, after, false},
		"at the very instant":        {noon, after, noon, true},
		"placed at the very instant": {noon, noon, never, true},
	} {
		require.Equal(t, row.forgotten, order.IsForgotten(row.withdrawnAt, row.placedAt, row.paidAt), name)
	}
}
