package claims_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/size"
	"sellerapi.dev/services/claims"
	"sellerapi.dev/services/claims/internal/lines/linestest"
)

// A claim that was just requested is growth.
func TestSizeCommand(t *testing.T) {
	t.Parallel()
	orders := linestest.New()
	settings := config(t, orders)
	require.Nil(t, measured(t, settings.Postgres).Growth, "there is no claim")
	newMarket(t, settings, start(t, settings)).request(t, orders, "return")

	report := measured(t, settings.Postgres)
	require.Equal(t, "claim", report.Record.Name)
	require.Equal(t, "claim_numbers by claims.requested_at", report.Growth.BasedOn)
	require.InDelta(t, 86400/report.Growth.Seconds, report.Growth.RecordsPerDay, 1e-3, "one claim since it was requested")
	require.NotNil(t, report.Inbox)
}

// measured is what the command prints in JSON.
func measured(t *testing.T, database postgres.Config) (report size.Report) {
	t.Helper()
	command := claims.NewSizeCommand()
	command.Postgres, command.Window, command.JSON = database, 24*time.Hour, true
	var out bytes.Buffer
	require.NoError(t, command.Run(t.Context(), &out))
	require.NoError(t, json.Unmarshal(out.Bytes(), &report))
	return report
}
