package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	sellerapi "sellerapi.dev/proto/clients/go"
)

type correctCommand struct {
	format
	OrderNo        string   `arg:"" name:"order_no" help:"The number of the order."`
	TrackingNo     string   `arg:"" name:"tracking_no" help:"The number that the parcel really has."`
	Carrier        string   `help:"The carrier; otherwise that of the parcel until now." placeholder:"CJ대한통운"`
	Item           []string `help:"An item of the parcel, by item_code or item_id; otherwise all that are on their way." placeholder:"ITEM"`
	AcceptWarnings bool     `help:"Send a number that does not look like those of its carrier too."`
	DryRun         bool     `help:"Say what would be corrected, as the order is now, and correct nothing."`
}

// Help implements kong.HelpProvider.
func (correctCommand) Help() string {
	return "Puts items that are on their way into another parcel, all of them or none: their state and the time of the shipment " +
		"stay, and the history keeps the earlier parcel. Without --item these are all items of the order that are on their way, if " +
		"they are in one parcel. What is claimed or delivered keeps its parcel. Where the marketplace has not enabled corrections " +
		"for you, nothing is corrected.\n\n" +
		"Correcting again is harmless: what is in that parcel counts as done. If the answer was lost, the same command again settles " +
		"it.\n\n" +
		"  sellerapi correct 20260314-000123 612345678904 --dry-run\n" +
		"  sellerapi correct 20260314-000123 412345678901 --carrier 한진택배 --item 20260314-000123-02"
}

// correction is an item with its parcel until now, the one that it is put into, and what became or would become of it.
type correction struct {
	OrderNo    string            `json:"order_no"`
	ItemID     string            `json:"item_id"`
	ItemCode   string            `json:"item_code"`
	CarrierWas string            `json:"carrier_was"`
	NumberWas  string            `json:"tracking_no_was"`
	Carrier    sellerapi.Carrier `json:"carrier_name"`
	TrackingNo string            `json:"tracking_no"`
	// Result is ready, corrected, already_done or refused.
	Result string `json:"result"`
	// Why is the code of a refusal.
	Why sellerapi.Code `json:"why,omitempty"`
}

var corrections = []column[correction]{
	{"order_no", func(c correction) any { return c.OrderNo }},
	{"item", func(c correction) any { return c.ItemCode }},
	{"carrier_was", func(c correction) any { return c.CarrierWas }},
	{"tracking_no_was", func(c correction) any { return c.NumberWas }},
	{"carrier", func(c correction) any { return c.Carrier }},
	{"tracking_no", func(c correction) any { return c.TrackingNo }},
	{"result", func(c correction) any { return c.Result }},
	{"why", func(c correction) any { return c.Why }},
}

// Run runs the command.
func (c *correctCommand) Run(ctx context.Context, world *World, all *commands) error {
	client, err := all.client(world)
	if err != nil {
		return err
	}
	number, wrong := readTrackingNo(c.TrackingNo)
	if wrong != "" {
		return fmt.Errorf("the tracking number %q %s", c.TrackingNo, wrong)
	}
	var carrier sellerapi.Carrier
	if c.Carrier != "" {
		if carrier, wrong = readCarrier(c.Carrier); wrong != "" {
			return fmt.Errorf("--carrier: %q %s", c.Carrier, wrong)
		}
	}
	order, err := client.GetOrder(ctx, c.OrderNo)
	if err != nil {
		return err
	}
	request, rows, err := c.plan(&order, carrier, number)
	if err != nil {
		return err
	}
	if c.DryRun {
		return c.print(world, rows)
	}
	result, err := client.CorrectShipment(ctx, c.OrderNo, request)
	if lacksOperation(err) {
		return fmt.Errorf("the marketplace has not enabled corrections for you, or the installation is too old: %w", err)
	}
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].tell(result.Items)
	}
	warned := c.warn(world, result.Warnings)
	if err := c.print(world, rows); err != nil {
		return err
	}
	return warned
}

// plan determines what is sent, and what would become of each item.
func (c *correctCommand) plan(
	order *sellerapi.Order, carrier sellerapi.Carrier, number string,
) (request sellerapi.ShipmentRequest, rows []correction, err error) {
	items, err := c.chosen(order, carrier, number)
	if err != nil {
		return request, nil, err
	}
	request = sellerapi.ShipmentRequest{TrackingNo: number}
	if request.CarrierName, request.LogisticsCompany, err = sameParcel(items, carrier); err != nil {
		return request, nil, err
	}
	for _, item := range items {
		request.ItemIDs = append(request.ItemIDs, item.ItemID)
		rows = append(rows, correctionOf(order.OrderNo, item, request.CarrierName, number))
	}
	isReady := func(row correction) bool { return row.Result == "ready" }
	if doubt := doubtOf(request.CarrierName, number); doubt != "" && !c.AcceptWarnings && slices.ContainsFunc(rows, isReady) {
		return request, nil, fmt.Errorf("%s (%s); --accept-warnings sends it", doubt, number)
	}
	return request, rows, nil
}

// sameParcel returns the carrier and the logistics company with which items went out, where the former is not given.
func sameParcel(items []*sellerapi.OrderItem, carrier sellerapi.Carrier) (sellerapi.Carrier, *string, error) {
	var first *sellerapi.OrderItem
	for _, item := range items {
		switch {
		case !slices.Contains(doneStates, item.ItemStatus):
		case first == nil:
			first = item
		case carrier == "" && differ(item.CarrierName, first.CarrierName):
			return "", nil, errors.New("the items went out with several carriers: name that of the parcel with --carrier")
		case differ(item.LogisticsCompany, first.LogisticsCompany):
			return "", nil, errors.New("the items went out with several logistics companies: correct them one by one, with --item")
		}
	}
	if first == nil {
		return "", nil, errors.New("nothing of the order is on its way")
	}
	return cmp.Or(carrier, sellerapi.Carrier(orEmpty(first.CarrierName))), first.LogisticsCompany, nil
}

func differ(a, b *string) bool { return (a == nil) != (b == nil) || a != nil && *a != *b }

// chosen returns the items that are named, or all that are on their way, and those that are in the parcel already.
func (c *correctCommand) chosen(
	order *sellerapi.Order, carrier sellerapi.Carrier, number string,
) (items []*sellerapi.OrderItem, err error) {
	parcels := map[string]bool{}
	for i := range order.Items {
		item := &order.Items[i]
		isThere := slices.Contains(doneStates, item.ItemStatus) && orEmpty(item.TrackingNo) == number &&
			(carrier == "" || orEmpty(item.CarrierName) == string(carrier))
		isNamed := slices.Contains(c.Item, item.ItemCode) || slices.Contains(c.Item, item.ItemID)
		if isNamed || len(c.Item) == 0 && (isThere || item.ItemStatus == sellerapi.ItemShipping) {
			items = append(items, item)
		}
		if item.ItemStatus == sellerapi.ItemShipping && !isThere {
			parcels[orEmpty(item.CarrierName)+" "+orEmpty(item.TrackingNo)] = true
		}
	}
	for _, name := range c.Item {
		is := func(item *sellerapi.OrderItem) bool { return item.ItemCode == name || item.ItemID == name }
		if !slices.ContainsFunc(items, is) {
			return nil, fmt.Errorf("the order has no item %s", name)
		}
	}
	if len(c.Item) == 0 && len(parcels) > 1 {
		return nil, fmt.Errorf("the order is on its way in several parcels (%s): name the items of one with --item",
			strings.Join(slices.Sorted(maps.Keys(parcels)), ", "))
	}
	return items, nil
}

// correctionOf decides on an item as the server does.
func correctionOf(orderNo string, item *sellerapi.OrderItem, carrier sellerapi.Carrier, number string) correction {
	row := correction{
		OrderNo: orderNo, ItemID: item.ItemID, ItemCode: item.ItemCode, CarrierWas: orEmpty(item.CarrierName),
		NumberWas: orEmpty(item.TrackingNo), Carrier: carrier, TrackingNo: number, Result: "refused",
	}
	isShipped := slices.Contains(doneStates, item.ItemStatus)
	switch {
	case isShipped && row.CarrierWas == string(carrier) && row.NumberWas == number:
		row.Result = "already_done"
	case isShipped && item.ItemStatus != sellerapi.ItemShipping:
		row.Why = sellerapi.CodeShipmentStateConflict
	case item.HasActiveClaim:
		row.Why = sellerapi.CodeOrderItemHasActiveClaim
	case !isShipped:
		row.Why = sellerapi.CodeOrderItemNotShippable
	default:
		row.Result = "ready"
	}
	return row
}

// tell records what became of an item.
func (c *correction) tell(items []sellerapi.ShippedItem) {
	for _, item := range items {
		if item.ItemID == c.ItemID {
			c.Result, c.Why = "corrected", ""
			if item.AlreadyDone {
				c.Result = "already_done"
			}
		}
	}
}

// print prints the rows. One that would be refused lets all of them fail.
func (c *correctCommand) print(world *World, rows []correction) error {
	_, err := printAll(c.format, world, func(yield func(correction, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}, corrections)
	if err == nil && slices.ContainsFunc(rows, func(row correction) bool { return row.Result == "refused" }) {
		return errPartly
	}
	return err
}

// warn says what the server warns of, and fails unless it is accepted.
func (c *correctCommand) warn(world *World, warnings []sellerapi.Warning) error {
	for _, warning := range warnings {
		say(world.Err, "warning: %s: %s", warning.Code, warning.Message)
	}
	if len(warnings) > 0 && !c.AcceptWarnings {
		return errPartly
	}
	return nil
}
