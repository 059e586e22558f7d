// Package lines implements the calls of the claims service on the lines of a claim: it holds them, settles them, creates and
// ships replacements, and returns their facts. It converts messages to the types of package order and leaves the rest to the
// store.
//
// Every call is idempotent, without a time limit: the effects of a claim on its lines are recorded under the claim number, so a
// repetition changes nothing and returns the same response.
package lines

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

// Service implements orders.v1.ClaimLines. All calls but Open and Release return CLAIM_NOT_FOUND for a claim that never held a
// line.
type Service struct {
	Holds Holds
	Terms order.Terms
}

// Holds is the part of the store that the calls use.
type Holds interface {
	// Open holds items of an order for a claim. facts encodes the answer from the decision; a repeated call gets the stored
	// answer. ORDER_NOT_FOUND and the codes of [order.Locked.Open] and [order.Hold.Reopen].
	Open(ctx context.Context, orderNo string, hold *order.Hold, facts func(*order.Locked, order.Opened) ([]byte, error),
	) (answer []byte, err error)
	// Release ends the hold of a claim that ended without effect, known or not.
	Release(ctx context.Context, claimNo string) error
	// Decide applies a rule to the order that a claim holds items of and returns the hold afterwards. CLAIM_NOT_FOUND, the
	// codes of the rule, and IDEMPOTENCY_KEY_REUSED when another hold has the number of a return that takes over.
	Decide(ctx context.Context, claimNo string, rule order.Rule) (order.Hold, error)
	// DecideOnce is Decide once for each step of a claim: a repetition has no effect.
	DecideOnce(ctx context.Context, claimNo, step string, rule order.Rule) (order.Hold, error)
}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// Release implements orders.v1.ClaimLines.
func (s *Service) Release(ctx context.Context, request *ordersv1.ReleaseRequest) (*ordersv1.ReleaseResponse, error) {
	if err := checkTexts(field{"claim_no", request.GetClaimNo(), invalid.ClaimNo}); err != nil {
		return nil, err
	}
	return &ordersv1.ReleaseResponse{}, s.Holds.Release(ctx, request.GetClaimNo())
}

// Freeze implements orders.v1.ClaimLines.
func (s *Service) Freeze(ctx context.Context, request *ordersv1.FreezeRequest) (*ordersv1.FreezeResponse, error) {
	var r invalid.Problems
	claimNo := r.Read("claim_no", request.GetClaimNo(), invalid.ClaimNo)
	if request.GetAt().CheckValid() != nil {
		r.Add("at", apierr.FieldMalformed, "is not a timestamp")
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	_, err := s.Holds.Decide(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.Freeze(hold, request.GetFrozen(), request.GetAt().AsTime())
	})
	return &ordersv1.FreezeResponse{}, err
}

// Settle implements orders.v1.ClaimLines.
func (s *Service) Settle(ctx context.Context, request *ordersv1.SettleRequest) (*ordersv1.SettleResponse, error) {
	if err := checkTexts(field{"claim_no", request.GetClaimNo(), invalid.ClaimNo}); err != nil {
		return nil, err
	}
	settle := func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.Settle(hold, s.Terms, newID)
	}
	settled, err := s.Holds.Decide(ctx, request.GetClaimNo(), settle)
	return &ordersv1.SettleResponse{Lines: settledLines(&settled)}, err
}

// Seal implements orders.v1.ClaimLines.
func (s *Service) Seal(ctx context.Context, request *ordersv1.SealRequest) (*ordersv1.SealResponse, error) {
	if err := checkTexts(field{"claim_no", request.GetClaimNo(), invalid.ClaimNo}); err != nil {
		return nil, err
	}
	_, err := s.Holds.Decide(ctx, request.GetClaimNo(), (*order.Locked).Seal)
	return &ordersv1.SealResponse{}, err
}

// Convert implements orders.v1.ClaimLines.
func (s *Service) Convert(ctx context.Context, request *ordersv1.ConvertRequest) (*ordersv1.ConvertResponse, error) {
	claimNo, returnClaimNo := request.GetClaimNo(), request.GetReturnClaimNo()
	if err := checkTexts(field{"claim_no", claimNo, invalid.ClaimNo},
		field{"return_claim_no", returnClaimNo, invalid.ClaimNo}); err != nil {
		return nil, err
	}
	_, err := s.Holds.Decide(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.Convert(hold, returnClaimNo, request.GetSeal(), request.GetCloseOnly())
	})
	return &ordersv1.ConvertResponse{}, err
}

// Touch implements orders.v1.ClaimLines.
func (s *Service) Touch(ctx context.Context, request *ordersv1.TouchRequest) (*ordersv1.TouchResponse, error) {
	claimNo, step := request.GetClaimNo(), request.GetStep()
	if err := checkTexts(field{"claim_no", claimNo, invalid.ClaimNo}, field{"step", step, invalid.ID}); err != nil {
		return nil, err
	}
	_, err := s.Holds.DecideOnce(ctx, claimNo, step, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.Touch(hold, request.GetWhileHeld())
	})
	return &ordersv1.TouchResponse{}, err
}

// Open implements orders.v1.ClaimLines.
func (s *Service) Open(ctx context.Context, request *ordersv1.OpenRequest) (*ordersv1.OpenResponse, error) {
	hold, err := holdOf(request)
	if err != nil {
		return nil, err
	}
	if !order.IsNo(request.GetOrderNo()) {
		return nil, apierr.OrderNotFound
	}
	written, err := s.Holds.Open(ctx, request.GetOrderNo(), hold, func(o *order.Locked, opened order.Opened) ([]byte, error) {
		return proto.Marshal(openResponse(o, hold, &opened))
	})
	if err != nil {
		return nil, err
	}
	answer := &ordersv1.OpenResponse{}
	if err := proto.Unmarshal(written, answer); err != nil {
		return nil, fmt.Errorf("read the stored response to claim %s: %w", hold.ClaimNo, err)
	}
	return answer, nil
}
