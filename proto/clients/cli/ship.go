package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// shipCommand registers the parcels of a file.
type shipCommand struct {
	File    string `arg:"" help:"CSV (UTF-8 or EUC-KR) or Excel (.xlsx)." type:"existingfile"`
	Carrier string `help:"The carrier of rows that name none." placeholder:"CJ대한통운"`
	DryRun  bool   `help:"Say what would be sent, and send nothing."`
	Result  string `help:"The file that says what became of each row; FILE.result.csv by default." type:"path" placeholder:"FILE"`
}

// Help implements kong.HelpProvider.
func (shipCommand) Help() string {
	return "A row is a parcel of an order: order_no (주문번호), tracking_no (송장번호), carrier (택배사), and item_id (상품주문번호) where only a " +
		"part of the order goes out; other columns do not matter. Sending the same file again is harmless: what was shipped so counts as done.\n\n" +
		"  sellerapi ship today.xlsx --dry-run\n  sellerapi ship cj.csv --carrier CJ대한통운"
}

// shipment is a row with what is to become of it.
type shipment struct {
	parcel
	itemIDs []string
	// result is shipped, refused, unsent or ready; why is what stands in the way.
	result, why string
}

// Run is the command.
func (s *shipCommand) Run(ctx context.Context, world *World, all *commands) error {
	client, err := all.client(world)
	if err != nil {
		return err
	}
	rows, err := readParcels(s.File, s.Carrier)
	if err != nil {
		return fmt.Errorf("%s: %w", s.File, err)
	}
	shipments, err := prepare(ctx, world, client, rows)
	if err == nil && !s.DryRun {
		err = send(ctx, world, client, shipments)
	}
	if s.Result == "" {
		s.Result = strings.TrimSuffix(s.File, filepath.Ext(s.File)) + ".result.csv"
	}
	if written := writeResult(s.Result, shipments); written != nil {
		return errors.Join(err, written)
	}
	counts := map[string]int{}
	for _, one := range shipments {
		counts[one.result]++
		if one.why != "" {
			say(world.Out, "row %d  %s  %s  %s", one.line, one.orderNo, one.result, one.why)
		}
	}
	for _, result := range []string{"ready", "shipped", "refused", "unsent"} {
		if counts[result] > 0 {
			say(world.Out, "%-8s %d", result, counts[result])
		}
	}
	say(world.Out, "Every row is in %s.", s.Result)
	if err == nil && counts["refused"] > 0 {
		err = errPartly
	}
	return err
}

// prepare finds out what goes out with each row: the item that it names, or what of the order has not gone out.
func prepare(ctx context.Context, world *World, client *sellerapi.Client, rows []parcel) ([]shipment, error) {
	bar := world.bar(len(rows), "reading orders")
	defer func() { _ = bar.Finish() }()
	all := make([]shipment, len(rows))
	for i, row := range rows {
		all[i] = shipment{parcel: row, result: "unsent"}
	}
	for i := range all {
		one := &all[i]
		order, err := client.GetOrder(ctx, one.orderNo)
		switch {
		case errors.Is(err, sellerapi.CodeOrderNotFound), one.orderNo == "":
			one.result, one.why = "refused", "no such order"
		case err != nil:
			return all, err
		default:
			one.choose(order)
		}
		_ = bar.Add(1)
	}
	return all, nil
}

// choose takes the items of an order that go out with the row. Items that are under way with the row's number are taken too, so that
// the same file can be sent again.
func (s *shipment) choose(order sellerapi.Order) {
	number := digits(s.trackingNo)
	for _, item := range order.Items {
		open := item.ItemStatus == sellerapi.ItemPaid || item.ItemStatus == sellerapi.ItemPreparing
		again := item.TrackingNo != nil && digits(*item.TrackingNo) == number
		if named := s.itemID == item.ItemID || s.itemID == item.ItemCode; named || s.itemID == "" && (open || again) {
			s.itemIDs = append(s.itemIDs, item.ItemID)
		}
	}
	switch {
	case number == "":
		s.result, s.why = "refused", "no tracking number"
	case len(s.itemIDs) == 0 && s.itemID != "":
		s.result, s.why = "refused", "the order has no item "+s.itemID
	case len(s.itemIDs) == 0:
		s.result, s.why = "refused", "nothing of the order can go out"
	default:
		s.result = "ready"
	}
}

// digits is a tracking number without what it is printed with.
func digits(text string) string {
	return strings.NewReplacer(" ", "", "-", "", ".", "").Replace(strings.ToUpper(text))
}

// batchSize is how many parcels the interface takes at once.
const batchSize = 500

// send registers the parcels that are ready.
func send(ctx context.Context, world *World, client *sellerapi.Client, all []shipment) error {
	var ready []*shipment
	for i := range all {
		if all[i].result == "ready" {
			all[i].result = "unsent"
			ready = append(ready, &all[i])
		}
	}
	bar := world.bar(len(ready), "shipping")
	defer func() { _ = bar.Finish() }()
	for chunk := range slices.Chunk(ready, batchSize) {
		request := sellerapi.BatchShipmentRequest{}
		for _, one := range chunk {
			request.Items = append(request.Items, sellerapi.BatchShipmentEntry{
				OrderNo: one.orderNo, ItemIDs: one.itemIDs, CarrierName: one.carrier, TrackingNo: one.trackingNo,
			})
		}
		result, err := client.ShipOrders(ctx, request)
		if err != nil {
			return err
		}
		for _, one := range chunk {
			one.tell(result)
		}
		_ = bar.Add(len(chunk))
	}
	return nil
}

// tell notes what became of a parcel that was sent.
func (s *shipment) tell(result sellerapi.BatchShipmentResult) {
	s.result = "shipped"
	for _, failed := range result.Failed {
		ids := failed.OrderItemPublicIDs
		mine := len(ids) == 0 || slices.ContainsFunc(s.itemIDs, func(id string) bool { return slices.Contains(ids, id) })
		if failed.OrderNo == s.orderNo && mine {
			s.result, s.why = "refused", fmt.Sprintf("%s: %s", failed.ErrorCode, failed.Message)
		}
	}
}

// writeResult writes what became of each row, as spreadsheets read it.
func writeResult(path string, all []shipment) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = file.WriteString("\uFEFF") // without it, spreadsheets take the text for EUC-KR
	lines := csv.NewWriter(file)
	rows := [][]string{{"row", "order_no", "item_ids", "carrier", "tracking_no", "result", "why"}}
	for _, one := range all {
		rows = append(rows, []string{
			strconv.Itoa(one.line), one.orderNo, strings.Join(one.itemIDs, " "), string(one.carrier), one.trackingNo, one.result, one.why,
		})
	}
	return errors.Join(err, lines.WriteAll(rows), file.Close())
}
