package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"go.opentelemetry.io/otel/propagation"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/store"
)

// Planner writes jobs. It works none.
type Planner struct {
	client *river.Client[pgx.Tx]
	config Config
	tel    *telemetry.Telemetry
}

// NewPlanner returns a planner that writes next to the tables of the pool.
func NewPlanner(pool *pgxpool.Pool, config Config, tel *telemetry.Telemetry) (*Planner, error) {
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Logger: quiet(tel.Logger)})
	if err != nil {
		return nil, fmt.Errorf("prepare jobs: %w", err)
	}
	return &Planner{client: client, config: config.withDefaults(), tel: tel}, nil
}

// Follow implements store.Follow: a job for each step, refund and alarm, in the transaction of the change.
func (p *Planner) Follow(ctx context.Context, tx store.Tx, plan store.Plan) error {
	metadata, err := p.metadata(ctx)
	if err != nil {
		return err
	}
	var jobs []river.InsertManyParams
	add := func(args river.JobArgs, at time.Time) {
		jobs = append(jobs, river.InsertManyParams{Args: args, InsertOpts: &river.InsertOpts{ScheduledAt: at, Metadata: metadata}})
	}
	for _, step := range plan.Steps {
		add(stepArgs{StepID: step.ID}, step.PlannedAt.Add(p.config.StepDelay))
	}
	for _, refund := range plan.Refunds {
		add(refundArgs{SellerID: refund.SellerID, ClaimNo: refund.ClaimNo, RefundID: refund.ID}, refund.At)
	}
	for _, alarm := range plan.Alarms {
		add(alarmArgs{SellerID: alarm.SellerID, ClaimNo: alarm.ClaimNo, Name: alarm.Name}, alarm.At)
	}
	if _, err := p.client.InsertManyTx(ctx, tx, jobs); err != nil {
		return fmt.Errorf("insert jobs: %w", err)
	}
	return nil
}

// metadata carries the trace of a request into its jobs.
func (p *Planner) metadata(ctx context.Context) ([]byte, error) {
	carried := propagation.MapCarrier{}
	p.tel.Propagator.Inject(ctx, carried)
	metadata, err := json.Marshal(carried)
	if err != nil {
		return nil, fmt.Errorf("carry the trace: %w", err)
	}
	return metadata, nil
}

// traced is the context of a job: that of the request that planned it, as far as traces go.
func traced(ctx context.Context, propagator propagation.TextMapPropagator, metadata []byte) context.Context {
	var fields map[string]any
	if json.Unmarshal(metadata, &fields) != nil {
		return ctx
	}
	carried := propagation.MapCarrier{}
	for name, value := range fields {
		if text, ok := value.(string); ok {
			carried[name] = text
		}
	}
	return propagator.Extract(ctx, carried)
}
