package service_test

import (
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/service"
)

func TestTheShutdownTimeoutIsTheSameHoweverAConfigurationIsMade(t *testing.T) {
	t.Parallel()
	var config service.Config
	parser, err := kong.New(&config)
	require.NoError(t, err)
	_, err = parser.Parse(nil)
	require.NoError(t, err)
	require.Equal(t, service.DefaultShutdownTimeout, config.ShutdownTimeout)
}
