package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"sellerapi.dev/pkg/apierr"
)

// sqlState returns the SQLSTATE that PostgreSQL answered, or "".
func sqlState(err error) string {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}

// conflicted reports whether a transaction failed because of concurrent ones, so
// that a retry may succeed: serialization failure and deadlock.
func conflicted(err error) bool {
	return slices.Contains([]string{"40001", "40P01"}, sqlState(err))
}

// Violates reports whether err is a violation of the named constraint or unique
// index. The name is that of the database object, without schema.
func Violates(err error, constraint string) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && strings.HasPrefix(refused.Code, "23") && refused.ConstraintName == constraint
}

// Classify turns a failure of the database, as opposed to one of the request,
// into the code that the client gets: Unavailable when the database cannot be
// reached, was lost or is out of space, UpstreamTimeout when it took too long,
// Internal for any other refusal. Codes of ours, pgx.ErrNoRows and everything
// unknown are returned as they are. The cause stays inside, so that Violates and
// errors.As still see it. An error is classified once; InTx has done it already.
func Classify(err error) error {
	if err == nil || as[*apierr.Error](err) || as[apierr.Code](err) {
		return err
	}
	if code := codeOf(err); code != "" {
		return code.Because(err)
	}
	return err
}

// codeOf returns the code of an error: by its SQLSTATE if it is an error from
// PostgreSQL on an open connection, else by its type. It returns "" for an error
// that is not a failure of the database.
func codeOf(err error) apierr.Code {
	if state := sqlState(err); state != "" && !as[*pgconn.ConnectError](err) {
		if state == internalError && isTemporary(err) {
			return apierr.Unavailable
		}
		return codeOfState(state)
	}
	for _, row := range failures {
		if row.is(err) {
			return row.code
		}
	}
	return ""
}

const internalError = "XX000"

// temporary are the beginnings of the messages with which the coordinator of a distributed database reports a temporary state
// as an internal error, without a SQLSTATE of its own: that it lost the connection to a node, in the words of libpq and of Citus
// (PostgreSQL 15, Citus 12.1), and that only some of the tables are distributed yet.
var temporary = []string{
	"server closed the connection unexpectedly", "could not receive data from server", "could not send data to server",
	"no connection to the server", "failure on connection marked as essential", "cannot handle unplanned sub-select",
}

// isTemporary reports whether an internal error of the database is about a temporary state of a distributed database.
func isTemporary(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) &&
		slices.ContainsFunc(temporary, func(start string) bool { return strings.HasPrefix(refused.Message, start) })
}

// codeOfState returns the code of a SQLSTATE: its own, else that of its class.
func codeOfState(state string) apierr.Code {
	if code, known := states[state]; known {
		return code
	}
	if code, known := classes[state[:min(2, len(state))]]; known {
		return code
	}
	return apierr.Internal
}

// failures maps the errors of the driver and of its dependencies to codes; the
// first matching row applies.
var failures = []struct {
	is   func(error) bool
	code apierr.Code
}{
	// The connection failed, whatever the reason: address, TLS, password, a role or a server that is full.
	{as[*pgconn.ConnectError], apierr.Unavailable},
	// Programming errors: the transaction has ended, or one of its errors was ignored. Nothing was committed.
	{oneOf(pgx.ErrTxClosed, pgx.ErrTxCommitRollback), apierr.Internal},
	// The caller has canceled, or there is no such row.
	{oneOf(context.Canceled, pgx.ErrNoRows), ""},
	// The pool is closed, as during shutdown, or the connection was closed after an earlier failure.
	{oneOf(puddle.ErrClosedPool, puddle.ErrNotAvailable, pgconn.ErrConnClosed), apierr.Unavailable},
	// The connection was lost during a statement.
	{oneOf(io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, net.ErrClosed, os.ErrClosed), apierr.Unavailable},
	{oneOf(syscall.ECONNRESET, syscall.ECONNABORTED, syscall.ECONNREFUSED, syscall.EPIPE, syscall.ETIMEDOUT,
		syscall.ENETUNREACH, syscall.EHOSTUNREACH), apierr.Unavailable},
	// A timeout: of the caller, of a statement on our side, or of waiting for a connection from the pool.
	{pgconn.Timeout, apierr.UpstreamTimeout},
	{oneOf(context.DeadlineExceeded, os.ErrDeadlineExceeded), apierr.UpstreamTimeout},
	// Any other network error, and errors before anything was sent, such as on a busy connection.
	{as[*net.OpError], apierr.Unavailable},
	{pgconn.SafeToRetry, apierr.Unavailable},
}

func as[T error](err error) bool {
	var found T
	return errors.As(err, &found)
}

func oneOf(known ...error) func(error) bool {
	return func(err error) bool {
		return slices.ContainsFunc(known, func(one error) bool { return errors.Is(err, one) })
	}
}

// states are the SQLSTATEs whose code differs from that of their class.
var states = map[string]apierr.Code{
	"0A000": apierr.Unavailable,     // feature_not_supported: of Citus, while only some tables are distributed
	"25006": apierr.Unavailable,     // read_only_sql_transaction: a server that only reads, as just after a failover
	"25P03": apierr.UpstreamTimeout, // idle_in_transaction_session_timeout
	"25P04": apierr.UpstreamTimeout, // transaction_timeout
	"40001": apierr.Unavailable,     // serialization_failure, still in conflict after all attempts
	"40003": apierr.Unavailable,     // statement_completion_unknown
	"40P01": apierr.Unavailable,     // deadlock_detected, after all attempts
	"55P03": apierr.UpstreamTimeout, // lock_not_available: lock_timeout
	"57014": apierr.UpstreamTimeout, // query_canceled: by statement_timeout or for a caller whose time was over
	"57P01": apierr.Unavailable,     // admin_shutdown
	"57P02": apierr.Unavailable,     // crash_shutdown
	"57P03": apierr.Unavailable,     // cannot_connect_now: starting up
	"57P04": apierr.Unavailable,     // database_dropped
	"57P05": apierr.Unavailable,     // idle_session_timeout
}

// classes are the classes of SQLSTATEs that are not caused by the statement.
var classes = map[string]apierr.Code{
	"08": apierr.Unavailable, // connection
	"53": apierr.Unavailable, // no connections, memory or disk space left
	"58": apierr.Unavailable, // the system under the server, such as its disk; also what a pooler reports
}
