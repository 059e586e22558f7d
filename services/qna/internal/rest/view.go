package rest

import (
	"github.com/google/uuid"

	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// inquiryView is an element of the list. A secret inquiry is shown in full, because the caller is its seller.
type inquiryView struct {
	QnaID             uuid.UUID        `json:"qna_id"`
	ProductID         uuid.UUID        `json:"product_id"`
	ProductName       string           `json:"product_name"`
	Category          inquiry.Category `json:"category"`
	Body              string           `json:"body"`
	IsSecret          bool             `json:"is_secret"`
	MemberDisplayName string           `json:"member_display_name"`
	Status            inquiry.Status   `json:"status"`
	ImageURLs         []string         `json:"image_urls"`
	CreatedAt         timestamp.Time   `json:"created_at"`
	UpdatedAt         timestamp.Time   `json:"updated_at"`
	// Answer is an addition to the API; null while the inquiry is waiting.
	Answer *answerView `json:"answer"`
}

type answerView struct {
	Content    string         `json:"content"`
	AnsweredAt timestamp.Time `json:"answered_at"`
}

type answeredView struct {
	QnaID  uuid.UUID      `json:"qna_id"`
	Status inquiry.Status `json:"status"`
	// Converged is true when the same answer already existed.
	Converged  bool           `json:"converged"`
	AnsweredAt timestamp.Time `json:"answered_at"`
	UpdatedAt  timestamp.Time `json:"updated_at"`
	Answer     answerView     `json:"answer"`
}

func viewInquiries(inquiries []inquiry.Inquiry) []inquiryView {
	views := make([]inquiryView, 0, len(inquiries))
	for i := range inquiries {
		views = append(views, viewInquiry(&inquiries[i]))
	}
	return views
}

func viewInquiry(i *inquiry.Inquiry) inquiryView {
	view := inquiryView{
		QnaID: i.QnaID, ProductID: i.ProductID, ProductName: i.ProductName, Category: i.Category,
		Body: i.Body, IsSecret: i.IsSecret, MemberDisplayName: i.MemberDisplayName, Status: i.Status, ImageURLs: i.ImageURLs,
		CreatedAt: timestamp.Time(i.CreatedAt), UpdatedAt: timestamp.Time(i.UpdatedAt),
	}
	if i.Answer != nil {
		answer := viewAnswer(*i.Answer)
		view.Answer = &answer
	}
	return view
}

func viewAnswer(answer inquiry.Answer) answerView {
	return answerView{Content: answer.Content, AnsweredAt: timestamp.Time(answer.AnsweredAt)}
}

func viewAnswered(answered inquiry.AnswerResult) answeredView {
	return answeredView{
		QnaID: answered.QnaID, Status: inquiry.Answered, Converged: answered.Converged,
		AnsweredAt: timestamp.Time(answered.Answer.AnsweredAt), UpdatedAt: timestamp.Time(answered.UpdatedAt),
		Answer: viewAnswer(answered.Answer),
	}
}
