package order_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
)

// If the digest omits a field, an order with another value in it would look like a repetition.
func TestDigest_noticesEveryChange(t *testing.T) {
	t.Parallel()
	empty := ""
	seen := map[[32]byte]string{}
	for name, change := range map[string]func(*order.Placement){
		"nothing":                       func(*order.Placement) {},
		"number":                        func(p *order.Placement) { p.No = "A-101" },
		"member":                        func(p *order.Placement) { p.MemberID = "m-2" },
		"boundary of member and number": func(p *order.Placement) { p.No, p.MemberID = "A-100m", "-1" },
		"currency":                      func(p *order.Placement) { p.Currency = "USD" },
		"pending":                       func(p *order.Placement) { p.PaidAt = time.Time{} },
		"paid at":                       func(p *order.Placement) { p.PaidAt = p.PaidAt.Add(time.Microsecond) },
		"orderer":                       func(p *order.Placement) { p.Contact.OrdererName = "x" },
		"phone":                         func(p *order.Placement) { p.Contact.OrdererPhone = "x" },
		"recipient":                     func(p *order.Placement) { p.Contact.RecipientName = "x" },
		"recipient's phone":             func(p *order.Placement) { p.Contact.RecipientPhone = "x" },
		"zipcode":                       func(p *order.Placement) { p.Contact.Zipcode = "x" },
		"address":                       func(p *order.Placement) { p.Contact.Address1 = "x" },
		"second address line":           func(p *order.Placement) { p.Contact.Address2 = "x" },
		"memo":                          func(p *order.Placement) { p.Contact.ShipMemo = "x" },
		"one seller":                    func(p *order.Placement) { p.Parts = p.Parts[:1] },
		"seller":                        func(p *order.Placement) { p.Parts[0].SellerID = uuid.UUID{9} },
		"sellers in reverse order":      func(p *order.Placement) { p.Parts[0], p.Parts[1] = p.Parts[1], p.Parts[0] },
		"points":                        func(p *order.Placement) { p.Parts[0].Charges.PointUsed = 1 },
		"fee":                           func(p *order.Placement) { p.Parts[0].Charges.ShippingFeeBase = 1 },
		"fee paid":                      func(p *order.Placement) { p.Parts[0].Charges.ShippingFeePaid = 1 },
		"item":                          func(p *order.Placement) { p.Parts[0].Lines[0].ID = uuid.UUID{} },
		"product":                       func(p *order.Placement) { p.Parts[0].Lines[0].ProductID = "x" },
		"name":                          func(p *order.Placement) { p.Parts[0].Lines[0].ProductName = "x" },
		"option":                        func(p *order.Placement) { p.Parts[0].Lines[0].OptionName = "x" },
		"quantity":                      func(p *order.Placement) { p.Parts[0].Lines[0].Quantity = 9 },
		"list price":                    func(p *order.Placement) { p.Parts[0].Lines[0].ListPrice = 9 },
		"unit price":                    func(p *order.Placement) { p.Parts[0].Lines[0].UnitPrice = 9 },
		"discount":                      func(p *order.Placement) { p.Parts[0].Lines[0].Discount = 9 },
		"ship by":                       func(p *order.Placement) { p.Parts[0].Lines[0].ShipBy = noon },
		"ship by, another time":         func(p *order.Placement) { p.Parts[0].Lines[0].ShipBy = noon.Add(time.Microsecond) },
		"ship by of another line":       func(p *order.Placement) { p.Parts[1].Lines[0].ShipBy = noon },
		"additional line":               func(p *order.Placement) { p.Parts[0].Lines = append(p.Parts[0].Lines, order.Line{}) },
		"history":                       func(p *order.Placement) { p.Parts[1].Lines[0].History[1].To = order.Paid },
		"time of a history entry":       func(p *order.Placement) { p.Parts[1].Lines[0].History[1].At = noon.Add(-time.Microsecond) },
		"shorter history":               func(p *order.Placement) { p.Parts[1].Lines[0].History = p.Parts[1].Lines[0].History[:1] },
		"no parcel":                     func(p *order.Placement) { p.Parts[1].Lines[0].Shipment = nil },
		"carrier":                       func(p *order.Placement) { p.Parts[1].Lines[0].Shipment.CarrierName = "x" },
		"tracking":                      func(p *order.Placement) { p.Parts[1].Lines[0].Shipment.TrackingNo = "x" },
		"no company":                    func(p *order.Placement) { p.Parts[1].Lines[0].Shipment.LogisticsCompany = nil },
		"empty company":                 func(p *order.Placement) { p.Parts[1].Lines[0].Shipment.LogisticsCompany = &empty },
	} {
		placement := sound()
		change(&placement)
		digest := placement.Digest()
		require.NotContains(t, seen, digest, "%s looks like %s", name, seen[digest])
		seen[digest] = name
		again := sound()
		change(&again)
		require.Equal(t, digest, again.Digest(), name)
	}
}

// A change of any text in the contact table is noticed, whatever release added it.
func TestDigest_noticesEveryContactText(t *testing.T) {
	t.Parallel()
	bare := sound()
	bare.Contact = order.Contact{}
	seen := map[[32]byte]string{bare.Digest(): "none"}
	for _, text := range order.ContactTexts() {
		placement := bare
		*text.Of(&placement.Contact) = "x"
		digest := placement.Digest()
		require.NotContains(t, seen, digest, "%s looks like %s", text.Name, seen[digest])
		seen[digest] = text.Name
	}
	fields := reflect.TypeFor[order.Contact]().NumField()
	require.Len(t, seen, 1+fields, "a field without a row in the table")
}
