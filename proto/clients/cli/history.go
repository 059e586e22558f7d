package cli

import (
	"context"
	"errors"
	"strings"

	sellerapi "sellerapi.dev/proto/clients/go"
)

type historyCommand struct {
	format
	Number string `arg:"" help:"The number of the order or of the claim."`
}

// Help implements kong.HelpProvider.
func (historyCommand) Help() string {
	return "  sellerapi history 20260314-000123\n  sellerapi history C20260314-000045 --json"
}

// Run runs the command. The number does not tell whether it is that of an order or of a claim, and a key may be for one of them
// only.
func (h *historyCommand) Run(ctx context.Context, world *World, all *commands) error {
	client, err := all.client(world)
	if err != nil {
		return err
	}
	order, err := client.GetOrderHistory(ctx, h.Number)
	if err == nil {
		return printHistory(h.format, world, order.Events, orderEvents)
	}
	if !isElsewhere(err, sellerapi.CodeOrderNotFound) {
		return err
	}
	claim, claimErr := client.GetClaimHistory(ctx, h.Number)
	if claimErr == nil {
		return printHistory(h.format, world, claim.Events, claimEvents)
	}
	if isElsewhere(claimErr, sellerapi.CodeClaimNotFound) {
		return errors.Join(err, claimErr)
	}
	return claimErr
}

// isElsewhere reports whether the record may be one of the other kind.
func isElsewhere(err error, notFound sellerapi.Code) bool {
	return errors.Is(err, notFound) || errors.Is(err, sellerapi.CodeScopeForbidden)
}

func printHistory[T any](f format, world *World, events []T, columns []column[T]) error {
	_, err := printAll(f, world, func(yield func(T, error) bool) {
		for _, event := range events {
			if !yield(event, nil) {
				return
			}
		}
	}, columns)
	return err
}

var orderEvents = []column[sellerapi.OrderEvent]{
	{"changed", func(e sellerapi.OrderEvent) any { return clock(e.ChangedAt) }},
	{"by", func(e sellerapi.OrderEvent) any { return author(e.ChangedBy, e.KeyPrefix) }},
	{"event", func(e sellerapi.OrderEvent) any { return e.Event }},
	{"status", func(e sellerapi.OrderEvent) any { return e.ItemStatus }},
	{"carrier", func(e sellerapi.OrderEvent) any { return e.CarrierName }},
	{"tracking_no", func(e sellerapi.OrderEvent) any { return e.TrackingNo }},
	{"claim_no", func(e sellerapi.OrderEvent) any { return e.ClaimNo }},
	{"outcome", func(e sellerapi.OrderEvent) any { return e.Outcome }},
	{"items", func(e sellerapi.OrderEvent) any { return strings.Join(e.ItemIDs, " ") }},
}

var claimEvents = []column[sellerapi.ClaimEvent]{
	{"changed", func(e sellerapi.ClaimEvent) any { return clock(e.ChangedAt) }},
	{"by", func(e sellerapi.ClaimEvent) any { return author(e.ChangedBy, e.KeyPrefix) }},
	{"event", func(e sellerapi.ClaimEvent) any { return e.Event }},
	{"status", func(e sellerapi.ClaimEvent) any { return e.Status }},
	{"parcel", func(e sellerapi.ClaimEvent) any { return e.Parcel }},
	{"carrier", func(e sellerapi.ClaimEvent) any { return e.CarrierName }},
	{"tracking_no", func(e sellerapi.ClaimEvent) any { return e.TrackingNo }},
	{"refund", func(e sellerapi.ClaimEvent) any { return e.Refund }},
	{"refund_status", func(e sellerapi.ClaimEvent) any { return e.RefundStatus }},
	{"amount", func(e sellerapi.ClaimEvent) any { return e.Amount }},
}

// author returns who caused an event, with the beginning of the key that was used.
func author(by sellerapi.ChangedBy, key string) string {
	return strings.TrimSpace(string(by) + " " + key)
}
