package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// A service whose statements rely on a setting would be slow without it, not broken, so other tests would not notice.
func TestOpen_settingsOnEveryConnection(t *testing.T) {
	t.Parallel()
	db := with(t, func(c *postgres.Config) { c.Settings = map[string]string{"plan_cache_mode": "force_generic_plan"} })
	pool := db.Open(t, telemetrytest.Discard(t))
	require.Equal(t, "force_generic_plan", one[string](t, pool, "show plan_cache_mode"))
}
