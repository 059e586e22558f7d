package servicetest

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/size"
	"sellerapi.dev/pkg/service"
)

// Size is what a service's command prints of the schema in a database, with the growth of the last day.
func Size(t *testing.T, command service.SizeCommand, database postgres.Config) (report size.Report) {
	t.Helper()
	command.Postgres, command.Window, command.JSON = database, 24*time.Hour, true
	var out bytes.Buffer
	require.NoError(t, command.Run(t.Context(), &out))
	require.NoError(t, json.Unmarshal(out.Bytes(), &report))
	return report
}
