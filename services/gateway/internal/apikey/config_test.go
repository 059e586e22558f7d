package apikey_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/gateway/internal/apikey"
)

// Cursors stay valid while a pepper is rotated, and their keys are not the peppers.
func TestCursorKeys(t *testing.T) {
	t.Parallel()
	older, newer := bytes.Repeat([]byte("o"), secret.MinKeyBytes), bytes.Repeat([]byte("n"), secret.MinKeyBytes)
	before, err := secret.NewKeys(older)
	require.NoError(t, err)
	after, err := secret.NewKeys(newer, older)
	require.NoError(t, err)
	first, err := (&apikey.Config{Pepper: before}).CursorKeys()
	require.NoError(t, err)
	second, err := (&apikey.Config{Pepper: after}).CursorKeys()
	require.NoError(t, err)
	require.Equal(t, [][]byte{first.Current()}, second.Previous())
	require.NotEqual(t, first.Current(), second.Current())
	require.NotEqual(t, older, first.Current())
	_, err = (&apikey.Config{}).CursorKeys()
	require.ErrorIs(t, err, secret.ErrNoKeys)
}
