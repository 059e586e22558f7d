package failover

import (
	"fmt"
	"net/http"
	"time"

	"sellerapi.dev/pkg/postgres/distributed/nodes"
	"sellerapi.dev/services/lab/report"
)

// mostAdded is how long clients may go without a success beyond the time that the servers need
// themselves.
const mostAdded = time.Second

// mostPrepared is how long a transaction may stay prepared, and its rows locked, when the nodes that it is on are up again.
const mostPrepared = nodes.RecoveryInterval + mostAdded

func seconds(what string, took, most time.Duration) report.Goal {
	return report.Bar{Name: what, Unit: "s", AtMost: most.Seconds()}.Compare(took.Seconds())
}

func none(what string, count int) report.Goal { return report.Bar{Name: what}.Compare(float64(count)) }

func (f *findings) goals(trial string) []report.Goal {
	a := f.account()
	goals := []report.Goal{
		report.Shown("until a plain client writes again", f.servers.Seconds(), "s", ""),
		seconds("without a successful process call", f.silence(process, true), f.servers+mostAdded),
		seconds("without a successful read", f.silence(read, true), f.servers+mostAdded),
	}
	for _, class := range []class{process, read} {
		if f.hasUnaffected(class) {
			goals = append(goals, seconds(fmt.Sprintf("the same, other sellers: %s", class), f.silence(class, false), mostAdded))
		}
	}
	if f.resolved > 0 {
		goals = append(goals,
			report.Shown("transactions that the server left prepared", float64(f.prepared), "", ""),
			seconds("until they were resolved, after it was back", f.resolved, mostPrepared))
	}
	goals = append(goals,
		report.Shown("process calls acknowledged at once", float64(a.acknowledged), "", "").
			With("by status (0: no answer) %v", f.statuses(process)),
		report.Shown("reads that succeeded", float64(f.statuses(read)[http.StatusOK]), "", "").
			With("by status %v", f.statuses(read)),
		none("succeeded and lost", a.lost), none("done twice", a.doubled), none("orders whose parts do not agree", f.divided),
		report.Shown("pages stored by clients that read forwards", float64(f.pages), "", ""),
		none("copies of these clients that differ from a full read", f.inexact),
		none("answers of 500 or more stored", f.stored), none("failed calls that did not succeed afterwards", a.refused))
	for i := range goals {
		goals[i].Name = trial + ": " + goals[i].Name
	}
	return goals
}
