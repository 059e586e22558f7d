package qna_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/service/servicetest"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/qna"
)

// Of two inquiries, the one that was created within the window counts as
// growth.
func TestSizeCommand(t *testing.T) {
	t.Parallel()
	settings := config(t)
	settings.Postgres.URL = pgtest.Database(t)
	require.NoError(t, qna.Schema.Migrate(t.Context(), settings.Postgres))
	require.Nil(t, servicetest.Size(t, qna.Schema.SizeCommand(), settings.Postgres).Growth, "there is no inquiry")

	addresses := start(t, settings)
	caller := rpctest.Client(t, rpc.CallerMarketplace, "qna", settings.RPC)
	marketplace := qnav1connect.NewIntakeClient(caller.HTTP, "http://"+addresses["rpc"], caller.Options)
	for _, age := range []time.Duration{48 * time.Hour, time.Hour} {
		_, err := marketplace.PostInquiries(t.Context(), &qnav1.PostInquiriesRequest{Inquiries: []*qnav1.Inquiry{{
			QnaId: uuid.NewString(), SellerId: uuid.NewString(), ProductId: uuid.NewString(), ProductName: "손목시계", Category: "product",
			Body: "방수가 되나요?", MemberDisplayName: "김**", CreatedAt: timestamppb.New(time.Now().Add(-age)),
		}}})
		require.NoError(t, err)
	}

	report := servicetest.Size(t, qna.Schema.SizeCommand(), settings.Postgres)
	require.Equal(t, "inquiry", report.Record.Name)
	require.Equal(t, "inquiry_ids by inquiries.created_at", report.Growth.BasedOn)
	require.InDelta(t, 86400, report.Growth.Seconds, 1)
	require.InDelta(t, 1, report.Growth.RecordsPerDay, 1e-3)
	require.NotNil(t, report.Inbox)
}
