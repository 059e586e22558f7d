package postgres

import (
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
)

func TestDefaultsOfFlagsAndOfZeroValuesAgree(t *testing.T) {
	t.Parallel()
	var parsed Config
	parser, err := kong.New(&parsed)
	require.NoError(t, err)
	_, err = parser.Parse([]string{"--database-url=postgres://x"})
	require.NoError(t, err)
	require.Equal(t, parsed, Config{URL: parsed.URL}.withDefaults())
}

func TestAnUnreadableURLDoesNotLeakItsPassword(t *testing.T) {
	t.Parallel()
	config := Config{URL: secret.New("postgres://orders:hunter2@host:port:1/x%zz")}
	_, err := Open(t.Context(), config, "orders", telemetry.Discard(t))
	require.ErrorContains(t, err, "database URL cannot be read")
	require.NotContains(t, err.Error(), "hunter2")
	err = Migrate(t.Context(), config, "orders", nil)
	require.ErrorContains(t, err, "database URL cannot be read")
	require.NotContains(t, err.Error(), "hunter2")
}
