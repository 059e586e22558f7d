package intake_test

import (
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// A time that was never set is refused with the field's name, and nothing of the
// call is posted.
func TestImplausibleTimes(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for _, at := range []time.Time{{}, time.Unix(0, 0), time.Date(1999, 12, 31, 23, 59, 59, 999_999_000, time.UTC)} {
		bad := message(seller)
		bad.CreatedAt = timestamppb.New(at)
		_, err := b.post(t, message(seller), bad)
		require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))
		require.Equal(t, []string{"inquiries[1].created_at"}, fieldsOf(t, err))
	}
	require.Empty(t, b.list(t, seller))
}
