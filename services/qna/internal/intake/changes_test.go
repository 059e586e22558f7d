package intake_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"sellerapi.dev/pkg/apierr"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
)

// Whatever happens between its pages, a reader has at rest what GetInquiry returns of each inquiry.
func TestChanges_exactCopy(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	copied, after := map[string]*qnav1.ChangedInquiry{}, ""
	read := func(limit int32) bool {
		page, err := b.changes.ListChanges(t.Context(), &qnav1.ListChangesRequest{
			SellerId: seller.String(), After: after, Limit: limit,
		})
		require.NoError(t, err)
		for _, i := range page.GetChanges() {
			copied[i.GetRecord().AsMap()["qna_id"].(string)] = i
		}
		after = page.GetAfter()
		return page.GetMore()
	}
	asked := make([]uuid.UUID, 0, 20)
	for n := range 20 {
		sent := message(seller)
		_, err := b.post(t, sent, message(uuid.New()))
		require.NoError(t, err)
		asked = append(asked, uuid.MustParse(sent.GetQnaId()))
		if n%3 == 0 {
			b.answer(t, seller, asked[n/2])
		}
		read(2)
	}
	_, err := b.client.CancelAnswer(t.Context(), &qnav1.CancelAnswerRequest{
		QnaId: asked[0].String(), Operator: "kim", Reason: "wrong",
	})
	require.NoError(t, err)
	for read(3) {
		continue
	}
	require.Len(t, copied, len(asked))
	for _, id := range asked {
		got, err := b.changes.GetInquiry(t.Context(), &qnav1.GetInquiryRequest{SellerId: seller.String(), QnaId: id.String()})
		require.NoError(t, err)
		require.True(t, proto.Equal(got.GetChange(), copied[id.String()]))
	}
	require.Equal(t, "waiting", copied[asked[0].String()].GetRecord().AsMap()["status"])
	require.Equal(t, "answered", copied[asked[1].String()].GetRecord().AsMap()["status"])
	sellers, err := b.changes.ChangedSellers(t.Context(), &qnav1.ChangedSellersRequest{Limit: 30})
	require.NoError(t, err)
	require.Len(t, sellers.GetSellers(), 21)
	last := sellers.GetSellers()[20]
	require.Equal(t, seller.String(), last.GetSellerId())
	require.Equal(t, copied[asked[0].String()].GetRecord().AsMap()["updated_at"], last.GetClock())
}

// An inquiry that does not exist, or is another seller's, is not found.
func TestChanges_notFound(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	sent := message(seller)
	_, err := b.post(t, sent)
	require.NoError(t, err)
	for _, request := range []*qnav1.GetInquiryRequest{
		{SellerId: uuid.NewString(), QnaId: sent.GetQnaId()},
		{SellerId: seller.String(), QnaId: uuid.NewString()},
		{SellerId: seller.String(), QnaId: "x"},
	} {
		_, err := b.changes.GetInquiry(t.Context(), request)
		require.ErrorIs(t, err, apierr.QnaNotFound)
	}
	_, err = b.changes.GetInquiry(t.Context(), &qnav1.GetInquiryRequest{QnaId: sent.GetQnaId()})
	require.ErrorIs(t, err, apierr.ValidationError)
}
