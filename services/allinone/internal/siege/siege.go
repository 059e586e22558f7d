package siege

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"time"

	"sellerapi.dev/services/allinone/internal/child"
	"sellerapi.dev/services/allinone/internal/up"
)

// Options configure a siege.
type Options struct {
	// Dir is where the system keeps its data during the siege; it is created, and removed at
	// the end.
	Dir string
	// Orders is the number of orders in the marketplace.
	Orders int
	// Rounds is how often control and attack are measured in turns; the medians are compared.
	Rounds int
	// Calls is how many refused calls each side makes in a round.
	Calls int
	// Connections is how many connections an attacker holds open at once.
	Connections int
	// Neighbors is how many keys of other sellers make calls while one key makes its costliest
	// calls, and Time is for how long.
	Neighbors int
	Time      time.Duration
	// Out receives the table, Progress the progress messages.
	Out, Progress io.Writer
}

// siege is a siege in progress.
type siege struct {
	Options
	system  *child.Child
	address string
	keys    keys
}

// Run runs all attacks, prints the bars and returns ErrMissed when one is missed.
func Run(ctx context.Context, options Options) (err error) {
	if err := os.MkdirAll(options.Dir, 0o711); err != nil { //nolint:gosec // servers of a root user pass through
		return fmt.Errorf("siege: %w", err)
	}
	defer func() { err = errors.Join(err, up.Forget(options.Dir)) }()
	system, err := child.Start(ctx, options.Dir, []string{fmt.Sprintf("--orders=%d", options.Orders)}, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, system.Stop()) }()
	s := &siege{Options: options, system: system}
	bars, err := s.run(ctx)
	if err != nil {
		return err
	}
	return verdict(options.Out, bars)
}

// run measures every bar.
func (s *siege) run(ctx context.Context) ([]bar, error) {
	gateway, err := url.Parse(s.system.Env.GatewayURL)
	if err != nil {
		return nil, err
	}
	s.address = gateway.Host
	if s.keys, err = s.issue(ctx); err != nil {
		return nil, err
	}
	var bars []bar
	for _, attack := range []struct {
		what string
		run  func(context.Context) ([]bar, error)
	}{
		{"refused calls", s.refusals}, {"bodies that never arrive", s.silence}, {"unfinished bodies", s.unfinished},
		{"the memory for bodies", s.budget}, {"the maximum permitted load of one key", s.neighbors},
	} {
		s.say("%s", attack.what)
		measured, err := attack.run(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", attack.what, err)
		}
		bars = append(bars, measured...)
	}
	return bars, nil
}

func (s *siege) say(format string, args ...any) {
	_, _ = fmt.Fprintf(s.Progress, format+"\n", args...)
}
