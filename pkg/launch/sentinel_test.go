package launch

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// The timeouts of the sentinels are those of production, so that a measured failover takes as long
// as in production.
func TestSentinels_asInProduction(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../../k8s/production/redis/start-sentinel.sh")
	require.NoError(t, err)
	require.Contains(t, string(script), fmt.Sprintf("down-after-milliseconds %s %d\"", SentinelMaster,
		SentinelSilence.Milliseconds()))
	require.Contains(t, string(script), fmt.Sprintf("failover-timeout %s %d\"", SentinelMaster, sentinelTimeout.Milliseconds()))
}
