package postgres

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// An operator sets one timeout; the others must not end a wait later than it, or without an
// explanation.
func TestComplete(t *testing.T) {
	t.Parallel()
	usual := Config{}.complete()
	require.Equal(t, Config{
		MaxConns: 16, StatementTimeout: 5 * time.Second, ConnectTimeout: 3 * time.Second, LockTimeout: 3 * time.Second,
		IdleInTransactionTimeout: 5 * time.Second, RowSecurity: "on",
	}, usual)
	patient := Config{StatementTimeout: time.Minute, LockTimeout: time.Second}.complete()
	require.Equal(t, 36*time.Second, patient.ConnectTimeout)
	require.Equal(t, time.Second, patient.LockTimeout)
	require.Equal(t, time.Minute, patient.IdleInTransactionTimeout)
}

// The error about a URL that cannot be parsed does not show its password.
func TestOpen_unreadableURLHidesPassword(t *testing.T) {
	t.Parallel()
	config := Config{URL: secret.New("postgres://orders:hunter2@host:port:1/x%zz")}
	_, err := Open(t.Context(), config, "orders", telemetrytest.Discard(t))
	require.ErrorContains(t, err, "database URL is invalid")
	require.NotContains(t, err.Error(), "hunter2")
	err = Migrate(t.Context(), config, "orders", nil)
	require.ErrorContains(t, err, "database URL is invalid")
	require.NotContains(t, err.Error(), "hunter2")
}
