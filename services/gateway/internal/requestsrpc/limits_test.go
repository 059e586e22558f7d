package requestsrpc_test

import (
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
)

// charge charges a call of a key.
func (b *fixture) charge(t *testing.T, key apikey.Key, class operation.Class, rows int) {
	t.Helper()
	require.NoError(t, b.admitter.PutKey(t.Context(), key, time.Time{}))
	decision, err := b.admitter.Charge(t.Context(), admission.Call{Key: key, Class: class, Reserve: rows})
	require.NoError(t, err)
	require.Equal(t, admission.Admitted, decision.Verdict)
}

func (b *fixture) limitUses(t *testing.T, seller uuid.UUID) ([]*gatewayv1.LimitUse, error) {
	t.Helper()
	answer, err := b.client.ListLimitUses(t.Context(), &gatewayv1.ListLimitUsesRequest{SellerId: seller.String(), Actor: "kim"})
	return answer.GetUses(), err
}

// Each active key has what its calls have used, and its limits, however often one looks. Keys that ended and those of other
// sellers are not among them.
func TestListLimitUses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two, ended := b.issue(t, b.seller), b.issue(t, b.seller), b.issue(t, b.seller)
	other := uuid.New()
	b.register(t, other)
	b.charge(t, b.issue(t, other), operation.Read, 7)
	b.charge(t, one, operation.Read, 100)
	b.charge(t, one, operation.Read, 50)
	b.charge(t, one, operation.Process, 0)
	_, err := b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: b.seller, KeyID: ended.ID, Author: kim})
	require.NoError(t, err)
	use := func(key apikey.Key, reads, rows, processes int64) string {
		return (&gatewayv1.LimitUse{
			KeyId: key.ID.String(), KeyPrefix: key.Prefix, Window: durationpb.New(time.Minute),
			Reads: &gatewayv1.Used{Number: reads, Limit: 60}, Rows: &gatewayv1.Used{Number: rows, Limit: 3000},
			Processes: &gatewayv1.Used{Number: processes, Limit: 30},
		}).String()
	}
	for range 3 {
		uses, err := b.limitUses(t, b.seller)
		require.NoError(t, err)
		require.Len(t, uses, 2)
		require.Equal(t, use(two, 0, 0, 0), uses[0].String())
		require.Equal(t, use(one, 2, 150, 1), uses[1].String())
	}
	uses, err := b.limitUses(t, uuid.New())
	require.NoError(t, err)
	require.Empty(t, uses)
}

// Without Redis the uses are unknown, and it says so.
func TestListLimitUses_redisAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.issue(t, b.seller)
	require.NoError(t, b.redis.Client.Close())
	_, err := b.limitUses(t, b.seller)
	require.ErrorIs(t, err, apierr.RateLimitUnavailable)
	require.Equal(t, connect.CodeUnavailable, connect.CodeOf(err))
}
