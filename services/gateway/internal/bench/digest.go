package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"text/tabwriter"
	"time"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/allinone/launch"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/worst"
)

// ErrMissed says that a result missed its limit.
var ErrMissed = errors.New("a limit is missed")

// DigestMost is the maximum time to compute the fingerprint of the largest body, whatever its content.
const DigestMost = 40 * time.Millisecond

// digestRow is the number of fingerprints per measurement, because the scheduler's accounting lags by a few milliseconds. The minimum of
// the rounds counts: other processes on the machine can only add to it.
const digestRow = 8

// digest prints the cost of the fingerprints of the worst bodies, and returns ErrMissed if one exceeds the limit.
func (b *bench) digest(ctx context.Context) error {
	largestBody := int(operation.LargestBody())
	b.progress("fingerprints of the worst bodies of %d MiB", largestBody>>20)
	b.print("\nfingerprint of a body of %d MiB, at most %s:", largestBody>>20, b.DigestMost)
	table := tabwriter.NewWriter(b.Out, 0, 0, 2, ' ', 0)
	routed := idempotency.Routed{Method: "POST", Template: "/open/v1/orders/batch/shipment"}
	missed := 0
	for _, body := range worst.Bodies(largestBody) {
		least, err := leastTime(max(b.Rounds, 1), func() { idempotency.NewFingerprint(routed, body.Text) })
		if err != nil {
			return err
		}
		verdict := "held"
		if least > b.DigestMost {
			verdict = "MISSED"
			missed++
		}
		_, _ = fmt.Fprintf(table, "  %s\t%.1f ms\t%s\n", body.Name, float64(least)/float64(time.Millisecond), verdict)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if err := table.Flush(); err != nil || missed == 0 {
		return err
	}
	return fmt.Errorf("%w: %d bodies", ErrMissed, missed)
}

// leastTime returns the least CPU time of this process for do over the given number of rounds.
func leastTime(rounds int, do func()) (time.Duration, error) {
	least := time.Duration(math.MaxInt64)
	for range rounds {
		before, err := launch.CPU(os.Getpid())
		if err != nil {
			return 0, err
		}
		for range digestRow {
			do()
		}
		after, err := launch.CPU(os.Getpid())
		if err != nil {
			return 0, err
		}
		least = min(least, (after-before)/digestRow)
	}
	return least, nil
}
