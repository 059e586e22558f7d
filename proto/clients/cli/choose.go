package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// The states of items that a shipment can still be registered for, and those in which the same shipment again counts as done.
var (
	openStates = []sellerapi.ItemStatus{sellerapi.ItemPaid, sellerapi.ItemPreparing}
	doneStates = []sellerapi.ItemStatus{sellerapi.ItemShipping, sellerapi.ItemDelivered, sellerapi.ItemConfirmed}
)

// The number of orders that a page of the list has, and the number that are read one by one, because they may be on any page.
const (
	ordersPerPage = 100
	readAlone     = 10
)

// readOrders reads the orders with these numbers: by lists of the states that they are probably in, as long as these may spare
// more than they take (a page has as many rows as the limits allow for two calls), and the rest one by one. Orders that do not
// exist are left out.
func readOrders(ctx context.Context, world *World, client *sellerapi.Client,
	numbers map[string]bool,
) (map[string]*sellerapi.Order, error) {
	bar := world.bar(len(numbers), "reading orders")
	defer func() { _ = bar.Finish() }()
	found := map[string]*sellerapi.Order{}
	keep := func(order sellerapi.Order) {
		if numbers[order.OrderNo] {
			delete(numbers, order.OrderNo)
			found[order.OrderNo] = &order
			_ = bar.Add(1)
		}
	}
	pages := 0
	for _, status := range slices.Concat(openStates, doneStates) {
		filter := sellerapi.OrderFilter{ItemStatus: status, Limit: ordersPerPage}
		for ; 2*pages+readAlone < len(numbers); pages++ {
			page, err := client.ListOrders(ctx, filter)
			if err != nil {
				return nil, err
			}
			for _, order := range page.List {
				keep(order)
			}
			if page.NextCursor == nil {
				break
			}
			filter.Cursor = *page.NextCursor
		}
	}
	for _, number := range slices.Sorted(maps.Keys(numbers)) {
		order, err := client.GetOrder(ctx, number)
		switch {
		case err == nil && order.OrderNo == number:
			keep(order)
		case err != nil && !errors.Is(err, sellerapi.CodeOrderNotFound):
			return nil, err
		}
	}
	return found, nil
}

type standing int

const (
	// free items can be shipped, done ones are shipped with the row's parcel.
	free standing = iota
	done
	// replacing items go out with reship of a claim, claimed ones wait for the end of a claim.
	replacing
	claimed
	// elsewhere is an item in another parcel, ended one that is canceled, returned or exchanged.
	elsewhere
	ended
)

func (s *shipment) stands(item *sellerapi.OrderItem) standing {
	switch {
	case slices.Contains(openStates, item.ItemStatus) && item.IsExchange:
		return replacing
	case slices.Contains(openStates, item.ItemStatus) && item.HasActiveClaim:
		return claimed
	case slices.Contains(openStates, item.ItemStatus):
		return free
	case !slices.Contains(doneStates, item.ItemStatus):
		return ended
	case s.numbered(item) && (item.CarrierName == nil || *item.CarrierName == string(s.carrier)) && item.LogisticsCompany == nil:
		return done
	default:
		return elsewhere
	}
}

// numbered reports whether an item has the row's number, in the form that the server compares.
func (s *shipment) numbered(item *sellerapi.OrderItem) bool {
	return item.TrackingNo != nil && s.isTrackingNo(*item.TrackingNo)
}

func (s *shipment) isTrackingNo(text string) bool {
	number, _ := sellerapi.NormalTrackingNo(text)
	return number == s.trackingNo
}

// choose selects the items of an order that are shipped with the row: the one that it names, or all that have not been shipped.
// It includes items that are already shipped in the row's parcel, so that the same file can be sent again, unless they have
// ended: these keep their number, and the server would refuse the parcel. It leaves out what is in another parcel, and the
// replacement of an exchange that has not been shipped: only reship of the claim ends the exchange.
func (s *shipment) choose(order *sellerapi.Order, acceptWarnings bool) {
	s.result = "ready"
	stand := map[standing]*sellerapi.OrderItem{}
	if order != nil {
		for i := range order.Items {
			item := &order.Items[i]
			if s.itemID != "" && s.itemID != item.ItemCode && s.itemID != item.ItemID {
				continue
			}
			how := s.stands(item)
			if stand[how] == nil || how == ended && s.numbered(item) {
				stand[how] = item
			}
			s.take(item, how)
		}
	}
	why := s.hindrance(order, stand)
	switch {
	case s.wrong != "":
		s.refuse(s.wrong)
	case why != "":
		s.refuse(why)
	case s.doubt == "" || stand[free] == nil:
	case acceptWarnings:
		s.remark("warning accepted: " + s.doubt)
	default:
		s.refuse(fmt.Sprintf("%s (%s); --accept-warnings sends it", s.doubt, s.trackingNo))
	}
	if s.result == "ready" && len(s.leftOut) > 0 {
		s.remark("left out: " + strings.Join(s.leftOut, "; "))
	}
}

// take adds an item that goes out with the row, or records that it does not, unless it has ended.
func (s *shipment) take(item *sellerapi.OrderItem, how standing) {
	if how == free || how == done || s.itemID != "" {
		s.itemIDs = append(s.itemIDs, item.ItemID)
		return
	}
	if how == replacing {
		s.leftOut = append(s.leftOut, fmt.Sprintf("%s, a replacement that reship of the claim %s ships", item.ItemCode,
			orDash(item.ExchangeClaimNo)))
	}
	if how == elsewhere {
		s.leftOut = append(s.leftOut, fmt.Sprintf("%s, which went out with %s %s", item.ItemCode, orDash(item.CarrierName),
			orDash(item.TrackingNo)))
	}
}

// hindrance returns why the row is not shipped, given an item of each standing; "" if nothing hinders it.
func (s *shipment) hindrance(order *sellerapi.Order, stand map[standing]*sellerapi.OrderItem) string {
	ready := stand[free] != nil || stand[done] != nil
	switch {
	case order == nil:
		return "no such order"
	case s.isTrackingNo(s.orderNo):
		return "the tracking number is the number of the order"
	case s.isTrackingNo(s.itemID):
		return "the tracking number is the number of the item"
	case stand[claimed] != nil:
		return fmt.Sprintf("%s: a claim on %s is in progress", sellerapi.CodeOrderItemHasActiveClaim, stand[claimed].ItemCode)
	case ready:
		return ""
	case stand[replacing] != nil:
		return "the replacement of an exchange goes out with reship of the claim " + orDash(stand[replacing].ExchangeClaimNo)
	case s.itemID != "" && len(stand) == 0:
		return "the order has no item " + s.itemID
	case stand[elsewhere] != nil:
		return fmt.Sprintf("%s: it went out with %s %s", sellerapi.CodeShipmentStateConflict,
			orDash(stand[elsewhere].CarrierName), orDash(stand[elsewhere].TrackingNo))
	case stand[ended] != nil && s.numbered(stand[ended]):
		return "what went out with this number has ended: " + string(stand[ended].ItemStatus)
	case s.itemID != "":
		return "the item has ended: " + string(stand[ended].ItemStatus)
	default:
		return "nothing of the order can go out"
	}
}
