package postgres

import (
	"context"
	"errors"
	"maps"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"

	"sellerapi.dev/pkg/secret"
)

// cancelPatience is how long a statement whose context ended may take to be
// canceled by the server before its connection is given up.
const cancelPatience = 500 * time.Millisecond

// Config is how a service reaches its database. Zero values stand for the
// defaults in the tags.
type Config struct {
	URL                      secret.Text   `name:"database-url" env:"DATABASE_URL" required:"" help:"PostgreSQL connection string (postgres://…)."`
	MaxConns                 int32         `name:"database-max-conns" env:"DATABASE_MAX_CONNS" default:"16" help:"Most connections of this process."`
	ConnectTimeout           time.Duration `name:"database-connect-timeout" env:"DATABASE_CONNECT_TIMEOUT" default:"3s" help:"Time to open a connection."`
	StatementTimeout         time.Duration `name:"database-statement-timeout" env:"DATABASE_STATEMENT_TIMEOUT" default:"5s" help:"Time for one statement."`
	LockTimeout              time.Duration `name:"database-lock-timeout" env:"DATABASE_LOCK_TIMEOUT" default:"3s" help:"Time to wait for a lock."`
	IdleInTransactionTimeout time.Duration `name:"database-idle-in-transaction-timeout" env:"DATABASE_IDLE_IN_TRANSACTION_TIMEOUT" default:"5s" help:"Time a transaction may wait for its next statement."`
	MaxConnLifetime          time.Duration `name:"database-max-conn-lifetime" env:"DATABASE_MAX_CONN_LIFETIME" default:"30m" help:"Age at which a connection is replaced."`
	MaxConnIdleTime          time.Duration `name:"database-max-conn-idle-time" env:"DATABASE_MAX_CONN_IDLE_TIME" default:"5m" help:"Time after which an unused connection is closed."`
	TransactionPooling       bool          `name:"database-transaction-pooling" env:"DATABASE_TRANSACTION_POOLING" help:"The database is reached through a pooler in transaction mode: prepare nothing, send no session settings (the role must have them)."`

	// Settings are further session settings that the service's statements rely on, by name, such as plan_cache_mode. With
	// TransactionPooling they must belong to the role.
	Settings map[string]string `kong:"-"`
}

// withDefaults returns the configuration with every zero value replaced.
func (c Config) withDefaults() Config {
	c.MaxConns = orDefault(c.MaxConns, 16)
	c.ConnectTimeout = orDefault(c.ConnectTimeout, 3*time.Second)
	c.StatementTimeout = orDefault(c.StatementTimeout, 5*time.Second)
	c.LockTimeout = orDefault(c.LockTimeout, 3*time.Second)
	c.IdleInTransactionTimeout = orDefault(c.IdleInTransactionTimeout, 5*time.Second)
	c.MaxConnLifetime = orDefault(c.MaxConnLifetime, 30*time.Minute)
	c.MaxConnIdleTime = orDefault(c.MaxConnIdleTime, 5*time.Minute)
	return c
}

// orDefault returns value, or the default for a zero value.
func orDefault[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// poolConfig translates the configuration for pgx.
func (c Config) poolConfig(schema, applicationName string) (*pgxpool.Config, error) {
	c = c.withDefaults()
	pool, err := pgxpool.ParseConfig(c.URL.Reveal())
	if err != nil {
		return nil, unreadable(err)
	}
	pool.MaxConns = c.MaxConns
	pool.MaxConnLifetime = c.MaxConnLifetime
	pool.MaxConnLifetimeJitter = c.MaxConnLifetime / 10
	pool.MaxConnIdleTime = c.MaxConnIdleTime
	pool.PingTimeout = c.ConnectTimeout
	pool.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		useUTC(conn)
		if c.TransactionPooling {
			return requireSchema(ctx, conn, schema)
		}
		return nil
	}
	c.session(pool.ConnConfig, schema, applicationName)
	return pool, nil
}

// session sets what one connection is to be like.
func (c Config) session(conn *pgx.ConnConfig, schema, applicationName string) {
	conn.ConnectTimeout = c.ConnectTimeout
	conn.BuildContextWatcherHandler = func(pg *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: pg, DeadlineDelay: cancelPatience}
	}
	conn.RuntimeParams["application_name"] = applicationName
	if c.TransactionPooling {
		conn.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
		return
	}
	conn.DefaultQueryExecMode = pgx.QueryExecModeCacheStatement
	conn.RuntimeParams["search_path"] = searchPath(schema)
	conn.RuntimeParams["timezone"] = "UTC"
	conn.RuntimeParams["statement_timeout"] = milliseconds(c.StatementTimeout)
	conn.RuntimeParams["lock_timeout"] = milliseconds(c.LockTimeout)
	conn.RuntimeParams["idle_in_transaction_session_timeout"] = milliseconds(c.IdleInTransactionTimeout)
	maps.Copy(conn.RuntimeParams, c.Settings)
}

// searchPath quotes the one schema that statements see.
func searchPath(schema string) string { return pgx.Identifier{schema}.Sanitize() }

// milliseconds is the form of durations in PostgreSQL's settings.
func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// unreadable reports a connection string that cannot be parsed. pgx masks the
// password in its message, but only where it can find it, so the message is left
// out.
func unreadable(error) error {
	return errors.New("the database URL cannot be read: expected postgres://user:password@host:port/database")
}
