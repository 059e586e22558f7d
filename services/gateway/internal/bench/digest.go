package bench

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/launch/goal"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/worst"
)

// DigestMost is the maximum time to compute the fingerprint of the largest body, whatever its content, of the time to parse
// that body, or a batch of the same size if that takes longer: a body that is refused at its beginning has no time that can be
// measured.
const DigestMost = 4.0

// digestRow is the number of fingerprints per measurement, because the scheduler's accounting lags by a few milliseconds. The
// minimum of the rounds counts: other processes on the machine can only add to it.
const digestRow = 8

// digest prints the cost of the fingerprints of the worst bodies beside that of parsing them, and adds a goal for each.
func (b *bench) digest(ctx context.Context) error {
	largestBody := int(operation.LargestBody())
	b.progress("fingerprints of the worst bodies of %d MiB", largestBody>>20)
	b.print("\nfingerprint of a body of %d MiB, and the time to parse it:", largestBody>>20)
	table := tabwriter.NewWriter(b.Out, 0, 0, 2, ' ', 0)
	routed := idempotency.Routed{Method: "POST", Template: "/open/v1/orders/batch/shipment"}
	batch := batchOf(largestBody)
	least, err := leastTime(max(b.Rounds, 1), func() { parse(batch) })
	if err != nil {
		return err
	}
	for _, body := range worst.Bodies(largestBody) {
		took, err := leastTime(max(b.Rounds, 1), func() { idempotency.NewFingerprint(routed, body.Text) })
		if err != nil {
			return err
		}
		parsed, err := leastTime(max(b.Rounds, 1), func() { parse(body.Text) })
		if err != nil {
			return err
		}
		bar := goal.Bar{Name: "fingerprint, " + body.Name + ", of parsing", Unit: "x", AtMost: b.DigestMost}
		b.report.Goals = append(b.report.Goals, bar.Compare(float64(took)/float64(max(parsed, least))))
		_, _ = fmt.Fprintf(table, "  %s\t%.1f ms\t%.1f ms\n", body.Name, millis(took), millis(parsed))
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return table.Flush()
}

func batchOf(size int) []byte {
	const entry = `,{"order_no":"20260314-0001842","item_ids":["0195923e-8c11-7b3a-9f02-51d3c0a7e4b1"],"carrier_name":"한진택배","tracking_no":"612345678901"}`
	return slices.Concat([]byte(`{"items":[0`), bytes.Repeat([]byte(entry), size/len(entry)), []byte("]}"))
}

func parse(text []byte) {
	decoder := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	for {
		if _, err := decoder.ReadToken(); err != nil {
			return
		}
	}
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

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
