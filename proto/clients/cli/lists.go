package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	sellerapi "sellerapi.dev/proto/clients/go"
)

type since struct {
	Since time.Duration `help:"Changed within this time, such as 24h." placeholder:"24h"`
}

// Validate implements an interface of kong: a time in the future would be taken for none.
func (s since) Validate() error {
	if s.Since < 0 {
		return errors.New("--since: the time must not be negative")
	}
	return nil
}

func (s since) from(now time.Time) time.Time {
	if s.Since <= 0 {
		return time.Time{}
	}
	return now.Add(-s.Since)
}

type ordersCommand struct {
	listing
	since
	Number string `arg:"" optional:"" help:"The order with this number."`
	Status string `help:"Orders with an item in this state: paid, preparing, shipping, delivered, …"`
	// ShipWithin is nil when the flag is absent; 0 asks for what is late.
	ShipWithin *time.Duration `help:"Orders with an item to be shipped within this time, such as 24h; 0s: by now." placeholder:"24h"`
}

// Help implements kong.HelpProvider.
func (ordersCommand) Help() string {
	return "  sellerapi orders --status paid\n  sellerapi orders --ship-within 24h\n" +
		"  sellerapi orders --since 24h --csv > orders.csv\n  sellerapi orders 20260314-000123 --json"
}

// Run runs the command.
func (o *ordersCommand) Run(ctx context.Context, world *World, all *commands) error {
	client, err := all.client(world)
	if err != nil {
		return err
	}
	found := limited(o.listing, world, client.Orders(ctx, sellerapi.OrderFilter{
		OrderNo: o.Number, ItemStatus: sellerapi.ItemStatus(o.Status), UpdatedAtGte: o.from(world.Clock.Now()), Limit: o.page(),
		ShipByLte: o.shipBy(world.Clock.Now()),
	}))
	count, err := printLines(o.format, world, found)
	if err == nil && count == 0 && o.Number != "" {
		return fmt.Errorf("no order %s is as asked for", o.Number)
	}
	return err
}

func (o *ordersCommand) shipBy(now time.Time) time.Time {
	if o.ShipWithin == nil {
		return time.Time{}
	}
	return now.Add(*o.ShipWithin)
}

// orderLine is an item with its order, the content of a row of a table.
type orderLine struct {
	order sellerapi.Order
	item  sellerapi.OrderItem
}

// printLines writes a row for each item; as JSON it writes whole orders, so that nothing is lost.
func printLines(f format, world *World, orders iter.Seq2[sellerapi.Order, error]) (int, error) {
	if f.JSON {
		return printAll(f, world, orders, nil)
	}
	lines := func(yield func(orderLine, error) bool) {
		for order, err := range orders {
			if err != nil {
				yield(orderLine{}, err)
				return
			}
			for _, item := range order.Items {
				if !yield(orderLine{order, item}, nil) {
					return
				}
			}
		}
	}
	return printAll(f, world, lines, []column[orderLine]{
		{"order_no", func(l orderLine) any { return l.order.OrderNo }},
		{"item_id", func(l orderLine) any { return l.item.ItemID }},
		{"status", func(l orderLine) any { return l.item.ItemStatus }},
		{"product", func(l orderLine) any { return strings.TrimSpace(l.item.ProductName + " " + l.item.OptionName) }},
		{"quantity", func(l orderLine) any { return l.item.Quantity }},
		{"paid", func(l orderLine) any { return l.item.LinePaidAmount }},
		{"recipient", func(l orderLine) any { return orEmpty(l.order.RecipientName) }},
		{"carrier", func(l orderLine) any { return orEmpty(l.item.CarrierName) }},
		{"tracking_no", func(l orderLine) any { return orEmpty(l.item.TrackingNo) }},
		{"ship_by", func(l orderLine) any { return clockOrEmpty(l.item.ShipBy) }},
		{"updated", func(l orderLine) any { return clock(l.order.UpdatedAt) }},
	})
}

type claimsCommand struct {
	listing
	since
	Status string `help:"Claims in this state: requested, approved, collecting, …"`
	Type   string `help:"Claims of this type: cancel, return or exchange."`
}

// Help implements kong.HelpProvider.
func (claimsCommand) Help() string {
	return "  sellerapi claims --status requested\n  sellerapi claims --type return --json"
}

// Run runs the command.
func (c *claimsCommand) Run(ctx context.Context, world *World, all *commands) error {
	client, err := all.client(world)
	if err != nil {
		return err
	}
	found := limited(c.listing, world, client.Claims(ctx, sellerapi.ClaimFilter{
		Status: sellerapi.ClaimStatus(c.Status), Type: sellerapi.ClaimType(c.Type),
		UpdatedAtGte: c.from(world.Clock.Now()), Limit: c.page(),
	}))
	_, err = printAll(c.format, world, found, []column[sellerapi.Claim]{
		{"claim_no", func(c sellerapi.Claim) any { return c.ClaimNo }},
		{"order_no", func(c sellerapi.Claim) any { return c.OrderNo }},
		{"type", func(c sellerapi.Claim) any { return c.Type }},
		{"status", func(c sellerapi.Claim) any { return c.Status }},
		{"reason", func(c sellerapi.Claim) any { return c.ReasonCode }},
		{"can", func(c sellerapi.Claim) any { return actions(c.AvailableActions) }},
		{"requested", func(c sellerapi.Claim) any { return clock(c.RequestedAt) }},
		{"updated", func(c sellerapi.Claim) any { return clock(c.UpdatedAt) }},
	})
	return err
}

func actions(all []sellerapi.ClaimAction) string {
	names := make([]string, len(all))
	for i, one := range all {
		names[i] = string(one)
	}
	return strings.Join(names, " ")
}

type inquiriesCommand struct {
	listing
	since
	Status string `help:"Inquiries in this state: waiting or answered."`
}

// Help implements kong.HelpProvider.
func (inquiriesCommand) Help() string { return "  sellerapi qna --status waiting" }

// Run runs the command.
func (q *inquiriesCommand) Run(ctx context.Context, world *World, all *commands) error {
	client, err := all.client(world)
	if err != nil {
		return err
	}
	found := limited(q.listing, world, client.Inquiries(ctx, sellerapi.InquiryFilter{
		Status: sellerapi.InquiryStatus(q.Status), UpdatedAtGte: q.from(world.Clock.Now()), Limit: q.page(),
	}))
	content := func(q sellerapi.Inquiry) any { return shortened(q.Body) }
	if q.CSV {
		content = func(q sellerapi.Inquiry) any { return q.Body }
	}
	_, err = printAll(q.format, world, found, []column[sellerapi.Inquiry]{
		{"qna_id", func(q sellerapi.Inquiry) any { return q.QnAID }},
		{"status", func(q sellerapi.Inquiry) any { return q.Status }},
		{"category", func(q sellerapi.Inquiry) any { return q.Category }},
		{"content", content},
		{"updated", func(q sellerapi.Inquiry) any { return clock(q.UpdatedAt) }},
	})
	return err
}

func shortened(text string) string {
	const most = 40
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) <= most {
		return string(line)
	}
	return string(line[:most-1]) + "…"
}
