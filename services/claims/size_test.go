package claims_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/service/servicetest"
	"sellerapi.dev/services/claims"
	"sellerapi.dev/services/claims/internal/lines/linestest"
)

// A claim that was just requested counts as growth.
func TestSizeCommand(t *testing.T) {
	t.Parallel()
	orders := linestest.New()
	settings := config(t, orders)
	require.Nil(t, servicetest.Size(t, claims.Schema.SizeCommand(), settings.Postgres).Growth, "there is no claim")
	newMarket(t, settings, start(t, settings)).request(t, orders, "return")

	report := servicetest.Size(t, claims.Schema.SizeCommand(), settings.Postgres)
	require.Equal(t, "claim", report.Record.Name)
	require.Equal(t, "claim_numbers by claims.requested_at", report.Growth.BasedOn)
	require.InDelta(t, 86400/report.Growth.Seconds, report.Growth.RecordsPerDay, 1e-3, "growth of one claim")
	require.NotNil(t, report.Inbox)
}
