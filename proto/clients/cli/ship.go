package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sellerapi "sellerapi.dev/proto/clients/go"
)

type shipCommand struct {
	File           string `arg:"" help:"CSV (UTF-8, UTF-16, CP949) or a workbook (.xlsx)." type:"existingfile"`
	Sheet          string `help:"The sheet of a workbook; otherwise the one that names the columns." placeholder:"NAME"`
	Carrier        string `help:"The carrier of rows that name none." placeholder:"CJ대한통운"`
	AcceptWarnings bool   `help:"Send numbers that do not look like those of their carrier too."`
	DryRun         bool   `help:"Say what would be shipped, as the server decides now, and ship nothing."`
	Result         string `help:"The file that says what became of each row; FILE.result.csv by default, FILE.check.csv with --dry-run." type:"path" placeholder:"FILE"`
}

// Help implements kong.HelpProvider.
func (shipCommand) Help() string {
	return "A row is a parcel of an order: order_no (주문번호), tracking_no (송장번호), carrier (택배사), and item_id (상품주문번호) where only a " +
		"part of the order goes out; other columns do not matter. Sending the same file again is harmless: what was shipped so " +
		"counts as done. " +
		"The replacement of an exchange is left out, and said: reship of its claim ships it.\n\n" +
		"A file corrects no shipment (sellerapi correct does, where you may), so a row is refused unless it is certain: a number " +
		"that a spreadsheet has shortened or rounded, two " +
		"numbers in a cell, a hidden row, an order whose rows disagree. A number that does not look like those of its carrier is " +
		"refused with the " +
		"warning, unless --accept-warnings. Every other row is sent.\n\n" +
		"Of a row that is unknown the answer was lost: its parcel may be registered or not, and sending the file again settles it. " +
		"A row that is unsent was not sent.\n\n" +
		"  sellerapi ship today.xlsx --dry-run\n  sellerapi ship cj.csv --carrier CJ대한통운\n" +
		"  sellerapi ship today.xlsx --sheet 출고 --accept-warnings"
}

type shipment struct {
	parcel
	itemIDs []string
	// result is ready, unsent, shipped, refused, or unknown if there was no answer; why is the reason for the last two, or
	// remarks.
	result, why string
	// open is how many entries with its items have no response yet.
	open int
	// warned reports whether the server warned of what nobody has accepted.
	warned bool
	// leftOut are the items of the order that do not go out with the row, though it names the whole order.
	leftOut []string
}

func (s *shipment) refuse(why string) { s.result, s.why = "refused", why }

func (s *shipment) remark(text string) { s.why = strings.TrimPrefix(s.why+"; "+text, "; ") }

// Run runs the command. Everything of this machine that can fail is tried before the first call.
func (s *shipCommand) Run(ctx context.Context, world *World, all *commands) error {
	client, err := all.client(world)
	if err != nil {
		return err
	}
	var carrier sellerapi.Carrier
	if s.Carrier != "" {
		var wrong string
		if carrier, wrong = readCarrier(s.Carrier); wrong != "" {
			return fmt.Errorf("--carrier: %q %s", s.Carrier, wrong)
		}
	}
	read, err := readParcels(s.File, s.Sheet, carrier)
	if err != nil {
		return fmt.Errorf("%s: %w", s.File, err)
	}
	outcome, ending := ofRun, ".result.csv"
	if s.DryRun {
		outcome, ending = ofCheck, ".check.csv"
	}
	if s.Result == "" {
		s.Result = s.File + ending
	}
	result, err := openResult(s.Result, s.File, outcome)
	if err != nil {
		return err
	}
	shipments, err := s.prepare(ctx, world, client, read.parcels)
	switch {
	case err != nil:
	case s.DryRun:
		err = check(ctx, client, shipments)
	default:
		err = send(ctx, world, client, shipments, result)
	}
	written := errors.Join(result.write(shipments), result.Close())
	complete := report(world, shipments, read.unread)
	switch {
	case written != nil:
		_ = writeCSV(world.Err, result.rows(shipments))
		return errors.Join(err, written)
	case err == nil && !complete:
		err = errPartly
	}
	say(world.Out, "Every row is in %s.", s.Result)
	return err
}

// prepare determines what is shipped with each row, and refuses the rows that the server would refuse or warn of.
func (s *shipCommand) prepare(ctx context.Context, world *World, client *sellerapi.Client, rows []parcel) ([]shipment, error) {
	all := make([]shipment, len(rows))
	numbers := map[string]bool{}
	for i, row := range rows {
		all[i] = shipment{parcel: row, result: "unsent"}
		if checkIdentifier(row.orderNo) == "" { // rows that are wrong too: with which others they are depends on their order
			numbers[row.orderNo] = true
		}
	}
	orders, err := readOrders(ctx, world, client, numbers)
	if err != nil {
		for i := range all {
			if all[i].wrong != "" {
				all[i].refuse(all[i].wrong)
			}
		}
		return all, err
	}
	for i := range all {
		all[i].checkUnread(orders[all[i].orderNo])
		all[i].choose(orders[all[i].orderNo], s.AcceptWarnings)
	}
	refuseContradictions(all, orders)
	return all, nil
}

// report says what became of the rows, and returns whether everything was done. What was not is said on the standard error
// output.
func report(world *World, all []shipment, unread []string) bool {
	counts, warned := map[string]int{}, 0
	for _, one := range all {
		counts[one.result]++
		if one.warned {
			warned++
		}
		if len(one.leftOut) > 0 && one.result != "refused" {
			counts["partly"]++
		}
		if one.why != "" && one.result != "unknown" {
			say(world.Err, "row %d  %s  %s  %s", one.line, one.orderNo, one.result, one.why)
		}
	}
	for _, result := range []string{"ready", "shipped", "refused", "unknown", "unsent", "partly"} {
		to, remark := world.Err, ""
		switch result {
		case "ready", "shipped":
			to = world.Out
		case "unknown":
			remark = "  " + noAnswer
		case "partly":
			remark = "  the rest of the order stays out"
		}
		if counts[result] > 0 {
			say(to, "%-8s %d%s", result, counts[result], remark)
		}
	}
	for _, sheet := range unread {
		say(world.Err, "The sheet %s does not name the columns and was not read; --sheet chooses one.", sheet)
	}
	return counts["refused"]+counts["unknown"]+counts["unsent"]+counts["partly"]+warned+len(unread) == 0
}
