package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"

	"sellerapi.dev/pkg/telemetry"
)

// Pool is the connection pool of a service instance. Its own statements see no seller's rows, or those of all sellers where
// Config.RowSecurity is off; see OfSeller and AllSellers.
type Pool struct {
	*pgxpool.Pool

	// RowSecurity says that statements name the seller whose rows they may see: Config.RowSecurity is on.
	RowSecurity bool

	// Replica, if not nil, can serve Page; see OpenReplica.
	Replica *Replica

	// plainClocks is not nil if Check requires the wall clock for all sellers, and true when it has found that.
	plainClocks *atomic.Bool

	// Metrics beside those of the pool itself; nil without telemetry.
	skew  prometheus.Gauge
	waits *clockWaits
}

// Open returns the pool of a service instance on its schema, traced and measured
// through tel. It opens no connection yet: a service whose database is unreachable
// starts, is not ready (see Check) and recovers without a restart. One instance has one
// pool; a second one with the same telemetry is an error.
func Open(ctx context.Context, config Config, schema string, tel *telemetry.Telemetry) (*Pool, error) {
	config = config.trusting(tel.Logger)
	poolConfig, err := config.poolConfig(schema, tel.Service)
	if err != nil {
		return nil, err
	}
	poolConfig.ConnConfig.Tracer = newTracer(tel, config.complete().StatementTimeout+cancelTimeout)
	pool, err := pgxpool.NewWithConfig(ctx, poolConfig)
	if err != nil {
		return nil, fmt.Errorf("open the database pool: %w", err)
	}
	waits := newClockWaits(time.Now())
	if err := errors.Join(observePool(tel, pool), tel.Observe(waits.emit, telemetry.SellerClockWaiting,
		telemetry.SellerClockWait)); err != nil {
		pool.Close()
		return nil, err
	}
	return &Pool{
		Pool: pool, RowSecurity: config.rowSecurity(),
		skew: tel.Gauge(telemetry.ClockSkew).WithLabelValues(), waits: waits,
	}, nil
}

// Check returns the readiness probe of a pool: the database answers, the schema
// exists (it does not before the first migration), the database accepts writes, and row-level security confines the statements to
// their sellers where Config.RowSecurity says so. If only one of the last two fails, it returns ErrReadOnly, or an error that is
// ErrUnconfined. It returns ErrMovedClocks where RequirePlainClocks was called. It writes nothing.
func Check(pool *Pool) func(context.Context) error {
	wanted := pool.Config().ConnConfig.RuntimeParams["search_path"]
	return func(ctx context.Context) error {
		var schema *string
		var readOnly bool
		var there time.Time
		var policies confinement
		asked := time.Now()
		row := pool.QueryRow(ctx, own.SQL("ProbeDatabase"))
		if err := row.Scan(&schema, &readOnly, &there, &policies.role, &policies.seller, &policies.active); err != nil {
			return Classify(err)
		}
		if pool.skew != nil {
			pool.skew.Set(skewOf(asked, time.Now(), there).Seconds())
		}
		switch {
		case schema == nil:
			return fmt.Errorf("schema %s does not exist: run migrate first", wanted)
		case readOnly:
			return ErrReadOnly
		}
		if err := pool.checkClocks(ctx); err != nil {
			return err
		}
		return policies.check(pool.RowSecurity)
	}
}

// skewOf returns how far the local clock is ahead of a remote one that was read between two local times; 0 when they may be
// equal.
func skewOf(asked, answered, there time.Time) time.Duration {
	switch {
	case asked.After(there):
		return asked.Sub(there)
	case answered.Before(there):
		return answered.Sub(there)
	default:
		return 0
	}
}

// ImpairmentReadOnly names a read-only database in /readyz and the metric.
const ImpairmentReadOnly = "read_only"

// ErrReadOnly says that a database answers but refuses writes.
var ErrReadOnly error = impairmentError{
	ImpairmentReadOnly, "the database does not accept writes: it is a standby, or default_transaction_read_only is on",
}

type impairmentError struct{ name, text string }

// Error implements error.
func (e impairmentError) Error() string { return e.text }

// ProbeImpairment returns the name for /readyz and the metric.
func (e impairmentError) ProbeImpairment() string { return e.name }

// requireSchema refuses a connection whose search path does not lead to the schema.
// Where session settings are the role's, a forgotten one would otherwise send
// the service's statements to another schema.
func requireSchema(ctx context.Context, conn *pgx.Conn, wanted string) error {
	var schema *string
	if err := conn.QueryRow(ctx, own.SQL("CurrentSchema")).Scan(&schema); err != nil {
		return err
	}
	if schema == nil || *schema != wanted {
		return fmt.Errorf("the search_path of role %s does not resolve to schema %s", conn.Config().User, wanted)
	}
	return nil
}

// registerTypes makes a connection return times in UTC; by default pgx returns them in the local time zone, so that values would
// depend on the machine. It also sends a [uuid.UUID] as its 16 bytes: by default pgx makes a text of it and parses that again,
// which costs twenty times as much.
func registerTypes(types *pgtype.Map) {
	one := &pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC}}
	types.RegisterType(one)
	types.RegisterType(&pgtype.Type{
		Name: "_timestamptz", OID: pgtype.TimestamptzArrayOID,
		Codec: &pgtype.ArrayCodec{ElementType: one},
	})
	pgxuuid.Register(types)
}
