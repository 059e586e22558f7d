package stacktest

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	qnav1 "sellerapi.dev/proto/gen/qna/v1"
)

// Inquiry is a product inquiry as the specification describes it to clients.
type Inquiry struct {
	QnaID             string   `json:"qna_id"`
	ProductID         string   `json:"product_id"`
	ProductName       string   `json:"product_name"`
	Category          string   `json:"category"`
	Body              string   `json:"body"`
	IsSecret          bool     `json:"is_secret"`
	MemberDisplayName string   `json:"member_display_name"`
	Status            string   `json:"status"`
	ImageURLs         []string `json:"image_urls"`
	CreatedAt         string   `json:"created_at"`
	UpdatedAt         string   `json:"updated_at"`
	Answer            *struct {
		Content    string `json:"content"`
		AnsweredAt string `json:"answered_at"`
	} `json:"answer"`
}

// AnswerResult is the response to answering an inquiry.
type AnswerResult struct {
	QnaID      string `json:"qna_id"`
	Status     string `json:"status"`
	Converged  bool   `json:"converged"`
	AnsweredAt string `json:"answered_at"`
	UpdatedAt  string `json:"updated_at"`
}

// NewInquiry returns an inquiry about a product of the seller, asked a minute ago.
func NewInquiry(sellerID string) *qnav1.Inquiry {
	return &qnav1.Inquiry{
		QnaId: uuid.NewString(), SellerId: sellerID, ProductId: uuid.NewString(), ProductName: "통주물 텀블러",
		Category: "product", Body: "식기세척기에 넣어도 되나요?", MemberDisplayName: "김**",
		CreatedAt: timestamppb.New(time.Now().Add(-time.Minute).UTC().Truncate(time.Microsecond)),
	}
}

// Ask posts the inquiries.
func (s *Stack) Ask(t *testing.T, inquiries ...*qnav1.Inquiry) {
	t.Helper()
	_, err := s.Inquiries.PostInquiries(t.Context(), &qnav1.PostInquiriesRequest{Inquiries: inquiries})
	require.NoError(t, err)
}

// CancelAnswer cancels the answer of an inquiry, as an operator does.
func (s *Stack) CancelAnswer(t *testing.T, id string) {
	t.Helper()
	_, err := s.Inquiries.CancelAnswer(t.Context(), &qnav1.CancelAnswerRequest{
		QnaId: id, Operator: "op", Reason: "answered the wrong question",
	})
	require.NoError(t, err)
}
