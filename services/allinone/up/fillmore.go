package up

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"time"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/services/allinone/envfile"
	"sellerapi.dev/services/allinone/rundir"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/sandbox/market"
)

var errNotRunning = errors.New("no stack runs here: start one with `make up` first")

// dialTimeout bounds a connection and its handshake. It allows for busy machines and forwarded ports.
const dialTimeout = 10 * time.Second

// FillOptions say with what a running system is filled.
type FillOptions struct {
	// RunDir is the run directory of the running system.
	RunDir string
	// Orders, Sellers and Claims are how many of each there should be; A and B are among the sellers, and claims are made
	// on orders of their own, with times near Base.
	Orders, Sellers, Claims int
	// Seed and Base, the time of the newest order, make the orders reproducible.
	Seed uint64
	Base time.Time
	// TLS says how to connect to services whose URLs begin with https.
	TLS certificate.Client
	// Out receives the result, Progress the progress of the fill.
	Out, Progress io.Writer
}

// Fill adds orders and claims to the system that runs in the run directory. Filling again with the same options adds what
// is missing.
func Fill(ctx context.Context, options FillOptions) error {
	env, err := running(options.RunDir)
	if err != nil {
		return err
	}
	if options.Sellers < 2 {
		return errors.New("at least two sellers are required, A and B")
	}
	dial, err := options.TLS.Dialer(&net.Dialer{Timeout: dialTimeout}, slog.New(slog.NewTextHandler(options.Progress, nil)))
	if err != nil {
		return err
	}
	marketplace := &marketplace{
		keys: stack.Keys(env.KeysRPCURL, env.RPCToken, dial), intake: stack.Intake(env.OrdersRPCURL, env.RPCToken, dial),
		claims: stack.ClaimIntake(env.ClaimsRPCURL, env.RPCToken, dial),
	}
	known := parties{A: party{ID: env.SellerAID, Name: "달빛상회"}, B: party{ID: env.SellerBID, Name: "바른농원"}}
	sellers, err := marketplace.registered(ctx, known, options.Seed, options.Sellers-2)
	if err != nil {
		return err
	}
	trade, err := market.New(market.Plan{Seed: options.Seed, Base: options.Base.UTC(), Orders: options.Orders, Sellers: sellers})
	if err != nil {
		return err
	}
	report, err := trade.Fill(ctx, marketplace.intake, market.FillOptions{Progress: options.Progress})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(options.Out, "%d orders placed (%d existed, %d conflicts) with %d lines in %s: %.0f orders per second\n",
		report.Placed, report.AlreadyThere, report.Conflicts, report.Lines, report.Took.Round(time.Millisecond), report.PerSecond())
	if err != nil || options.Claims == 0 {
		return err
	}
	if err := trade.FillClaims(ctx, market.Intakes{Orders: marketplace.intake, Claims: marketplace.claims},
		options.Claims); err != nil {
		return err
	}
	_, err = fmt.Fprintf(options.Out, "%d claims exist, each on a separate order\n", options.Claims)
	return err
}

func running(path string) (envfile.Values, error) {
	dir, err := rundir.Open(path)
	if err != nil {
		return envfile.Values{}, err
	}
	text, err := dir.Read(envfile.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return envfile.Values{}, errNotRunning
	}
	if err != nil {
		return envfile.Values{}, err
	}
	return envfile.Parse(text)
}
