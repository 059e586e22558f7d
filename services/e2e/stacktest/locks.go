package stacktest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
)

// Lock is a transaction of a test that holds a lock that the services need.
type Lock struct {
	others *pgx.Conn
	tx     pgx.Tx
	// id identifies its session, and waiting is the query that counts the sessions waiting for it.
	id      int64
	waiting string
}

// Lock begins a transaction and executes a statement that locks something until the lock is
// released.
func (s *Stack) Lock(t *testing.T, statement string, arguments ...any) *Lock {
	t.Helper()
	tx, err := s.SQL(t).Begin(t.Context())
	require.NoError(t, err)
	locked, err := tx.Exec(t.Context(), statement, arguments...)
	require.NoError(t, err)
	require.Positive(t, locked.RowsAffected(), "nothing is locked")
	lock := &Lock{tx: tx, others: s.SQL(t), id: int64(tx.Conn().PgConn().PID()), waiting: waiting}
	if distributedtest.Requested() {
		lock.waiting = waitingOnNodes
		require.NoError(t, tx.QueryRow(t.Context(), "select citus_backend_gpid()").Scan(&lock.id))
	}
	return lock
}

// waiting counts the connections that wait for another one, directly or behind others.
const waiting = `
with recursive waiting(pid) as (
	select a.pid from pg_stat_activity a where $1 = any(pg_blocking_pids(a.pid))
	union
	select a.pid from waiting w join pg_stat_activity a on w.pid = any(pg_blocking_pids(a.pid))
)
select count(*) from waiting`

const waitingOnNodes = `
with recursive waiting(id) as (
	select l.waiting_gpid from citus_lock_waits l where l.blocking_gpid = $1
	union
	select l.waiting_gpid from waiting w join citus_lock_waits l on l.blocking_gpid = w.id
)
select count(*) from waiting`

// IsWantedBy reports whether exactly that many calls wait for the lock.
func (l *Lock) IsWantedBy(t *testing.T, calls int) bool {
	t.Helper()
	var count int
	require.NoError(t, l.others.QueryRow(t.Context(), l.waiting, l.id).Scan(&count))
	return count == calls
}

// Release releases the lock; the session that has waited longest gets it first.
func (l *Lock) Release(t *testing.T) {
	t.Helper()
	require.NoError(t, l.tx.Rollback(context.WithoutCancel(t.Context())))
}
