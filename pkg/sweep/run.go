package sweep

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/telemetry"
)

const (
	outcomeDone  = "done"
	outcomeRetry = "retry"
	outcomePanic = "panic"
)

// run does an item, with a span in the trace of the request that caused it and with metrics.
func (s *Sweeper) run(ctx context.Context, item Item) error {
	ctx, cancel := within(ctx)
	defer cancel()
	ctx, span := s.tel.TracerProvider.Tracer("sellerapi.dev/pkg/sweep").
		Start(telemetry.ContinueTrace(ctx, item.Traceparent), "job "+s.Name, trace.WithSpanKind(trace.SpanKindConsumer))
	defer span.End()
	item.About.Mark(ctx)
	begun := time.Now()
	err := guard(func() error { return item.Do(ctx) })
	outcome := outcomeOf(err)
	if err != nil {
		span.SetStatus(codes.Error, outcome)
	}
	s.tel.Histogram(telemetry.JobDuration).WithLabelValues(s.Name).Observe(time.Since(begun).Seconds())
	s.tel.Counter(telemetry.JobRuns).WithLabelValues(s.Name, outcome).Inc()
	return err
}

func outcomeOf(err error) string {
	switch {
	case err == nil:
		return outcomeDone
	case errors.Is(err, errPanic):
		return outcomePanic
	default:
		return outcomeRetry
	}
}

// within returns the context of one item. It times out, and ends soon after the sweep is stopped: items in progress are
// finished rather than left for another process.
func within(ctx context.Context) (context.Context, context.CancelFunc) {
	working, cancel := context.WithTimeout(context.WithoutCancel(ctx), itemTimeout)
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-working.Done():
		case <-time.After(stopTimeout):
			cancel()
		}
	})
	return working, func() { stop(); cancel() }
}
