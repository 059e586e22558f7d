package web

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
)

// While the largest number of large bodies is being processed, another one waits, no longer than its call; a small one does not
// wait.
func TestInSlot(t *testing.T) {
	t.Parallel()
	for range cap(slots) {
		slots <- struct{}{}
	}
	small, large := false, make(chan error, 1)
	require.NoError(t, InSlot(t.Context(), usualBody, func() { small = true }))
	require.True(t, small)

	ended, end := context.WithCancel(t.Context())
	end()
	err := InSlot(ended, usualBody+1, func() { require.Fail(t, "there is no slot") })
	require.ErrorIs(t, err, apierr.Unavailable)

	go func() { large <- InSlot(context.WithoutCancel(t.Context()), usualBody+1, func() {}) }()
	for range cap(slots) {
		<-slots
	}
	require.NoError(t, <-large)
}
