//go:build citus

package failover

import "testing"

// A worker of a distributed PostgreSQL can be killed with the same guarantees.
func TestTry_citus(t *testing.T) {
	t.Parallel()
	requireKept(t, "citus")
}
