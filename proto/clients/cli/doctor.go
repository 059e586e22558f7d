package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	sellerapi "sellerapi.dev/proto/clients/go"
)

type doctorCommand struct{}

// Help implements kong.HelpProvider.
func (doctorCommand) Help() string {
	return "Nothing is changed: where a scope for writing is looked for, a request is sent that the server refuses for its " +
		"form.\n\n" +
		"  sellerapi doctor"
}

// skew is how far the clocks may differ without a message; responses contain the server's time to the second.
const skew = 30 * time.Second

type look struct {
	scope string
	call  func(context.Context, *sellerapi.Client, ...sellerapi.CallOption) error
}

// looks are the checks of the scopes of a key. An empty request is refused with VALIDATION_ERROR after the scope
// was checked.
var looks = []look{
	{"orders:read", func(ctx context.Context, c *sellerapi.Client, options ...sellerapi.CallOption) error {
		_, err := c.ListOrders(ctx, sellerapi.OrderFilter{Limit: 1}, options...)
		return err
	}},
	{"orders:write", func(ctx context.Context, c *sellerapi.Client, options ...sellerapi.CallOption) error {
		_, err := c.ShipOrders(ctx, sellerapi.BatchShipmentRequest{Items: []sellerapi.BatchShipmentEntry{}}, options...)
		return err
	}},
	{"claims:read", func(ctx context.Context, c *sellerapi.Client, options ...sellerapi.CallOption) error {
		_, err := c.ListClaims(ctx, sellerapi.ClaimFilter{Limit: 1}, options...)
		return err
	}},
	{"claims:write", func(ctx context.Context, c *sellerapi.Client, options ...sellerapi.CallOption) error {
		_, err := c.RejectClaim(ctx, "doctor", sellerapi.RejectRequest{}, options...)
		return err
	}},
	{"qna:read", func(ctx context.Context, c *sellerapi.Client, options ...sellerapi.CallOption) error {
		_, err := c.ListInquiries(ctx, sellerapi.InquiryFilter{Limit: 1}, options...)
		return err
	}},
	{"qna:write", func(ctx context.Context, c *sellerapi.Client, options ...sellerapi.CallOption) error {
		_, err := c.AnswerInquiry(ctx, "doctor", sellerapi.AnswerRequest{}, options...)
		return err
	}},
}

// Run runs the command.
func (doctorCommand) Run(ctx context.Context, world *World, all *commands) error {
	found, err := all.load(world)
	if err != nil {
		return err
	}
	say(world.Out, "address   %s", found.URL)
	wrong := world.lookAtFile()
	client, err := found.client(all, world, sellerapi.WithRetry(sellerapi.RetryPolicy{Attempts: 2}))
	if err != nil {
		return err
	}
	var read, process sellerapi.ResponseInfo
	var date time.Time
	for i, one := range looks {
		info := &read
		if i%2 == 1 {
			info = &process
		}
		var told sellerapi.ResponseInfo
		err := one.call(ctx, client, sellerapi.Capture(&told))
		if told.Limit > 0 { // a call without its scope is not counted, so its response has no limits
			*info = told
		}
		date = told.Date
		if missing := errors.Is(err, sellerapi.CodeScopeForbidden); missing {
			say(world.Out, "scope     %-13s missing: ask for a key that carries it", one.scope)
			wrong++
			continue
		}
		if err := one.unusable(err); err != nil {
			return err
		}
		say(world.Out, "scope     %-13s yes", one.scope)
	}
	say(world.Out, "limits    reads %d of %d left, rows %d of %d, process calls %d of %d",
		read.Remaining, read.Limit, read.RowsRemaining, read.RowsLimit, process.Remaining, process.Limit)
	wrong += world.lookAtClock(date)
	if wrong > 0 {
		say(world.Out, "%d things are wrong.", wrong)
		return errPartly
	}
	say(world.Out, "All is well.")
	return nil
}

// unusable returns the error if it means that nothing works. The checks for writing expect a refusal of their request by the
// system, which has a code; proxies and firewalls refuse without one.
func (l look) unusable(err error) error {
	var refused *sellerapi.Error
	switch {
	case !errors.As(err, &refused):
		return err
	case refused.Code == "":
		return fmt.Errorf("not an answer of the system; check the address, and proxies and firewalls in front of it: %w", err)
	case strings.HasSuffix(l.scope, ":read") || refused.Status == 401 || sellerapi.Temporary(err):
		return err
	default:
		return nil
	}
}

func (w *World) lookAtFile() int {
	if w.Env("SELLER_API_KEY") != "" {
		say(w.Out, "key       from SELLER_API_KEY")
		return 0
	}
	state, err := os.Stat(w.loginFile())
	if err != nil || state.Mode().Perm()&0o077 == 0 {
		say(w.Out, "key       from %s", w.loginFile())
		return 0
	}
	say(w.Out, "key       others can read %s: chmod 600, and ask for a new key", w.loginFile())
	return 1
}

func (w *World) lookAtClock(server time.Time) int {
	if server.IsZero() {
		say(w.Out, "clock     the server does not tell its time")
		return 0
	}
	differs := w.Clock.Now().Sub(server).Round(time.Second)
	if differs.Abs() <= skew {
		say(w.Out, "clock     as the server's")
		return 0
	}
	say(w.Out, "clock     %s beside the server's: set it, or times of filters miss changes", differs)
	return 1
}
