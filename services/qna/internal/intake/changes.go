package intake

import (
	"context"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/changes"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/timestamp"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// Followed is the part of the store that the marketplace reads.
type Followed interface {
	// Find returns one of the seller's inquiries, or QNA_NOT_FOUND.
	Find(ctx context.Context, seller, qnaID uuid.UUID) (inquiry.Inquiry, error)
}

// Changes implements qna.v1.Changes.
type Changes struct {
	Inquiries Followed
	List      changes.List[inquiry.Inquiry]
	Sellers   changes.Sellers
}

var _ qnav1connect.ChangesHandler = (*Changes)(nil)

// ChangedSellers implements qna.v1.Changes.
func (c *Changes) ChangedSellers(ctx context.Context,
	request *qnav1.ChangedSellersRequest,
) (*qnav1.ChangedSellersResponse, error) {
	page, err := c.Sellers.Read(ctx, request)
	response := &qnav1.ChangedSellersResponse{Next: page.Next, More: page.More}
	for _, s := range page.Clocks {
		response.Sellers = append(response.Sellers, &qnav1.SellerClock{SellerId: s.Seller.String(), Clock: timestamp.Format(s.Last)})
	}
	return response, err
}

// ListChanges implements qna.v1.Changes.
func (c *Changes) ListChanges(ctx context.Context, request *qnav1.ListChangesRequest) (*qnav1.ListChangesResponse, error) {
	page, err := c.List.Read(ctx, request)
	response := &qnav1.ListChangesResponse{After: page.After, More: page.More}
	for _, record := range page.Records {
		response.Changes = append(response.Changes, &qnav1.ChangedInquiry{Record: record})
	}
	return response, err
}

// GetInquiry implements qna.v1.Changes. An id that none can have is not found.
func (c *Changes) GetInquiry(ctx context.Context, request *qnav1.GetInquiryRequest) (*qnav1.GetInquiryResponse, error) {
	var p, id invalid.Problems
	seller, qnaID := p.UUID("seller_id", request.GetSellerId()), id.UUID("qna_id", request.GetQnaId())
	if err := p.Err(); err != nil {
		return nil, err
	}
	if id.Err() != nil {
		return nil, apierr.QnaNotFound
	}
	found, err := c.Inquiries.Find(ctx, seller, qnaID)
	if err != nil {
		return nil, err
	}
	record, err := c.List.Record(&found)
	return &qnav1.GetInquiryResponse{Change: &qnav1.ChangedInquiry{Record: record}}, err
}
