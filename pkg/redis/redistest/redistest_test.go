package redistest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis/redistest"
)

// Each test has an empty database of its own, which is returned at its end.
func TestNew_emptyDatabasePerTest(t *testing.T) {
	t.Parallel()
	outer := redistest.New(t)
	for range 80 { // more than there are databases: they are reused
		t.Run("inner", func(t *testing.T) {
			t.Parallel()
			inner := redistest.New(t)
			require.Zero(t, inner.Client.DBSize(t.Context()).Val())
			require.NoError(t, inner.Client.Set(t.Context(), "k", "inner", 0).Err())
			require.ErrorContains(t, outer.Client.Get(t.Context(), "k").Err(), "nil")
			require.NotEqual(t, outer.Config.URL.Reveal(), inner.Config.URL.Reveal())
			require.Nil(t, inner.Process)
		})
	}
}
