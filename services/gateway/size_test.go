package gateway_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/size"
)

// The command needs only the database. Keys that were just issued count as growth; the forecast is printed if a capacity is set.
func TestSizeCommand(t *testing.T) {
	t.Parallel()
	o, seller := newOperator(t), uuid.NewString()
	o.run("keys", "register-seller", "--seller", seller, "--actor", "kim", "--name", "Seller")
	o.run("keys", "issue", "--seller", seller, "--actor", "kim")
	for _, setting := range o.environment {
		if strings.HasPrefix(setting, "DATABASE_URL=") {
			o.environment = []string{setting}
		}
	}
	plain := o.run("size")
	require.Contains(t, plain, "key_audit")
	require.Contains(t, plain, "Growth: ")
	require.Contains(t, plain, "(key_hashes by api_keys.issued_at).")
	require.NotContains(t, plain, "idempotency keys", "the gateway has no inbox")
	require.NotContains(t, plain, "Database: ")
	require.Contains(t, o.run("size", "--capacity", "500GiB"), " of 500 GiB, ")

	var report size.Report
	require.NoError(t, json.Unmarshal([]byte(o.run("size", "--json", "--capacity=1TB", "--window", "30m")), &report))
	require.Equal(t, int64(1_000_000_000_000), report.Capacity.Bytes)
	require.Positive(t, report.Growth.RecordsPerDay)
	require.Positive(t, report.TotalBytes)
	require.Nil(t, report.Inbox)
}
