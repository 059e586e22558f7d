package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
		"part of the order goes out; other columns do not matter. Sending the same file again is harmless: what was shipped so counts as done. " +
		"The replacement of an exchange is left out: reship of its claim ships it.\n\n" +
		"Of a row that is unknown the answer was lost: its parcel may be registered or not, and sending the file again settles it. " +
		"A row that is unsent was not sent.\n\n" +
		"  sellerapi ship today.xlsx --dry-run\n  sellerapi ship cj.csv --carrier CJ대한통운"
}

// shipment is a row with its planned or actual outcome.
type shipment struct {
	parcel
	itemIDs []string
	// result is ready, unsent, shipped, refused, or unknown if there was no answer; why is the reason for the last two.
	result, why string
	// open is how many entries with its items have no response yet.
	open int
}

// Run runs the command.
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
		if one.result == "refused" {
			say(world.Out, "row %d  %s  %s  %s", one.line, one.orderNo, one.result, one.why)
		}
	}
	for _, result := range []string{"ready", "shipped", "refused", "unknown", "unsent"} {
		switch {
		case counts[result] == 0:
		case result == "unknown":
			say(world.Out, "%-8s %d  %s", result, counts[result], noAnswer)
		default:
			say(world.Out, "%-8s %d", result, counts[result])
		}
	}
	say(world.Out, "Every row is in %s.", s.Result)
	if err == nil && counts["refused"] > 0 {
		err = errPartly
	}
	return err
}

// prepare determines what is shipped with each row: the item that it names, or the items of the order that have not been shipped.
func prepare(ctx context.Context, world *World, client *sellerapi.Client, rows []parcel) ([]shipment, error) {
	bar := world.bar(len(rows), "reading orders")
	defer func() { _ = bar.Finish() }()
	all := make([]shipment, len(rows))
	numbers := map[string][]string{} // by order
	for i, row := range rows {
		all[i] = shipment{parcel: row, result: "unsent"}
		if number := printed(row.trackingNo); !slices.Contains(numbers[row.orderNo], number) {
			numbers[row.orderNo] = append(numbers[row.orderNo], number)
		}
	}
	orders := map[string]*sellerapi.Order{}
	reships, err := reshipping(ctx, client, rows)
	if err != nil {
		return all, err
	}
	for i := range all {
		one := &all[i]
		switch {
		case one.orderNo == "":
			one.refuse("no order number")
		case printed(one.trackingNo) == "":
			one.refuse("no tracking number")
		case one.itemID == "" && len(numbers[one.orderNo]) > 1:
			one.refuse("several numbers for one order: a column item_id has to say what is in which parcel")
		case isID(one.itemID) && !reships[one.orderNo]:
			one.itemIDs, one.result = []string{one.itemID}, "ready"
		default:
			order, err := orderOf(ctx, client, orders, one.orderNo)
			if err != nil {
				return all, err
			}
			one.choose(order)
		}
		_ = bar.Add(1)
	}
	return all, nil
}

// orderOf reads an order once; nil if it does not exist.
func orderOf(ctx context.Context, client *sellerapi.Client, known map[string]*sellerapi.Order, number string) (*sellerapi.Order, error) {
	if order, read := known[number]; read {
		return order, nil
	}
	order, err := client.GetOrder(ctx, number)
	switch {
	case errors.Is(err, sellerapi.CodeOrderNotFound):
		known[number] = nil
	case err != nil:
		return nil, err
	default:
		known[number] = &order
	}
	return known[number], nil
}

// reshipping returns the orders with an exchange whose replacement is to go out, so that rows with an item_id do not take it: the server
// would ship it without ending the exchange. The replacements of other exchanges it refuses itself. Without the scope for
// claims nothing is known of them, and rows are sent as they are.
func reshipping(ctx context.Context, client *sellerapi.Client, rows []parcel) (map[string]bool, error) {
	orders := map[string]bool{}
	if !slices.ContainsFunc(rows, func(row parcel) bool { return isID(row.itemID) }) {
		return orders, nil
	}
	filter := sellerapi.ClaimFilter{Type: sellerapi.ClaimExchange, Status: sellerapi.ClaimReshipping, Limit: 100}
	for claim, err := range client.Claims(ctx, filter) {
		switch {
		case errors.Is(err, sellerapi.CodeScopeForbidden):
			return orders, nil
		case err != nil:
			return nil, err
		}
		orders[claim.OrderNo] = true
	}
	return orders, nil
}

// isID reports whether a text is an item_id, which is looked up only in an order with an exchange.
func isID(text string) bool { return idForm.MatchString(text) }

var idForm = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func (s *shipment) refuse(why string) { s.result, s.why = "refused", why }

// The states of items that a shipment can still be registered for, and those in which the same shipment again counts as done.
var (
	openStates = []sellerapi.ItemStatus{sellerapi.ItemPaid, sellerapi.ItemPreparing}
	doneStates = []sellerapi.ItemStatus{sellerapi.ItemShipping, sellerapi.ItemDelivered, sellerapi.ItemConfirmed}
)

// choose selects the items of an order that are shipped with the row: the one that it names, or all that have not been shipped. It
// includes items that are already shipped with the row's number, so that the same file can be sent again, unless they have ended: these
// keep their number, and the server would refuse the parcel. It leaves out the replacement of an exchange that has not been
// shipped: only reship of the claim ends the exchange.
func (s *shipment) choose(order *sellerapi.Order) {
	if order == nil {
		s.refuse("no such order")
		return
	}
	var claim, ended string
	for _, item := range order.Items {
		if s.itemID != "" && s.itemID != item.ItemCode && s.itemID != item.ItemID {
			continue
		}
		open := slices.Contains(openStates, item.ItemStatus)
		numbered := item.TrackingNo != nil && printed(*item.TrackingNo) == printed(s.trackingNo)
		switch {
		case open && item.IsExchange:
			claim = orDash(item.ExchangeClaimNo)
		case s.itemID != "" || open || numbered && slices.Contains(doneStates, item.ItemStatus):
			s.itemIDs = append(s.itemIDs, item.ItemID)
		case numbered:
			ended = string(item.ItemStatus)
		}
	}
	switch {
	case len(s.itemIDs) > 0:
		s.result = "ready"
	case claim != "":
		s.refuse("the replacement of an exchange goes out with reship of the claim " + claim)
	case s.itemID != "":
		s.refuse("the order has no item " + s.itemID)
	case ended != "":
		s.refuse("what went out with this number has ended: " + ended)
	default:
		s.refuse("nothing of the order can go out")
	}
}

// printed returns a tracking number without the separators that it is printed with.
func printed(number string) string {
	return strings.NewReplacer(" ", "", "-", "", ".", "").Replace(strings.ToUpper(number))
}

// writeResult writes the outcome of each row as CSV that spreadsheets can read.
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
