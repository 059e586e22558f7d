package sellerapi

import (
	"slices"
	"strings"
)

// Whether a resource shows that a call whose response has expired was done. A wrong no costs one more request, because
// the server then reports it as already done; a wrong yes would lose a call. So these report true only for what is
// visible in the resource.

// find returns the items with these ids, in this order; false if one is missing or not as wanted.
func (o Order) find(ids []string, wanted func(OrderItem) bool) ([]OrderItem, bool) {
	found := make([]OrderItem, 0, len(ids))
	for _, id := range ids {
		at := slices.IndexFunc(o.Items, func(item OrderItem) bool { return item.ItemID == id && wanted(item) })
		if at < 0 {
			return nil, false
		}
		found = append(found, o.Items[at])
	}
	return found, true
}

func (o Order) prepared(request ItemsRequest) (PreparationResult, bool) {
	items, there := o.find(request.ItemIDs, func(item OrderItem) bool { return item.ItemStatus == ItemPreparing })
	result := PreparationResult{OrderNo: o.OrderNo, OrderStatus: o.OrderStatus, UpdatedAt: o.UpdatedAt}
	for _, item := range items {
		result.Items = append(result.Items, PreparedItem{item.ItemID, item.ItemCode, item.ItemStatus, true})
	}
	return result, there
}

func (o Order) shipped(request ShipmentRequest) (ShipmentResult, bool) {
	parcel := ParcelRequest{CarrierName: request.CarrierName, TrackingNo: request.TrackingNo}
	items, there := o.find(request.ItemIDs, func(item OrderItem) bool {
		under := item.ItemStatus == ItemShipping || item.ItemStatus == ItemDelivered || item.ItemStatus == ItemConfirmed
		return under && parcel.is(item.CarrierName, item.TrackingNo) && same(request.LogisticsCompany, item.LogisticsCompany)
	})
	return ShipmentResult{OrderNo: o.OrderNo, OrderStatus: o.OrderStatus, UpdatedAt: o.UpdatedAt, Items: underWay(items)}, there
}

func (o Order) delivered(request ItemsRequest) (DeliveryResult, bool) {
	items, there := o.find(request.ItemIDs, func(item OrderItem) bool {
		return item.ItemStatus == ItemDelivered || item.ItemStatus == ItemConfirmed
	})
	return DeliveryResult{OrderNo: o.OrderNo, OrderStatus: o.OrderStatus, UpdatedAt: o.UpdatedAt, Items: underWay(items)}, there
}

func underWay(items []OrderItem) []ShippedItem {
	result := make([]ShippedItem, 0, len(items))
	for _, item := range items {
		result = append(result, ShippedItem{
			ItemID: item.ItemID, ItemCode: item.ItemCode, ItemStatus: item.ItemStatus, AlreadyDone: true,
			TrackingNo: text(item.TrackingNo), CarrierName: Carrier(text(item.CarrierName)),
		})
	}
	return result
}

func (p ParcelRequest) is(carrierName, trackingNo *string) bool {
	return carrierName != nil && trackingNo != nil && *carrierName == strings.TrimSpace(string(p.CarrierName)) &&
		*trackingNo == printed.Replace(strings.ToUpper(p.TrackingNo))
}

// printed removes the separators that tracking numbers are printed with.
var printed = strings.NewReplacer(" ", "", "-", "", ".", "")

func same(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

func text(value *string) string {
	if value == nil {
		return ""
	}
	return *value
}

func (c Claim) wasApproved() bool {
	switch c.Status { //nolint:exhaustive // in all other states, also unknown ones, it is not visible
	case ClaimApproved, ClaimCollecting, ClaimCollected, ClaimInspecting, ClaimReshipping, ClaimRefundProcessing, ClaimCompleted:
		return true
	}
	return false
}

// wasRejected reports whether the seller rejected the claim, as opposed to an inspection.
func (c Claim) wasRejected() bool { return c.Status == ClaimRejected && c.InspectResult == nil }

func (c Claim) wasCollected() bool {
	switch c.Status { //nolint:exhaustive // in all other states, also unknown ones, it is not visible
	case ClaimCollected, ClaimInspecting, ClaimReshipping:
		return true
	case ClaimRefundProcessing, ClaimCompleted:
		return c.Type != ClaimCancel
	}
	return c.InspectResult != nil
}
