package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/schollz/progressbar/v3"

	sellerapi "sellerapi.dev/proto/clients/go"
)

type syncCommand struct {
	DB     string        `name:"db" help:"The SQLite file; it is made when it is not there." default:"seller.db" type:"path"`
	Lists  []string      `name:"only" help:"Some of orders, claims, inquiries." placeholder:"orders" enum:"orders,claims,inquiries"`
	Follow bool          `help:"Go on until Ctrl-C, with a round every few minutes."`
	Every  time.Duration `help:"How often, with --follow." default:"5m"`
}

// Validate implements an interface of kong.
func (s *syncCommand) Validate() error {
	if s.Every < time.Second {
		return errors.New("--every: the time must be at least 1s")
	}
	return nil
}

// Help implements kong.HelpProvider.
func (syncCommand) Help() string {
	return "The first round takes everything, the next ones what changed. A round that was interrupted goes on where it stopped. " +
		"Other programs can read the file meanwhile; where they lock it, sync waits.\n\n" +
		"  sellerapi sync --db seller.db\n  sellerapi sync --follow --every 2m\n" +
		"  sqlite3 seller.db \"select order_no, product_name from order_items where item_status = 'paid'\""
}

type round struct {
	list string
	do   func(context.Context) (sellerapi.Round, error)
}

// Run runs the command.
func (s *syncCommand) Run(ctx context.Context, world *World, all *commands) (err error) {
	client, err := all.client(world)
	if err != nil {
		return err
	}
	db, err := openDatabase(ctx, world, s.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rounds := s.rounds(client, db, world)
	for {
		begun := world.Clock.Now()
		err := doRounds(ctx, world, rounds, s.Follow)
		switch {
		case s.Follow && ctx.Err() != nil:
			return nil // as requested
		case err != nil || !s.Follow:
			return err
		}
		if world.Clock.Wait(ctx, s.Every-world.Clock.Now().Sub(begun)) != nil {
			return nil
		}
	}
}

// doRounds does one round of every list. With follow, a temporary failure is printed and left to the next round.
func doRounds(ctx context.Context, world *World, rounds []round, follow bool) error {
	for _, one := range rounds {
		done, err := one.do(ctx)
		if err != nil && ctx.Err() == nil && follow && sellerapi.Temporary(err) {
			say(world.Err, "%-9s again later: %v", one.list, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", one.list, err)
		}
		say(world.Out, "%-9s %d", one.list, done.Records)
	}
	return nil
}

func (s *syncCommand) rounds(client *sellerapi.Client, db database, world *World) []round {
	all := []round{
		roundOf(world, db, "orders", orderEntry, client.SyncOrders),
		roundOf(world, db, "claims", claimEntry, client.SyncClaims),
		roundOf(world, db, "inquiries", inquiryEntry, client.SyncInquiries),
	}
	return slices.DeleteFunc(all, func(one round) bool { return len(s.Lists) > 0 && !slices.Contains(s.Lists, one.list) })
}

// roundOf returns the round of a list, with a progress bar that moves as pages are stored.
func roundOf[T any](world *World, db database, list string, of func(T) entry,
	open func(func(context.Context) (sellerapi.SyncState, error),
		func(context.Context, []T, sellerapi.SyncState) error) *sellerapi.Sync[T],
) round {
	stored := store(db, list, of)
	return round{list, func(ctx context.Context) (sellerapi.Round, error) {
		bar := world.bar(-1, list)
		defer func() { _ = bar.Finish() }()
		return open(db.load(list), func(ctx context.Context, records []T, state sellerapi.SyncState) error {
			_ = bar.Add(len(records))
			return stored(ctx, records, state)
		}).Round(ctx)
	}}
}

// bar returns a progress bar on a terminal, and an invisible one elsewhere. A most of -1 means unknown. The bar is drawn at once,
// because the first response may be the last, and only when it advances: a bar that redraws concurrently would overwrite the
// program's output.
func (w *World) bar(most int, what string) *progressbar.ProgressBar {
	out := io.Discard
	if w.Terminal {
		out = w.Err
	}
	return progressbar.NewOptions(most, progressbar.OptionSetWriter(out), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetRenderBlankState(true), progressbar.OptionSetSpinnerChangeInterval(0))
}
