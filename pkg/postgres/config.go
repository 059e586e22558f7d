package postgres

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/secret"
)

// cancelTimeout is how long the server may take to cancel a statement whose
// context is done before its connection is closed.
const cancelTimeout = 500 * time.Millisecond

const (
	// maxConnLifetime is the age at which a connection is replaced, so that a pool moves along with its server.
	maxConnLifetime = 30 * time.Minute
	maxConnIdleTime = 5 * time.Minute
)

// Config configures the connection to the database. Zero values mean the
// defaults in the tags.
type Config struct {
	URL                secret.Text   `name:"database-url" env:"DATABASE_URL" required:"" help:"PostgreSQL connection string (postgres://…)."`
	MaxConns           int32         `name:"database-max-conns" env:"DATABASE_MAX_CONNS" default:"16" help:"Maximum number of connections of this process."`
	StatementTimeout   time.Duration `name:"database-statement-timeout" env:"DATABASE_STATEMENT_TIMEOUT" default:"5s" help:"Timeout of a statement, and of a transaction that is idle between statements. Three fifths of it apply to opening a connection and to waiting for a lock."`
	TransactionPooling bool          `name:"database-transaction-pooling" env:"DATABASE_TRANSACTION_POOLING" help:"Whether the database is reached through a pooler in transaction mode: without prepared statements and session settings (the role must have them)."`
	RowSecurity        string        `name:"database-row-security" env:"DATABASE_ROW_SECURITY" enum:"on,off" default:"on" help:"on: statements set the seller whose rows they may access, for the row-level security policies. off: they set none, and the policies allow all rows."`

	// ConnectTimeout, LockTimeout and IdleInTransactionTimeout are derived from StatementTimeout when they are zero.
	ConnectTimeout, LockTimeout, IdleInTransactionTimeout time.Duration `kong:"-"`

	// Authorities are trusted for the certificate of the server, where the connection string asks for one and has no sslrootcert
	// of its own. Open takes those of the system when it is nil.
	Authorities *certificate.Authorities `kong:"-"`

	// Settings are further session settings that the service's statements rely on, by name, such as plan_cache_mode. With
	// TransactionPooling they must belong to the role.
	Settings map[string]string `kong:"-"`
}

// LockTimeout is shorter than StatementTimeout, so that a statement that waits for a lock fails with an error that says so.
func (c Config) complete() Config {
	defaults.Fill(&c)
	part := c.StatementTimeout / 5 * 3
	c.ConnectTimeout, c.LockTimeout = cmp.Or(c.ConnectTimeout, part), cmp.Or(c.LockTimeout, part)
	c.IdleInTransactionTimeout = cmp.Or(c.IdleInTransactionTimeout, c.StatementTimeout)
	return c
}

func (c Config) poolConfig(schema, applicationName string) (*pgxpool.Config, error) {
	c = c.complete()
	pool, err := pgxpool.ParseConfig(c.URL.Reveal())
	if err != nil {
		return nil, unreadable(err)
	}
	pool.MaxConns = c.MaxConns
	pool.MaxConnLifetime = maxConnLifetime
	pool.MaxConnLifetimeJitter = maxConnLifetime / 10
	pool.MaxConnIdleTime = maxConnIdleTime
	pool.PingTimeout = c.ConnectTimeout
	pool.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		registerTypes(conn.TypeMap())
		if c.TransactionPooling {
			return requireSchema(ctx, conn, schema)
		}
		// a setting of the connection, no statement of the service
		_, err := conn.PgConn().Exec(ctx, own.SQL("SuitDistribution")).ReadAll()
		return err
	}
	if c.Authorities != nil && usesTLS(pool.ConnConfig) {
		pool.BeforeConnect = func(_ context.Context, conn *pgx.ConnConfig) error { return c.renewTLS(conn) }
	}
	c.session(pool.ConnConfig, schema, applicationName)
	if !c.TransactionPooling && c.rowSecurity() {
		pool.ConnConfig.RuntimeParams[sellerSetting] = noSeller
	}
	return pool, nil
}

// trusting returns the configuration with the authorities of the system, unless it has others.
func (c Config) trusting(log *slog.Logger) Config {
	if c.Authorities == nil {
		c.Authorities = certificate.SystemAuthorities(log)
	}
	return c
}

// renewTLS gives a new connection the certificates and authorities as they are now: pgx reads the files of the connection
// string once, and Go those of the system. It parses the string again, because the check of verify-ca reads the configuration
// that was parsed.
func (c Config) renewTLS(conn *pgx.ConnConfig) error {
	parsed, err := pgx.ParseConfig(c.URL.Reveal())
	if err != nil {
		return unreadable(err)
	}
	conn.TLSConfig, conn.Fallbacks = parsed.TLSConfig, parsed.Fallbacks
	c.trust(conn.TLSConfig)
	for _, fallback := range conn.Fallbacks {
		c.trust(fallback.TLSConfig)
	}
	return nil
}

func usesTLS(conn *pgx.ConnConfig) bool {
	return conn.TLSConfig != nil || slices.ContainsFunc(conn.Fallbacks,
		func(f *pgconn.FallbackConfig) bool { return f.TLSConfig != nil })
}

// trust sets the authorities of a configuration that names none.
func (c Config) trust(secured *tls.Config) {
	if secured != nil && secured.RootCAs == nil {
		secured.RootCAs = c.Authorities.Roots()
	}
}

// rowSecurity reports whether statements name the seller whose rows they may see.
func (c Config) rowSecurity() bool { return c.complete().RowSecurity == "on" }

func (c Config) session(conn *pgx.ConnConfig, schema, applicationName string) {
	conn.ConnectTimeout = c.ConnectTimeout
	conn.BuildContextWatcherHandler = func(pg *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: pg, DeadlineDelay: cancelTimeout}
	}
	conn.RuntimeParams["application_name"] = applicationName
	if c.TransactionPooling {
		conn.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
		return
	}
	conn.DefaultQueryExecMode = pgx.QueryExecModeCacheStatement
	maps.Copy(conn.RuntimeParams, c.settings(schema))
}

// settings returns the settings of every session on the schema; those of a pool also have the seller.
func (c Config) settings(schema string) map[string]string {
	all := map[string]string{
		"search_path": searchPath(schema), "timezone": "UTC",
		"statement_timeout": milliseconds(c.StatementTimeout), "lock_timeout": milliseconds(c.LockTimeout),
		"idle_in_transaction_session_timeout": milliseconds(c.IdleInTransactionTimeout),
	}
	maps.Copy(all, c.Settings)
	return all
}

// RoleSettings returns the statements that give a role the settings that Open sends in each session without TransactionPooling,
// for a pooler that takes none from a session.
func (c Config) RoleSettings(schema, role string) []string {
	c = c.complete()
	all := c.settings(schema)
	if c.rowSecurity() {
		all[sellerSetting] = noSeller
	}
	statements := make([]string, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		value := all[name]
		if name != "search_path" { // which is a list of identifiers
			value = "'" + strings.ReplaceAll(value, "'", "''") + "'"
		}
		statements = append(statements, "alter role "+pgx.Identifier{role}.Sanitize()+" set "+name+" = "+value)
	}
	return statements
}

func searchPath(schema string) string { return pgx.Identifier{schema}.Sanitize() }

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// pgx masks the password in its message only if it can locate it, so the message is omitted.
func unreadable(error) error {
	return errors.New("the database URL is invalid: expected postgres://user:password@host:port/database")
}
