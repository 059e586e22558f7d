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

// ErrMissed says that a bar was missed.
var ErrMissed = errors.New("a bar is missed")

// DigestMost is how long it may take to find out of the largest body what "same content" is, whatever the client has written.
const DigestMost = 40 * time.Millisecond

// digestRow is how many fingerprints of a body are made in a row, because the scheduler's account is some milliseconds late. The least of
// the rounds counts: what others do on the machine can only add to it.
const digestRow = 8

// digest prints what the fingerprints of the worst bodies cost, and is ErrMissed when one costs more than it may.
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

// leastTime is the least processor time of this process for something that is done in so many rounds.
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
