package siege

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"time"

	"sellerapi.dev/services/allinone/up"
	"sellerapi.dev/services/lab/child"
	"sellerapi.dev/services/lab/report"
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

type siege struct {
	Options
	system  *child.Child
	address string
	keys    keys
}

// Run runs all attacks and prints the goals of those that could be measured. An attack that fails ends no other one; the error
// is that of all attacks, and report.ErrMissed when a bar is missed.
func Run(ctx context.Context, options Options) error {
	s := &siege{Options: options}
	goals, err := s.run(ctx, nil, []attack{
		{"refused calls", s.refusals},
		{"bodies that never arrive", s.silence},
		{"the memory for bodies", s.budget},
		{"the maximum permitted load of one key", s.neighbors},
	})
	memory, failed := s.run(ctx, collectedLikeGateway, []attack{{"unfinished bodies", s.unfinished}})
	measured := report.New(options.Out)
	measured.Add(append(goals, memory...)...)
	return errors.Join(err, failed, measured.Finish(""))
}

// collectedLikeGateway lets as much garbage gather as in a gateway that runs alone: the collector works in proportion to the
// memory in use, of which all four services in one process have four times as much.
var collectedLikeGateway = []string{"GOGC=25"}

type attack struct {
	what string
	run  func(context.Context) ([]report.Goal, error)
}

func (s *siege) run(ctx context.Context, environment []string, attacks []attack) (goals []report.Goal, err error) {
	if err := os.MkdirAll(s.Dir, 0o711); err != nil { //nolint:gosec // servers of a root user pass through
		return nil, fmt.Errorf("siege: %w", err)
	}
	defer func() { err = errors.Join(err, up.Forget(s.Dir)) }()
	if s.system, err = child.Start(ctx, s.Dir, []string{fmt.Sprintf("--orders=%d", s.Orders)}, environment); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.system.Stop()) }()
	gateway, err := url.Parse(s.system.Env.GatewayURL)
	if err != nil {
		return nil, err
	}
	s.address = gateway.Host
	if s.keys, err = s.issue(ctx); err != nil {
		return nil, err
	}
	for _, a := range attacks {
		s.say("%s", a.what)
		measured, failed := a.run(ctx)
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", a.what, failed))
			continue
		}
		goals = append(goals, measured...)
	}
	return goals, err
}

func (s *siege) say(format string, args ...any) {
	_, _ = fmt.Fprintf(s.Progress, format+"\n", args...)
}
