package sellerapi

import (
	"context"
	"iter"
)

// ListClaims reads one page of claims, latest change first. Claims reads all pages.
func (c *Client) ListClaims(ctx context.Context, filter ClaimFilter, options ...CallOption) (ClaimList, error) {
	return read[ClaimList](ctx, c, listClaims, "", queryOf(filter), options)
}

// Claims iterates over all claims that match the filter, latest change first, reading page after page. An error is the
// last element. After CodeInvalidCursor start again.
func (c *Client) Claims(ctx context.Context, filter ClaimFilter, options ...CallOption) iter.Seq2[Claim, error] {
	return walk(place{filter.After, filter.Cursor}, func(at place) (ClaimList, error) {
		filter.After, filter.Cursor = at.after, at.cursor
		return c.ListClaims(ctx, filter, options...)
	})
}

// GetClaim reads one claim.
func (c *Client) GetClaim(ctx context.Context, claimNo string, options ...CallOption) (Claim, error) {
	return read[Claim](ctx, c, getClaim, claimNo, nil, options)
}

// GetClaimHistory reads what happened to one claim, and who caused it.
func (c *Client) GetClaimHistory(ctx context.Context, claimNo string, options ...CallOption) (ClaimHistory, error) {
	return read[ClaimHistory](ctx, c, getClaimHistory, claimNo, nil, options)
}

// ApproveClaim approves a claim that is requested. A cancel is refunded now; a return or an exchange waits for its
// pickup.
func (c *Client) ApproveClaim(ctx context.Context, claimNo string, options ...CallOption) (Claim, error) {
	return c.act(ctx, approveClaim, claimNo, nil, Claim.wasApproved, options)
}

// RejectClaim rejects a claim that is requested or, for returns and exchanges, inspecting.
func (c *Client) RejectClaim(ctx context.Context, claimNo string, request RejectRequest, options ...CallOption) (Claim, error) {
	return c.act(ctx, rejectClaim, claimNo, request, Claim.wasRejected, options)
}

// PickupClaim registers the parcel by which the goods come back.
func (c *Client) PickupClaim(ctx context.Context, claimNo string, request ParcelRequest, options ...CallOption) (Claim, error) {
	pickedUp := func(claim Claim) bool { return request.is(claim.CollectCarrierName, claim.CollectTrackingNo) }
	return c.act(ctx, pickupClaim, claimNo, request, pickedUp, options)
}

// CollectDoneClaim registers that the goods have come back.
func (c *Client) CollectDoneClaim(ctx context.Context, claimNo string, options ...CallOption) (Claim, error) {
	return c.act(ctx, collectDoneClaim, claimNo, nil, Claim.wasCollected, options)
}

// InspectClaim registers the result of the inspection. InspectFail needs a memo.
func (c *Client) InspectClaim(ctx context.Context, claimNo string, request InspectRequest, options ...CallOption) (Claim, error) {
	inspected := func(claim Claim) bool { return claim.InspectResult != nil && *claim.InspectResult == request.Result }
	return c.act(ctx, inspectClaim, claimNo, request, inspected, options)
}

// ReshipClaim registers the parcel with the exchanged goods. After CodeExchangeItemShipFailed read the claim and call
// again with the same values.
func (c *Client) ReshipClaim(ctx context.Context, claimNo string, request ParcelRequest, options ...CallOption) (Claim, error) {
	reshipped := func(claim Claim) bool {
		return claim.Status == ClaimCompleted && request.is(claim.ReshipCarrierName, claim.ReshipTrackingNo)
	}
	return c.act(ctx, reshipClaim, claimNo, request, reshipped, options)
}

// act performs an action on a claim; done reports whether the claim shows that the action was performed.
func (c *Client) act(ctx context.Context, op operation, claimNo string, body any, done func(Claim) bool,
	options []CallOption,
) (Claim, error) {
	reached := func(ctx context.Context) (Claim, bool, error) {
		claim, err := c.GetClaim(ctx, claimNo)
		return claim, err == nil && done(claim), err
	}
	return process(ctx, c, op, claimNo, body, reached, options)
}
