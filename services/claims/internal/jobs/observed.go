package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/telemetry"
)

// observed gives every run of a job its span, in the trace of the request that planned it, and its metrics.
type observed struct {
	river.MiddlewareDefaults
	tel    *telemetry.Telemetry
	tracer trace.Tracer
}

func newObserved(tel *telemetry.Telemetry) *observed {
	return &observed{tel: tel, tracer: tel.TracerProvider.Tracer("sellerapi.dev/services/claims/internal/jobs")}
}

// Work implements rivertype.WorkerMiddleware.
func (o *observed) Work(ctx context.Context, job *rivertype.JobRow, doInner func(context.Context) error) (err error) {
	start := time.Now()
	ctx, span := o.tracer.Start(traced(ctx, o.tel.Propagator, job.Metadata), "job "+job.Kind, trace.WithSpanKind(trace.SpanKindConsumer))
	outcome := "retry" // of a run that panics
	defer func() {
		o.tel.Counter(telemetry.JobRuns).WithLabelValues(job.Kind, outcome).Inc()
		o.tel.Histogram(telemetry.JobDuration).WithLabelValues(job.Kind).Observe(time.Since(start).Seconds())
		span.End()
	}()
	err = doInner(ctx)
	if outcome = outcomeOf(job, err); outcome == "retry" || outcome == "discarded" {
		span.SetStatus(codes.Error, outcome)
	}
	return err
}

// outcomeOf is the metric's word for what becomes of a job.
func outcomeOf(job *rivertype.JobRow, err error) string {
	var snoozed *river.JobSnoozeError
	switch {
	case err == nil:
		return "done"
	case errors.As(err, &snoozed):
		return "snoozed"
	case job.Attempt >= job.MaxAttempts:
		return "discarded"
	default:
		return "retry"
	}
}
