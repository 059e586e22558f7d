package bench

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/worst"
)

// ErrMissed says that a bar was missed.
var ErrMissed = errors.New("a bar is missed")

const (
	// largestBody is the largest that is admitted.
	largestBody = 4 << 20
	// DigestMost is how long it may take to find out of such a body what "same content" is, whatever the client has written.
	DigestMost = 40 * time.Millisecond
)

// digest prints how long the fingerprints of the worst bodies take, and is ErrMissed when one takes longer than it may. The best of the
// rounds counts, because others work on the machine as well.
func (b *bench) digest(ctx context.Context) error {
	b.progress("fingerprints of the worst bodies of %d MiB", largestBody>>20)
	b.print("\nfingerprint of a body of %d MiB, at most %s:", largestBody>>20, b.DigestMost)
	table := tabwriter.NewWriter(b.Out, 0, 0, 2, ' ', 0)
	routed := idempotency.Routed{Method: "POST", Template: "/open/v1/orders/batch/shipment"}
	missed := 0
	for _, body := range worst.Bodies(largestBody) {
		least := time.Duration(0)
		for range max(b.Rounds, 1) {
			began := time.Now()
			idempotency.NewFingerprint(routed, body.Text)
			if took := time.Since(began); least == 0 || took < least {
				least = took
			}
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
