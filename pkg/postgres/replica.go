package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
)

const (
	// replicaTimeout bounds reading a page from a replica, including connecting, before the primary is used.
	replicaTimeout = time.Second
	// replicaRest is the back-off after a replica failed; then one page probes it.
	replicaRest = time.Second
)

// ReplicaConfig names a streaming replica that may serve lists.
type ReplicaConfig struct {
	URL secret.Text `name:"database-replica-url" env:"DATABASE_REPLICA_URL" help:"PostgreSQL connection string of a streaming replica, which serves list pages when it has all of the seller's changes. Empty: the primary serves all."`
}

// The sources of a page, as the metric names them.
const (
	fromReplica   = "replica"
	replicaBehind = "primary_behind"
	replicaAway   = "primary_away"
)

// Replica is a streaming replica of the primary. See "Lists from a replica".
type Replica struct {
	pool  *Pool
	pages *prometheus.CounterVec
	// restsUntil is when a replica that failed is tried again, in Unix nanoseconds; 0 while it is healthy.
	restsUntil atomic.Int64
}

// OpenReplica opens the replica of the pool's server, with the pool's settings, and lets Page read from it;
// without a URL it does nothing. It opens no connection yet, and an unreachable replica is no error. Close closes it.
func (p *Pool) OpenReplica(ctx context.Context, replica ReplicaConfig, config Config, schema string,
	tel *telemetry.Telemetry,
) error {
	pages := tel.Counter(telemetry.DBPages)
	for _, source := range []string{fromReplica, replicaBehind, replicaAway} {
		pages.WithLabelValues(source)
	}
	if replica.URL.Reveal() == "" {
		return nil
	}
	config.URL = replica.URL
	config.ConnectTimeout = replicaTimeout
	config = config.trusting(tel.Logger)
	settings, err := config.poolConfig(schema, tel.Service)
	if err != nil {
		return fmt.Errorf("DATABASE_REPLICA_URL: %w", err)
	}
	settings.ConnConfig.Tracer = newTracer(tel, config.complete().StatementTimeout+cancelTimeout)
	opened, err := pgxpool.NewWithConfig(ctx, settings)
	if err != nil {
		return fmt.Errorf("open the pool of the replica: %w", err)
	}
	p.Replica = &Replica{pool: &Pool{Pool: opened, RowSecurity: config.rowSecurity()}, pages: pages}
	return nil
}

// Close closes the pool, and that of its replica.
func (p *Pool) Close() {
	if p.Replica != nil {
		p.Replica.pool.Close()
	}
	p.Pool.Close()
}

// Page returns what read reads of a seller, with one statement: from the replica when that has replayed every change of the
// seller that the primary has, else from the primary. read may be called a second time. Failures of the replica are not
// returned.
func Page[T any](ctx context.Context, pool *Pool, seller uuid.UUID, read func(context.Context, Querier) (T, error)) (T, error) {
	return pageSeeing(ctx, pool, seller, nil, read)
}

// pageSeeing implements Page, and PageForward if seen is set.
func pageSeeing[T any](ctx context.Context, pool *Pool, seller uuid.UUID, seen *pgtype.Timestamptz,
	read func(context.Context, Querier) (T, error),
) (T, error) {
	primary := OfSeller(pool, seller)
	r := pool.Replica
	if r == nil {
		return read(ctx, primary.seeing(seller, seen))
	}
	source := replicaAway
	if r.isTried() {
		var clock pgtype.Timestamptz
		if err := primary.QueryRow(ctx, own.SQL("SellerClock"), seller).Scan(&clock); err != nil {
			var none T
			return none, Classify(fmt.Errorf("read the clock of a seller: %w", err))
		}
		page, err := pageOf(ctx, r, upTo{seller: seller, clock: clock, seen: seen}, read)
		if source = r.sourceAfter(ctx, err); source == fromReplica {
			r.pages.WithLabelValues(source).Inc()
			return page, nil
		}
	}
	r.pages.WithLabelValues(source).Inc()
	return read(ctx, primary.seeing(seller, seen))
}

func pageOf[T any](ctx context.Context, r *Replica, u upTo, read func(context.Context, Querier) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, replicaTimeout)
	defer cancel()
	u.of = OfSeller(r.pool, u.seller)
	return read(ctx, u)
}

// isTried reports whether to query the replica: it is healthy, or its back-off has passed and no other call is probing it.
func (r *Replica) isTried() bool {
	until := r.restsUntil.Load()
	now := time.Now()
	return until == 0 || now.UnixNano() >= until && r.restsUntil.CompareAndSwap(until, now.Add(replicaRest).UnixNano())
}

// sourceAfter returns the source for the page after querying the replica, and starts the back-off when that failed. A page
// canceled there by a replay conflict, or because the caller is gone, does not start the back-off.
func (r *Replica) sourceAfter(ctx context.Context, err error) string {
	switch {
	case err == nil:
		r.restsUntil.Store(0)
		return fromReplica
	case errors.Is(err, errBehind):
		r.restsUntil.Store(0)
		return replicaBehind
	case !conflicted(err) && ctx.Err() == nil:
		r.restsUntil.Store(time.Now().Add(replicaRest).UnixNano())
	}
	return replicaAway
}

// errBehind says that the replica has not yet replayed all changes of the seller.
var errBehind = errors.New("the replica lags behind")

// upTo queries rows of one seller, on a replica only if they are up to date with the primary.
type upTo struct {
	of     Scoped
	seller uuid.UUID
	// clock is the time that the clock must have reached; null for any.
	clock pgtype.Timestamptz
	// seen, if set, receives the clock.
	seen *pgtype.Timestamptz
}

// Query reads the clock of the seller and runs the statement, in one round trip; errBehind when the clock is too old.
// Changes replayed in between can only make the rows newer.
func (u upTo) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	batch, settings := u.of.settings()
	batch.Queue(own.SQL("SellerClock"), u.seller)
	batch.Queue(sql, args...)
	results := u.of.pool.SendBatch(ctx, batch)
	rows, err := u.behindClock(results, settings)
	if err != nil {
		_ = results.Close()
		return failedRows{err}, err
	}
	return &scopedRows{Rows: rows, results: results}, nil
}

// behindClock reads the results of the settings and the clock, and returns the rows of the statement after them.
func (u upTo) behindClock(results pgx.BatchResults, settings int) (pgx.Rows, error) {
	if err := skip(results, settings); err != nil {
		return nil, err
	}
	var here pgtype.Timestamptz
	if err := results.QueryRow().Scan(&here); err != nil {
		return nil, err
	}
	if u.clock.Valid && (!here.Valid || here.Time.Before(u.clock.Time)) {
		return nil, errBehind
	}
	if u.seen != nil {
		*u.seen = here
	}
	return results.Query()
}
