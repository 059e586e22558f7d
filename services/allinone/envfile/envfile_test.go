package envfile_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/envfile"
)

func values() envfile.Values {
	return envfile.Values{
		GatewayURL: "http://127.0.0.1:8080", OrdersRPCURL: "http://127.0.0.1:1", ClaimsRPCURL: "http://127.0.0.1:2",
		QnARPCURL: "http://127.0.0.1:3", KeysRPCURL: "http://127.0.0.1:4", RPCToken: "a.b.c",
		DatabaseURL: "postgres://u:it's&$PATH@127.0.0.1/db?sslmode=disable&x=1", RedisURL: "redis://:p@127.0.0.1:5/0",
		SellerAID: "a", SellerAKey: "vpk_test_a", SellerBID: "b", SellerBKey: "vpk_test_b", MetricsURLs: "http://x/m,http://y/m",
	}
}

func TestFormat_parsedBack(t *testing.T) {
	t.Parallel()
	got, err := envfile.Parse(envfile.Format(values()))
	require.NoError(t, err)
	require.Equal(t, values(), got)
}

// The file is sourced by shells; a password with a special character must not become
// a command.
func TestFormat_shellReadsSameValues(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), envfile.Name)
	require.NoError(t, os.WriteFile(path, envfile.Format(values()), 0o600))
	out, err := exec.CommandContext(t.Context(), "sh", "-c", `. "$0"; printf %s "$DATABASE_URL $METRICS_URLS"`, path).Output()
	require.NoError(t, err)
	require.Equal(t, values().DatabaseURL+" "+values().MetricsURLs, string(out))
}

// The error names a variable that is missing from the file.
func TestParse_missingVariableNamed(t *testing.T) {
	t.Parallel()
	_, err := envfile.Parse([]byte("GATEWAY_URL=http://127.0.0.1\n"))
	require.ErrorContains(t, err, "KEYS_RPC_URL")
	require.NotContains(t, err.Error(), "GATEWAY_URL")
}
