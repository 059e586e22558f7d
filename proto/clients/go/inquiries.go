package sellerapi

import (
	"context"
	"iter"
)

// ListInquiries reads one page of product inquiries, latest change first. Inquiries reads all pages.
func (c *Client) ListInquiries(ctx context.Context, filter InquiryFilter, options ...CallOption) (InquiryList, error) {
	return read[InquiryList](ctx, c, listInquiries, "", queryOf(filter), options)
}

// Inquiries iterates over all inquiries that match the filter, latest change first, reading page after page. An error
// is the last element. After CodeInvalidCursor start again.
func (c *Client) Inquiries(ctx context.Context, filter InquiryFilter, options ...CallOption) iter.Seq2[Inquiry, error] {
	return walk(place{filter.After, filter.Cursor}, func(at place) (InquiryList, error) {
		filter.After, filter.Cursor = at.after, at.cursor
		return c.ListInquiries(ctx, filter, options...)
	})
}

// AnswerInquiry answers an inquiry. An answer cannot be changed: the same content again succeeds with Converged, other
// content fails with CodeQnAAlreadyAnswered.
func (c *Client) AnswerInquiry(ctx context.Context, qnaID string, request AnswerRequest,
	options ...CallOption,
) (InquiryAnswered, error) {
	return process[InquiryAnswered](ctx, c, answerInquiry, qnaID, request, nil, options)
}
