package store

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// No statement sees or changes any seller's row if its transaction has no seller, or another one, whatever the statement itself
// says of the seller.
func TestRowSecurity_everyStatement(t *testing.T) {
	t.Parallel()
	db, recorder := recorded(t)
	pgtest.RequireRowSecurity(t, db, recorder, queries.Names(), map[string]string{
		"InboxCount":         "asks the planner's estimates",
		"InboxForgetAnswers": "the answer is forgotten by now",
	})
}

func recorded(t *testing.T) (*pgtest.DB, *pgtest.Recorder) {
	t.Helper()
	db := pgtest.New(t, Migrations())
	pool, recorder := db.Recorded(t)
	s, seller := New(pool), uuid.New()
	box := inbox.New(pool, inbox.Config{})
	answers := func(id uuid.UUID) {
		key := inbox.Key{Seller: seller, Digest: inbox.Digest(uuid.New()), Fingerprint: inbox.Fingerprint(uuid.New())}
		_, outcome, err := box.Once(t.Context(), key, func(ctx context.Context, tx pgx.Tx) (inbox.Answer, error) {
			_, err := s.Answer(ctx, postgres.Pass(tx), inquiry.AnswerCommand{SellerID: seller, KeyID: "key", QnaID: id, Content: "yes"})
			return inbox.Answer{Status: 200, Body: []byte("{}"), Stored: true}, err
		})
		require.NoError(t, err)
		require.True(t, outcome.Stored)
	}
	_, err := s.Now(t.Context(), nil)
	require.NoError(t, err)
	canceled := uuid.New()
	for id, of := range map[uuid.UUID]uuid.UUID{canceled: seller, uuid.New(): uuid.New(), uuid.New(): seller} {
		_, err := s.Post(t.Context(), []inquiry.Posted{{
			QnaID: id, SellerID: of, ProductID: uuid.New(), ProductName: "p", Category: inquiry.CategoryEtc, Body: "b",
			MemberDisplayName: "m", CreatedAt: time.Now(),
		}})
		require.NoError(t, err)
		if of == seller {
			answers(id)
		}
	}
	_, err = s.Cancel(t.Context(), inquiry.CancelCommand{QnaID: canceled, Operator: "o", Reason: "r"})
	require.NoError(t, err)
	page, err := s.List(t.Context(), seller, inquiry.Filter{}, nil, 10)
	require.NoError(t, err)
	require.Len(t, page.Rows, 2)
	forward, err := s.Forward(t.Context(), seller, paging.Beginning(), 10)
	require.NoError(t, err)
	require.Len(t, forward.Rows, 2)
	_, err = s.Find(t.Context(), seller, canceled)
	require.NoError(t, err)
	sellers, _, err := s.Changed(t.Context(), paging.Beginning(), 10)
	require.NoError(t, err)
	require.Len(t, sellers, 2)
	clocks, err := s.Clocks(t.Context(), [][]byte{seller[:]})
	require.NoError(t, err)
	require.Equal(t, []int64{forward.Clock.UnixMicro()}, clocks)
	overdue := func(answers string) {
		_, err := db.Pool.Exec(t.Context(), `update inbox_answers set answered_at = now() - interval '2 days'
			where digest in (select digest from inbox_answers `+answers+")")
		require.NoError(t, err)
	}
	overdue("limit 1")
	_, err = sweep.New(box.Sweeps()[0], telemetrytest.Discard(t)).Once(t.Context())
	require.NoError(t, err)
	var kept int
	require.NoError(t, db.Pool.QueryRow(t.Context(), "select count(*) from inbox_answers").Scan(&kept))
	require.Equal(t, 1, kept, "of two")
	overdue("") // so that there is something to find again
	for _, gauge := range box.Gauges() {
		rows, err := postgres.AllSellers(pool).Query(t.Context(), gauge.SQL, gauge.Args...)
		require.NoError(t, err)
		rows.Close()
	}
	return db, recorder
}
