package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	sellerapi "sellerapi.dev/proto/clients/go"
)

type syncCommand struct {
	DB     string        `name:"db" help:"The SQLite file; it is made when it is not there." default:"seller.db" type:"path"`
	Lists  []string      `name:"only" help:"Some of orders, claims, inquiries." placeholder:"orders" enum:"orders,claims,inquiries"`
	Follow bool          `help:"Go on until Ctrl-C: what changes is stored within seconds."`
	Every  time.Duration `help:"How often, with --follow, where the server cannot wait for changes." default:"5m"`
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
	return "The first round takes everything, the next ones what changed. A page and the position after it are stored together, " +
		"so a copy that was interrupted goes on exactly where it stopped. Other programs can read the file meanwhile; where they " +
		"lock it, sync waits.\n\n" +
		"  sellerapi sync --db seller.db\n  sellerapi sync --follow --every 2m\n" +
		"  sqlite3 seller.db \"select order_no, product_name from order_items where item_status = 'paid'\""
}

// copied is a list of which a copy is kept.
type copied struct {
	list string
	// round does one round, with a progress bar.
	round func(context.Context) (sellerapi.Round, error)
	// follow does rounds until the context ends or one fails for good, and calls back after each.
	follow func(context.Context, func(sellerapi.Round)) error
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
	lists := s.lists(client, db, world)
	if s.Follow {
		return follow(ctx, world, lists)
	}
	for _, one := range lists {
		done, err := one.round(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", one.list, err)
		}
		say(world.Out, "%-9s %d", one.list, done.Records)
	}
	return nil
}

// follow follows all lists at once, because the server holds the calls of each, until the context ends, which is as requested, or
// one list fails for good.
func follow(ctx context.Context, world *World, lists []copied) error {
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	for _, one := range lists {
		all.Go(func() {
			if err := one.follow(running, told(running, world, one.list)); running.Err() == nil {
				stop(fmt.Errorf("%s: %w", one.list, err))
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return context.Cause(running)
}

// told returns a function that prints rounds: the first one, those that stored something, and those that failed for now.
func told(ctx context.Context, world *World, list string) func(sellerapi.Round) {
	first := true
	return func(done sellerapi.Round) {
		switch {
		case done.Err == nil && (first || done.Records > 0):
			say(world.Out, "%-9s %d", list, done.Records)
			first = false
		case done.Err != nil && ctx.Err() == nil && sellerapi.Temporary(done.Err):
			say(world.Err, "%-9s again later: %v", list, done.Err)
		}
	}
}

func (s *syncCommand) lists(client *sellerapi.Client, db database, world *World) []copied {
	all := []copied{
		copyOf(s, world, db, "orders", orderEntry, client.SyncOrders),
		copyOf(s, world, db, "claims", claimEntry, client.SyncClaims),
		copyOf(s, world, db, "inquiries", inquiryEntry, client.SyncInquiries),
	}
	return slices.DeleteFunc(all, func(one copied) bool { return len(s.Lists) > 0 && !slices.Contains(s.Lists, one.list) })
}

func copyOf[T any](s *syncCommand, world *World, db database, list string, of func(T) entry,
	open func(func(context.Context) (sellerapi.SyncState, error),
		func(context.Context, []T, sellerapi.SyncState) error) *sellerapi.Sync[T],
) copied {
	stored := store(db, list, of)
	round := func(ctx context.Context) (sellerapi.Round, error) {
		bar := world.bar(-1, list)
		defer func() { _ = bar.Finish() }()
		return open(db.load(list), func(ctx context.Context, records []T, state sellerapi.SyncState) error {
			_ = bar.Add(len(records))
			return stored(ctx, records, state)
		}).Round(ctx)
	}
	follow := func(ctx context.Context, after func(sellerapi.Round)) error {
		rounds := open(db.load(list), stored)
		rounds.Every, rounds.AfterRound = s.Every, after
		return rounds.Run(ctx)
	}
	return copied{list, round, follow}
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
