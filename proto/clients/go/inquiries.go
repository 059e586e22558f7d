package sellerapi

import (
	"context"
	"iter"
	"time"
)

// InquiryFilter chooses inquiries; fields that are zero do not. Both ends of a range belong to it.
type InquiryFilter struct {
	Status       InquiryStatus `query:"status"`
	UpdatedAtGte time.Time     `query:"updated_at_gte"`
	UpdatedAtLte time.Time     `query:"updated_at_lte"`
	// Limit is the size of a page, 1 to 100; 50 when it is zero.
	Limit int `query:"limit"`
	// Cursor is the NextCursor of the page before.
	Cursor string `query:"cursor"`
}

// ListInquiries reads one page of product inquiries, latest change first. Inquiries reads all pages.
func (c *Client) ListInquiries(ctx context.Context, filter InquiryFilter, options ...CallOption) (InquiryList, error) {
	return read[InquiryList](ctx, c, listInquiries, "", queryOf(filter), options)
}

// Inquiries walks through all inquiries that the filter chooses, latest change first, reading page after page. An error
// is the last element. After CodeInvalidCursor start again.
func (c *Client) Inquiries(ctx context.Context, filter InquiryFilter, options ...CallOption) iter.Seq2[Inquiry, error] {
	return walk(filter.Cursor, func(cursor string) (InquiryList, error) {
		filter.Cursor = cursor
		return c.ListInquiries(ctx, filter, options...)
	})
}

// AnswerInquiry answers an inquiry. An answer cannot be changed: the same content again succeeds with Converged, other
// content is CodeQnAAlreadyAnswered.
func (c *Client) AnswerInquiry(ctx context.Context, qnaID string, request AnswerRequest, options ...CallOption) (InquiryAnswered, error) {
	return process[InquiryAnswered](ctx, c, answerInquiry, qnaID, request, nil, options)
}

// InquiryList is one page of inquiries.
type InquiryList = Page[Inquiry]

// Inquiry is a customer's question about a product. Never show one with IsSecret to others than the seller.
type Inquiry struct {
	QnAID             string          `json:"qna_id"`
	ProductID         string          `json:"product_id"`
	ProductName       string          `json:"product_name"`
	Category          InquiryCategory `json:"category"`
	Body              string          `json:"body"`
	IsSecret          bool            `json:"is_secret"`
	MemberDisplayName string          `json:"member_display_name"`
	Status            InquiryStatus   `json:"status"`
	ImageURLs         []string        `json:"image_urls"`
	CreatedAt         time.Time       `json:"created_at"`
	UpdatedAt         time.Time       `json:"updated_at"`
	// Answer is the answer that stands; nil while the inquiry waits.
	Answer *InquiryAnswer `json:"answer"`
}

// InquiryAnswer is an answer as it was sent.
type InquiryAnswer struct {
	Content    string    `json:"content"`
	AnsweredAt time.Time `json:"answered_at"`
}

// AnswerRequest is an answer of 1 to 4000 characters.
type AnswerRequest struct {
	Content string `json:"content"`
}

// InquiryAnswered tells the answer that the inquiry has now.
type InquiryAnswered struct {
	QnAID  string        `json:"qna_id"`
	Status InquiryStatus `json:"status"`
	// Converged says that the same answer was there before this call.
	Converged  bool          `json:"converged"`
	AnsweredAt time.Time     `json:"answered_at"`
	UpdatedAt  time.Time     `json:"updated_at"`
	Answer     InquiryAnswer `json:"answer"`
}
