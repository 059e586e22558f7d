package service

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

const (
	// jobsRestart is the time between two attempts to start.
	jobsRestart = time.Second
	// jobsStopTimeout is how long jobs under way may take when the instance ends: a little more than the job client itself
	// grants them.
	jobsStopTimeout = 6 * time.Second
)

// JobClient works jobs; a River client is one.
type JobClient interface {
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
}

// RunJobs works jobs until ctx ends and those under way are done. A start that fails, because the database is away or not
// migrated yet, is tried again: the service answers meanwhile.
func RunJobs(ctx context.Context, client JobClient, log *slog.Logger) {
	working := context.WithoutCancel(ctx) // jobs end by Stop, which waits for them
	for {
		err := client.Start(working)
		if err == nil {
			break
		}
		log.WarnContext(ctx, "jobs wait for the database", "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(jobsRestart):
		}
	}
	<-ctx.Done()
	stopping, cancel := context.WithTimeout(working, jobsStopTimeout)
	defer cancel()
	if err := client.Stop(stopping); err != nil && !errors.Is(err, context.Canceled) {
		log.WarnContext(ctx, "jobs did not stop in time", "error", err)
	}
}
