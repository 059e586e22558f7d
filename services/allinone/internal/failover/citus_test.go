//go:build citus

package failover

import "testing"

// The same holds for a worker of a distributed PostgreSQL.
func TestTry_citus(t *testing.T) {
	t.Parallel()
	requireKept(t, "citus")
}
