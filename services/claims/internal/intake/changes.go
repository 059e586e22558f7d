package intake

import (
	"context"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/structpb"

	"sellerapi.dev/pkg/changes"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/timestamp"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	"sellerapi.dev/services/claims/internal/claim"
)

// Followed is the part of the store that the marketplace reads.
type Followed interface {
	// Get returns one claim of the seller, or CLAIM_NOT_FOUND.
	Get(ctx context.Context, seller uuid.UUID, no string) (claim.Claim, error)
	// RefundsOf returns the refunds of the seller's claims, by the numbers of these.
	RefundsOf(ctx context.Context, seller uuid.UUID, numbers []string) (map[string][]claim.Refund, error)
}

// Changes implements claims.v1.Changes.
type Changes struct {
	Claims  Followed
	List    changes.List[claim.Listed]
	Sellers changes.Sellers
}

var _ claimsv1connect.ChangesHandler = (*Changes)(nil)

// ChangedSellers implements claims.v1.Changes.
func (c *Changes) ChangedSellers(ctx context.Context,
	request *claimsv1.ChangedSellersRequest,
) (*claimsv1.ChangedSellersResponse, error) {
	page, err := c.Sellers.Read(ctx, request)
	response := &claimsv1.ChangedSellersResponse{Next: page.Next, More: page.More}
	for _, s := range page.Clocks {
		response.Sellers = append(response.Sellers, &claimsv1.SellerClock{SellerId: s.Seller.String(), Clock: timestamp.Format(s.Last)})
	}
	return response, err
}

// ListChanges implements claims.v1.Changes.
func (c *Changes) ListChanges(ctx context.Context, request *claimsv1.ListChangesRequest) (*claimsv1.ListChangesResponse, error) {
	page, err := c.List.Read(ctx, request)
	if err != nil {
		return nil, err
	}
	found, err := c.changed(ctx, page.Seller, page.Rows, page.Records)
	return &claimsv1.ListChangesResponse{Changes: found, After: page.After, More: page.More}, err
}

// GetClaim implements claims.v1.Changes.
func (c *Changes) GetClaim(ctx context.Context, request *claimsv1.GetClaimRequest) (*claimsv1.GetClaimResponse, error) {
	var p problems
	seller := p.UUID("seller_id", request.GetSellerId())
	one, err := answer(&p, func() (claim.Claim, error) { return c.Claims.Get(ctx, seller, request.GetClaimNo()) })
	if err != nil {
		return nil, err
	}
	listed := claim.Listed{Claim: one}
	record, err := c.List.Record(&listed)
	if err != nil {
		return nil, err
	}
	found, err := c.changed(ctx, seller, []claim.Listed{listed}, []*structpb.Struct{record})
	if err != nil {
		return nil, err
	}
	return &claimsv1.GetClaimResponse{Change: found[0]}, nil
}

// changed adds to the records of claims what no seller sees.
func (c *Changes) changed(ctx context.Context, seller uuid.UUID, claims []claim.Listed,
	records []*structpb.Struct,
) ([]*claimsv1.ChangedClaim, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	numbers := make([]string, len(claims))
	for n := range claims {
		numbers[n] = claims[n].No
	}
	refunds, err := c.Claims.RefundsOf(ctx, seller, numbers)
	if err != nil {
		return nil, err
	}
	found := make([]*claimsv1.ChangedClaim, len(claims))
	for n := range claims {
		found[n] = &claimsv1.ChangedClaim{Record: records[n], ShortfallAmount: claims[n].Money.Shortfall}
		for _, refund := range refunds[numbers[n]] {
			found[n].Refunds = append(found[n].Refunds, wireRefund(refund))
		}
	}
	return found, nil
}

func wireRefund(r claim.Refund) *claimsv1.Refund {
	return &claimsv1.Refund{
		RefundId: r.ID.String(), Kind: string(r.Kind), Status: string(r.Status), Amount: r.Amount, Points: r.Points,
		ProviderReference: r.ProviderReference, SucceededAt: rpc.Timestamp(r.SucceededAt),
	}
}
