package web

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
)

// While the largest number of large bodies is being processed, another one waits, no longer than its call; a small one does not wait.
func TestInTurn(t *testing.T) {
	t.Parallel()
	for range cap(turns) {
		turns <- struct{}{}
	}
	small, large := false, make(chan error, 1)
	require.NoError(t, InTurn(t.Context(), usualBody, func() { small = true }))
	require.True(t, small)

	ended, end := context.WithCancel(t.Context())
	end()
	err := InTurn(ended, usualBody+1, func() { require.Fail(t, "its turn has not come") })
	require.ErrorIs(t, err, apierr.Unavailable)

	go func() { large <- InTurn(context.WithoutCancel(t.Context()), usualBody+1, func() {}) }()
	for range cap(turns) {
		<-turns
	}
	require.NoError(t, <-large)
}
