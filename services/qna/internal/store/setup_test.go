package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/qna/internal/inquiry"
	"sellerapi.dev/services/qna/internal/store"
)

type fixture struct {
	*pgtest.DB
	store *store.Store
	// secured is the pool of the store, which is subject to row-level security.
	secured *postgres.Pool
}

func setup(t *testing.T) fixture {
	t.Helper()
	db := pgtest.New(t, store.Migrations())
	db.Config.Settings = postgres.PlannerSettings()
	secured := db.AsService(t)
	return fixture{DB: db, secured: secured, store: store.New(secured)}
}

var morning = time.Date(2026, 5, 1, 8, 30, 0, 123456000, time.UTC)

func posted(seller uuid.UUID) inquiry.Posted {
	return inquiry.Posted{
		QnaID: uuid.New(), SellerID: seller, ProductID: uuid.New(), ProductName: "손목시계", Category: inquiry.CategoryProduct,
		Body: "방수가 되나요?", IsSecret: true, MemberDisplayName: "김**",
		ImageURLs: []string{"https://img.example/1.jpg", "https://img.example/2.jpg"}, CreatedAt: morning,
	}
}

func (b fixture) postOne(t *testing.T, seller uuid.UUID) uuid.UUID {
	t.Helper()
	p := posted(seller)
	outcomes, err := b.store.Post(t.Context(), []inquiry.Posted{p})
	require.NoError(t, err)
	require.Equal(t, []inquiry.PostOutcome{inquiry.PostNew}, outcomes)
	return p.QnaID
}

func (b fixture) listAll(t *testing.T, seller uuid.UUID, filter inquiry.Filter) []inquiry.Inquiry {
	t.Helper()
	var list []inquiry.Inquiry
	var after *paging.Position
	for {
		page, err := b.store.List(t.Context(), seller, filter, after, paging.MaxLimit)
		require.NoError(t, err)
		list = append(list, page.Rows...)
		if after = page.Next; after == nil {
			return list
		}
	}
}

var everything = inquiry.Filter{}

func answerOf(seller, qnaID uuid.UUID, content string) inquiry.AnswerCommand {
	return inquiry.AnswerCommand{SellerID: seller, KeyID: "key-1", QnaID: qnaID, Content: content}
}

// answer answers as the public operation does, in a transaction of its own.
func (b fixture) answer(ctx context.Context, command inquiry.AnswerCommand) (answered inquiry.AnswerResult, err error) {
	err = postgres.InTx(ctx, postgres.OfSeller(b.secured, command.SellerID), func(ctx context.Context, tx pgx.Tx) error {
		answered, err = b.store.Answer(ctx, postgres.Pass(tx), command)
		return err
	})
	return answered, err
}

func cancelOf(qnaID uuid.UUID) inquiry.CancelCommand {
	return inquiry.CancelCommand{QnaID: qnaID, Operator: "operator-1", Reason: "wrong product"}
}

func (b fixture) count(t *testing.T, from string) int {
	t.Helper()
	var n int
	require.NoError(t, b.Pool.QueryRow(t.Context(), "select count(*) from "+from).Scan(&n))
	return n
}
