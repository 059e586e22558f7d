package jobs

import (
	"context"
	"embed"
	"time"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry"
)

//go:embed queries/*.sql
var queryFiles embed.FS

// queries are the statements of this package.
var queries = postgres.MustLoadQueries(queryFiles)

// reportEvery is the time between two looks at what is under way.
const reportEvery = 30 * time.Second

// reported are the gauges that a statement each brings up to date.
var reported = map[string]telemetry.Metric{
	"CountJobs": telemetry.JobsQueued, "CountOrders": telemetry.OrdersOpen, "AgeOfDeadlines": telemetry.DeadlineOverdue,
}

// keepReporting tells how much is under way until ctx ends.
func (r *Runner) keepReporting(ctx context.Context) {
	for {
		for query, metric := range reported {
			if err := postgres.SetGauge(ctx, r.pool, r.tel.Gauge(metric), queries.SQL(query)); err != nil && ctx.Err() == nil {
				r.tel.Logger.WarnContext(ctx, "not counted", "metric", metric.Name, "error", err)
			}
		}
		if !pause(ctx, reportEvery) {
			return
		}
	}
}
