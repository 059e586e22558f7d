package failover

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"sellerapi.dev/pkg/postgres/distributed/nodes"
)

// ErrMissed is returned when a bar is missed.
var ErrMissed = errors.New("failover: a limit is missed")

// mostAdded is how long clients may go without a success beyond the time that the servers need
// themselves.
const mostAdded = time.Second

// mostPrepared is how long a transaction may stay prepared, and its rows locked, when the nodes that it is on are up again.
const mostPrepared = nodes.RecoveryInterval + mostAdded

type bar struct {
	trial, what string
	// figure is compared with most, text is how it is printed.
	figure, most float64
	text, limit  string
	barless      bool
}

func (b bar) missed() bool { return !b.barless && b.figure > b.most }

func seconds(what string, took, most time.Duration) bar {
	return bar{
		what: what, figure: took.Seconds(), most: most.Seconds(), text: fmt.Sprintf("%.2f s", took.Seconds()),
		limit: fmt.Sprintf("≤ %.2f s", most.Seconds()),
	}
}

func none(what string, count int) bar {
	return bar{what: what, figure: float64(count), text: strconv.Itoa(count), limit: "0"}
}

func shown(what, text string) bar { return bar{what: what, text: text, barless: true} }

func (f *findings) bars(trial string) []bar {
	a := f.account()
	bars := []bar{
		shown("until a plain client writes again", fmt.Sprintf("%.2f s", f.servers.Seconds())),
		seconds("without a successful process call", f.silence(process, true), f.servers+mostAdded),
		seconds("without a successful read", f.silence(read, true), f.servers+mostAdded),
	}
	for _, class := range []class{process, read} {
		if f.hasUnaffected(class) {
			bars = append(bars, seconds(fmt.Sprintf("the same, other sellers: %s", class), f.silence(class, false), mostAdded))
		}
	}
	if f.resolved > 0 {
		bars = append(bars,
			shown("transactions that the server left prepared", strconv.Itoa(f.prepared)),
			seconds("until they were resolved, after it was back", f.resolved, mostPrepared))
	}
	bars = append(bars,
		shown("process calls by status (0: no answer)", fmt.Sprint(f.statuses(process))),
		shown("reads by status", fmt.Sprint(f.statuses(read))),
		shown("process calls acknowledged at once, failed", fmt.Sprintf("%d, %d", a.acknowledged, a.failed)),
		none("succeeded and lost", a.lost), none("done twice", a.doubled), none("orders whose parts do not agree", f.divided),
		none("answers of 500 or more stored", f.stored), none("failed calls that did not succeed afterwards", a.refused))
	for i := range bars {
		bars[i].trial = trial
	}
	return bars
}

func verdict(out io.Writer, bars []bar) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "trial\tfigure\tmeasured\tbar\t")
	for _, b := range bars {
		limit, verdict := b.limit, "held"
		switch {
		case b.barless:
			limit, verdict = "none", ""
		case b.missed():
			verdict = "MISSED"
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", b.trial, b.what, b.text, limit, verdict)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if slices.ContainsFunc(bars, bar.missed) {
		return ErrMissed
	}
	return nil
}
