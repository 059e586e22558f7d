package stacktest

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/stack"
)

// Own starts a system of the test's own, with a database of its own, and ends it with the test. It is for faults that no
// other test may feel; change says what is different in it. Its tables are on one node in either layout.
func Own(t *testing.T, change func(*stack.Config)) *Stack {
	t.Helper()
	shared := Use(t)
	name := "own_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	_, err := shared.SQL(t).Exec(t.Context(), "create database "+name)
	require.NoError(t, err)
	database, err := url.Parse(shared.databaseURL)
	require.NoError(t, err)
	database.Path = "/" + name
	ctx, cancel := context.WithTimeout(t.Context(), startPatience)
	defer cancel()
	s, running, err := startOn(ctx, database.String(), shared.redisURL, change)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, running.Stop()) })
	return s
}
