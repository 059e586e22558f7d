package rest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
)

// The log line and the span of a group have room for all of its orders.
func TestGroupMost_namedInFull(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, groupMost, telemetry.MaxNumbers)
}
