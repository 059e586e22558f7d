package actor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/actor"
)

// A change always has an actor: work that nobody asked for is the system's, and a seller's key is noted with its request.
func TestOf(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	require.Equal(t, actor.Actor{By: actor.System}, actor.Of(ctx))
	require.Equal(t, actor.Actor{By: actor.Claim}, actor.Of(actor.As(ctx, actor.Claim)))
	seller := actor.Actor{By: actor.Seller, KeyID: "k", KeyPrefix: "p", RequestID: "r"}
	require.Equal(t, seller, actor.Of(actor.NewContext(ctx, seller)))
	require.Equal(t, []any{"system", (*string)(nil), (*string)(nil), (*string)(nil)}, actor.Of(ctx).Columns())
}
