package stacktest

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/allinone/stack"
)

// Own starts a separate system for the test, with a database of its own, and stops it at the end of the test. It is for
// faults that must not affect other tests; change modifies its configuration.
func Own(t *testing.T, change func(*stack.Config)) *Stack {
	t.Helper()
	shared := Use(t)
	return open(t, shared.database(t), shared.redisURL, change)
}

// OwnOn is Own with a database that the test has created.
func OwnOn(t *testing.T, database secret.Text, change func(*stack.Config)) *Stack {
	t.Helper()
	redis, err := launch.PooledRedis(t.Context())
	require.NoError(t, err)
	return open(t, database.Reveal(), redis.URL, change)
}

func open(t *testing.T, database, redis string, change func(*stack.Config)) *Stack {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	s, running, err := startOn(ctx, database, redis, change)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, running.Stop()) })
	return s
}

// Beside starts another system on the servers and in the database of this one, and stops it at the end of the test.
func (s *Stack) Beside(t *testing.T, change func(*stack.Config)) *Stack {
	t.Helper()
	return open(t, s.databaseURL, s.redisURL, change)
}

// Stop stops a system that Own started before the test ends.
func (s *Stack) Stop(t *testing.T) {
	t.Helper()
	require.NoError(t, s.running.Stop())
}

func (s *Stack) database(t *testing.T) string {
	t.Helper()
	name := "own_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	if s.nodes != nil {
		made, err := s.nodes.Database(t.Context(), name)
		require.NoError(t, err)
		return made
	}
	_, err := s.SQL(t).Exec(t.Context(), "create database "+name)
	require.NoError(t, err)
	database, err := url.Parse(s.databaseURL)
	require.NoError(t, err)
	database.Path = "/" + name
	return database.String()
}
