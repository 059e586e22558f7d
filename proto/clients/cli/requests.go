package cli

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	sellerapi "sellerapi.dev/proto/clients/go"
)

type requestsCommand struct {
	listing

	Record    string        `arg:"" optional:"" help:"Calls about the order, claim or inquiry with this number."`
	Since     time.Duration `help:"Calls within this time, such as 24h." placeholder:"24h"`
	Before    time.Duration `help:"Calls longer ago than this time, such as 1h." placeholder:"1h"`
	Key       string        `help:"Calls with the key that begins with these 12 characters." placeholder:"vpk_live_abc"`
	Operation string        `help:"Calls of this operation, such as ship_order."`
	Code      string        `name:"error-code" help:"Calls refused with this code, such as ORDER_ITEM_NOT_SHIPPABLE."`
	RequestID string        `name:"request-id" help:"Calls with this X-Request-Id."`
}

// Help implements kong.HelpProvider.
func (requestsCommand) Help() string {
	return "  sellerapi requests 20260314-000123\n  sellerapi requests --since 1h --error-code VALIDATION_ERROR --json\n" +
		"  sellerapi requests --request-id erp-7f3a9c2e\n\nA call is listed about a second after its answer."
}

// Validate implements an interface of kong: a time in the future would be taken for none.
func (r *requestsCommand) Validate() error {
	if r.Since < 0 || r.Before < 0 {
		return errors.New("--since and --before: the time must not be negative")
	}
	return nil
}

// Run runs the command.
func (r *requestsCommand) Run(ctx context.Context, world *World, all *commands) error {
	client, err := all.client(world)
	if err != nil {
		return err
	}
	now := world.Clock.Now()
	found := limited(r.listing, world, client.Requests(ctx, sellerapi.LoggedRequestFilter{
		RequestedAtGte: ago(now, r.Since), RequestedAtLte: ago(now, r.Before), Key: r.Key, Operation: r.Operation,
		ErrorCode: r.Code, RequestID: r.RequestID, Record: r.Record, Limit: r.page(),
	}))
	_, err = printAll(r.format, world, found, []column[sellerapi.LoggedRequest]{
		{"requested", func(r sellerapi.LoggedRequest) any { return clock(r.RequestedAt) }},
		{"operation", func(r sellerapi.LoggedRequest) any { return r.Operation }},
		{"record", func(r sellerapi.LoggedRequest) any { return orEmpty(r.Record) }},
		{"status", func(r sellerapi.LoggedRequest) any { return r.Status }},
		{"error_code", func(r sellerapi.LoggedRequest) any { return orEmpty(r.ErrorCode) }},
		{"error_data", r.errorData},
		{"idempotency", func(r sellerapi.LoggedRequest) any { return orEmpty(r.Idempotency) }},
		{"rows", func(r sellerapi.LoggedRequest) any { return r.Rows }},
		{"ms", func(r sellerapi.LoggedRequest) any { return r.DurationMs }},
		{"key", func(r sellerapi.LoggedRequest) any { return r.Key }},
		{"query", func(r sellerapi.LoggedRequest) any { return orEmpty(r.Query) }},
		{"request_id", func(r sellerapi.LoggedRequest) any { return r.RequestID }},
	})
	return err
}

// errorData returns what is kept of error_data as JSON, in a table its beginning.
func (r *requestsCommand) errorData(logged sellerapi.LoggedRequest) any {
	if logged.ErrorData == nil {
		return ""
	}
	text, err := json.Marshal(logged.ErrorData)
	if err != nil {
		return ""
	}
	if r.CSV {
		return string(text)
	}
	return shortened(string(text))
}

// ago returns the time that is so long ago; the zero time for 0.
func ago(now time.Time, age time.Duration) time.Time {
	if age == 0 {
		return time.Time{}
	}
	return now.Add(-age)
}
