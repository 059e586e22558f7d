package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"sellerapi.dev/pkg/apierr"
)

// sqlState returns the SQLSTATE that PostgreSQL answered, or nothing.
func sqlState(err error) string {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}

// conflicted tells whether a transaction failed only because of others, so that
// running it again may succeed: serialization failure and deadlock.
func conflicted(err error) bool {
	return slices.Contains([]string{"40001", "40P01"}, sqlState(err))
}

// Violates tells whether err is PostgreSQL's refusal because of the named
// constraint or unique index. The name is that of the database object, without
// schema.
func Violates(err error, constraint string) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && strings.HasPrefix(refused.Code, "23") && refused.ConstraintName == constraint
}

// Classify turns a failure of the database, as opposed to one of the request,
// into the code that the client gets: Unavailable when the database cannot be
// reached or has no room, UpstreamTimeout when it took too long, Internal for
// any other refusal. Codes of ours, pgx.ErrNoRows and everything unknown are
// returned as they are. The cause stays inside, so that Violates and errors.As
// still see it. An error is classified once; InTx has done it already.
func Classify(err error) error {
	var ours *apierr.Error
	var code apierr.Code
	if err == nil || errors.As(err, &ours) || errors.As(err, &code) {
		return err
	}
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) { // whatever it was refused for
		return apierr.Unavailable.Because(err)
	}
	if state := sqlState(err); state != "" {
		return codeOf(state).Because(err)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, puddle.ErrClosedPool), brokenConnection(err):
		return apierr.Unavailable.Because(err)
	case pgconn.Timeout(err), errors.Is(err, context.DeadlineExceeded):
		return apierr.UpstreamTimeout.Because(err)
	default:
		return err
	}
}

// codeOf is the table of SQLSTATEs: exact ones first, then their classes.
func codeOf(state string) apierr.Code {
	switch state {
	case "57014", // a statement was canceled: by statement_timeout or for a caller whose time was over
		"55P03", // lock_timeout
		"25P03": // idle_in_transaction_session_timeout
		return apierr.UpstreamTimeout
	case "40001", "40P01", // still in conflict after all attempts
		"57P01", "57P02", "57P03", "57P05", // shutting down, crashed, starting up, idle too long
		"25006": // a server that only reads, as just after a failover
		return apierr.Unavailable
	}
	if strings.HasPrefix(state, "08") || // connection
		strings.HasPrefix(state, "53") { // no connections, memory or disk space left
		return apierr.Unavailable
	}
	return apierr.Internal
}

// brokenConnection tells whether the connection ended under a statement.
func brokenConnection(err error) bool {
	var network *net.OpError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		(errors.As(err, &network) && !network.Timeout())
}
