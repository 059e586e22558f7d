package intake_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/changes"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust/trusttest"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/qna/internal/inquiry"
	"sellerapi.dev/services/qna/internal/intake"
	"sellerapi.dev/services/qna/internal/rest"
	"sellerapi.dev/services/qna/internal/store"
)

type fixture struct {
	*pgtest.DB
	store  *store.Store
	client qnav1connect.IntakeClient
	// changes is the client of the marketplace's way back.
	changes qnav1connect.ChangesClient
	url     string
}

func setup(t *testing.T) fixture {
	t.Helper()
	config := rpc.Config{Timeout: 30 * time.Second}
	mux, err := rpc.NewMux("qna", trusttest.Keys(), config, telemetrytest.Discard(t))
	require.NoError(t, err)
	db := pgtest.New(t, store.Migrations())
	b := fixture{DB: db, store: store.New(db.AsService(t))}
	mux.Handle(qnav1connect.NewIntakeHandler(intake.New(b.store), mux.Options()))
	cursors, err := paging.NewSigner(make([]byte, 32))
	require.NoError(t, err)
	api := rest.API{Inquiries: b.store, Cursors: cursors}
	mux.Handle(qnav1connect.NewChangesHandler(&intake.Changes{
		Inquiries: b.store, List: api.Changes(), Sellers: changes.Sellers{Cursors: cursors, Changed: b.store.Changed},
	}, mux.Options()))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	settings := rpctest.Client(t, rpc.CallerMarketplace, "qna", config)
	b.client, b.url = qnav1connect.NewIntakeClient(settings.HTTP, server.URL, settings.Options), server.URL
	b.changes = qnav1connect.NewChangesClient(settings.HTTP, server.URL, settings.Options)
	return b
}

func message(seller uuid.UUID) *qnav1.Inquiry {
	return &qnav1.Inquiry{
		QnaId: uuid.NewString(), SellerId: seller.String(), ProductId: uuid.NewString(), ProductName: "손목시계", Category: "product",
		Body: "방수가 되나요?", IsSecret: true, MemberDisplayName: "김**", ImageUrls: []string{"https://img.example/1.jpg"},
		CreatedAt: timestamppb.New(time.Date(2026, 5, 1, 8, 30, 0, 123456789, time.UTC)),
	}
}

func (b fixture) post(t *testing.T, messages ...*qnav1.Inquiry) ([]qnav1.PostOutcome, error) {
	t.Helper()
	response, err := b.client.PostInquiries(t.Context(), &qnav1.PostInquiriesRequest{Inquiries: messages})
	if err != nil {
		return nil, err
	}
	return response.GetOutcomes(), nil
}

func (b fixture) answer(t *testing.T, seller, id uuid.UUID) {
	t.Helper()
	require.NoError(t, postgres.InTx(t.Context(), b.Pool, func(ctx context.Context, tx pgx.Tx) error {
		command := inquiry.AnswerCommand{SellerID: seller, KeyID: "key-1", QnaID: id, Content: "yes"}
		_, err := b.store.Answer(ctx, postgres.Pass(tx), command)
		return err
	}))
}

func (b fixture) list(t *testing.T, seller uuid.UUID) []inquiry.Inquiry {
	t.Helper()
	page, err := b.store.List(t.Context(), seller, inquiry.Filter{}, nil, paging.MaxLimit)
	require.NoError(t, err)
	return page.Rows
}

func fieldsOf(t *testing.T, err error) []string {
	t.Helper()
	row := apierr.From(err)
	require.Equal(t, apierr.ValidationError, row.Code)
	list, _ := row.Data["errors"].([]any)
	fields := make([]string, 0, len(list))
	for _, element := range list {
		problem, ok := element.(map[string]any)
		require.True(t, ok)
		field, _ := problem["field"].(string)
		fields = append(fields, field)
	}
	return fields
}

// A posted inquiry belongs to its seller and has every field that was sent.
func TestPost_everyFieldArrives(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	sent := message(seller)
	outcomes, err := b.post(t, sent)
	require.NoError(t, err)
	require.Equal(t, []qnav1.PostOutcome{qnav1.PostOutcome_POST_OUTCOME_POSTED}, outcomes)
	require.Equal(t, inquiry.Posted{
		QnaID: uuid.MustParse(sent.GetQnaId()), SellerID: seller, ProductID: uuid.MustParse(sent.GetProductId()),
		ProductName: "손목시계", Category: inquiry.CategoryProduct, Body: "방수가 되나요?", IsSecret: true, MemberDisplayName: "김**",
		ImageURLs: []string{"https://img.example/1.jpg"}, CreatedAt: time.Date(2026, 5, 1, 8, 30, 0, 123456000, time.UTC),
	}, b.list(t, seller)[0].Posted)
}

// The outcomes of a call are in the order of its inquiries.
func TestPost_outcomesInOrderOfRequest(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	first, second := message(seller), message(seller)
	_, err := b.post(t, first)
	require.NoError(t, err)
	other := message(seller)
	other.QnaId = first.GetQnaId()
	outcomes, err := b.post(t, other, second, first, second)
	require.NoError(t, err)
	require.Equal(t, []qnav1.PostOutcome{
		qnav1.PostOutcome_POST_OUTCOME_CONFLICT, qnav1.PostOutcome_POST_OUTCOME_POSTED,
		qnav1.PostOutcome_POST_OUTCOME_ALREADY_POSTED, qnav1.PostOutcome_POST_OUTCOME_ALREADY_POSTED,
	}, outcomes)
}

// A call without inquiries has no outcomes and no error.
func TestPost_noInquiries(t *testing.T) {
	t.Parallel()
	outcomes, err := setup(t).post(t)
	require.NoError(t, err)
	require.Empty(t, outcomes)
}

// A batch with one invalid inquiry is refused as a whole, and the error names the field, so that the caller need not find out
// which inquiries were stored.
func TestPost_malformedInquiryNamesField(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	short, none := message(seller), message(seller)
	short.QnaId = short.GetQnaId()[:35]
	none.SellerId, none.ProductId, none.Body, none.CreatedAt = "", "{"+none.GetProductId()+"}", " ", nil
	_, err := b.post(t, message(seller), short, none, &qnav1.Inquiry{CreatedAt: timestamppb.New(time.Now().Add(time.Hour))})
	require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))
	require.Equal(t, []string{
		"inquiries[1].qna_id",
		"inquiries[2].seller_id", "inquiries[2].product_id", "inquiries[2].body", "inquiries[2].created_at",
		"inquiries[3].qna_id", "inquiries[3].seller_id", "inquiries[3].product_id", "inquiries[3].product_name",
		"inquiries[3].category", "inquiries[3].body", "inquiries[3].member_display_name", "inquiries[3].created_at",
	}, fieldsOf(t, err))
	require.Empty(t, b.list(t, seller))
}

func TestPost_limits(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	_, err := b.post(t, slices.Repeat([]*qnav1.Inquiry{message(seller)}, 5001)...)
	require.Equal(t, []string{"inquiries"}, fieldsOf(t, err))
	_, err = b.post(t, slices.Repeat([]*qnav1.Inquiry{{}}, 5000)...)
	require.Len(t, fieldsOf(t, err), 100)
	outcomes, err := b.post(t, slices.Repeat([]*qnav1.Inquiry{message(seller)}, 5000)...)
	require.NoError(t, err)
	require.Len(t, outcomes, 5000)
}

// An operator cancels an answer once; a repetition changes nothing.
func TestCancelAnswer_once(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	sent := message(seller)
	_, err := b.post(t, sent)
	require.NoError(t, err)
	b.answer(t, seller, uuid.MustParse(sent.GetQnaId()))
	cancel := &qnav1.CancelAnswerRequest{QnaId: sent.GetQnaId(), Operator: "kim", Reason: "wrong product"}
	for _, changed := range []bool{true, false} {
		response, err := b.client.CancelAnswer(t.Context(), cancel)
		require.NoError(t, err)
		require.Equal(t, changed, response.GetChanged())
		require.Equal(t, inquiry.Waiting, b.list(t, seller)[0].Status)
	}
}

// A cancellation must name an inquiry that exists, the operator and the reason.
func TestCancelAnswer_needsIDOperatorReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.client.CancelAnswer(t.Context(), &qnav1.CancelAnswerRequest{
		QnaId: uuid.NewString(), Operator: "kim", Reason: "wrong product",
	})
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))
	require.Equal(t, apierr.QnaNotFound, apierr.From(err).Code)

	for field, request := range map[string]*qnav1.CancelAnswerRequest{
		"qna_id":   {QnaId: "1", Operator: "kim", Reason: "wrong"},
		"operator": {QnaId: uuid.NewString(), Operator: " ", Reason: "wrong"},
		"reason":   {QnaId: uuid.NewString(), Operator: "kim", Reason: strings.Repeat("a", 1001)},
	} {
		_, err := b.client.CancelAnswer(t.Context(), request)
		require.Equal(t, []string{field}, fieldsOf(t, err))
	}
	_, err = b.client.CancelAnswer(t.Context(), &qnav1.CancelAnswerRequest{Operator: "a\x00", Reason: ""})
	require.Equal(t, []string{"qna_id", "operator", "reason"}, fieldsOf(t, err))
}

// The procedures also accept plain JSON over HTTP, for people with curl, and refuse calls without a token.
func TestCall_plainJSONNeedsToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for token, want := range map[string]int{
		rpctest.Token(t, "marketplace", "qna"): http.StatusOK, rpctest.Token(t, "orders", "qna"): http.StatusForbidden,
		rpctest.Token(t, "marketplace", "orders"): http.StatusUnauthorized, "": http.StatusUnauthorized,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/qna.v1.Intake/PostInquiries",
			strings.NewReader(`{"inquiries":[]}`))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, want, response.StatusCode)
	}
}
