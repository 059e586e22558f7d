package order

// Fields says which of an item's optional fields are set in a state.
type Fields struct {
	// Parcel covers carrier_name and tracking_no.
	Parcel           bool
	LogisticsCompany bool
	ShippedAt        bool
	DeliveredAt      bool
	ConfirmedAt      bool
	// ShipBy is set in the states that an item is shipped from.
	ShipBy bool
}

// shown is the table of fields by state; a state without a row shows none. A returned or exchanged item keeps the fields of its
// shipment.
var shown = map[State]Fields{
	Paid:      {ShipBy: true},
	Preparing: {ShipBy: true},
	Shipping:  {Parcel: true, LogisticsCompany: true, ShippedAt: true},
	Delivered: {Parcel: true, LogisticsCompany: true, ShippedAt: true, DeliveredAt: true},
	Confirmed: {Parcel: true, LogisticsCompany: true, ShippedAt: true, DeliveredAt: true, ConfirmedAt: true},
	Returned:  {Parcel: true, ShippedAt: true, DeliveredAt: true},
	Exchanged: {Parcel: true, ShippedAt: true, DeliveredAt: true},
}

// Shows returns the fields that an item in the state has.
func (s State) Shows() Fields { return shown[s] }
