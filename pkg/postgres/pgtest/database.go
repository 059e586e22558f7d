package pgtest

import (
	"crypto/rand"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/secret"
)

// Database creates a database for one test, for services whose schemas have fixed names, and returns its connection string. It is
// dropped after the test, even if connections are open.
func Database(tb testing.TB) secret.Text {
	tb.Helper()
	return create(tb, "")
}

// Copy is Database with the content of another database of the server, which must have no connections at that time. It takes a
// fraction of the time of migrations.
func Copy(tb testing.TB, of secret.Text) secret.Text {
	tb.Helper()
	address, err := url.Parse(of.Reveal())
	require.NoError(tb, err)
	return create(tb, " template "+strings.TrimPrefix(address.Path, "/"))
}

// create creates a database and drops it after the test.
func create(tb testing.TB, like string) secret.Text {
	tb.Helper()
	config := Config(tb)
	made := newDatabase(tb, config, like)
	tb.Cleanup(func() {
		address, err := url.Parse(made.Reveal())
		require.NoError(tb, err)
		run(tb, config, "drop database if exists "+strings.TrimPrefix(address.Path, "/")+" with (force)")
	})
	return made
}

func newDatabase(tb testing.TB, config postgres.Config, like string) secret.Text {
	tb.Helper()
	name := "t_" + strings.ToLower(rand.Text()[:16])
	run(tb, config, "create database "+name+like)
	address, err := url.Parse(config.URL.Reveal())
	require.NoError(tb, err)
	address.Path = "/" + name
	return secret.New(address.String())
}
