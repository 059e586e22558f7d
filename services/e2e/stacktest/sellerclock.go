package stacktest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/rpc"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/services/allinone/stack"
)

// Clock is the clock of a seller in one service.
type Clock struct {
	// Advance moves it, and returns its time and how far it is ahead. from is nil or where it counts from.
	Advance func(by time.Duration, from *time.Duration) (time.Time, time.Duration)
	// RunDue does once what is due, and returns how much.
	RunDue func() int32
}

// Clocks returns the clocks of a seller in orders, claims and qna.
func (s *Stack) Clocks(t *testing.T, sellerID string) []Clock {
	t.Helper()
	token := s.TokenFor(rpc.CallerSandbox)
	urls := s.running.RPCURLs
	orders := stack.OrdersClock(urls[operation.Orders], token)
	claims := stack.ClaimsClock(urls[operation.Claims], token)
	qna := stack.QnAClock(urls[operation.QnA], token)
	return []Clock{
		clockOf(t, func(ctx context.Context, by, from *durationpb.Duration) (moved, error) {
			return orders.Advance(ctx, &ordersv1.AdvanceRequest{SellerId: sellerID, By: by, From: from})
		}, func(ctx context.Context) (ran, error) {
			return orders.RunDue(ctx, &ordersv1.RunDueRequest{SellerId: sellerID})
		}),
		clockOf(t, func(ctx context.Context, by, from *durationpb.Duration) (moved, error) {
			return claims.Advance(ctx, &claimsv1.AdvanceRequest{SellerId: sellerID, By: by, From: from})
		}, func(ctx context.Context) (ran, error) {
			return claims.RunDue(ctx, &claimsv1.RunDueRequest{SellerId: sellerID})
		}),
		clockOf(t, func(ctx context.Context, by, from *durationpb.Duration) (moved, error) {
			return qna.Advance(ctx, &qnav1.AdvanceRequest{SellerId: sellerID, By: by, From: from})
		}, func(ctx context.Context) (ran, error) {
			return qna.RunDue(ctx, &qnav1.RunDueRequest{SellerId: sellerID})
		}),
	}
}

type moved interface {
	GetNow() *timestamppb.Timestamp
	GetOffset() *durationpb.Duration
}

type ran interface {
	GetDone() int32
	GetFailed() bool
}

func clockOf(t *testing.T, advance func(ctx context.Context, by, from *durationpb.Duration) (moved, error),
	runDue func(context.Context) (ran, error),
) Clock {
	t.Helper()
	return Clock{
		Advance: func(by time.Duration, from *time.Duration) (time.Time, time.Duration) {
			var counted *durationpb.Duration
			if from != nil {
				counted = durationpb.New(*from)
			}
			answer, err := advance(t.Context(), durationpb.New(by), counted)
			require.NoError(t, err)
			return answer.GetNow().AsTime(), answer.GetOffset().AsDuration()
		},
		RunDue: func() int32 {
			answer, err := runDue(t.Context())
			require.NoError(t, err)
			require.False(t, answer.GetFailed())
			return answer.GetDone()
		},
	}
}

// Advance moves the clock of a seller in all services, as the sandbox does, and returns when nothing is due any more.
func (s *Stack) Advance(t *testing.T, sellerID string, by time.Duration) {
	t.Helper()
	clocks := s.Clocks(t, sellerID)
	var from time.Duration
	for _, clock := range clocks {
		_, offset := clock.Advance(0, nil)
		from = max(from, offset)
	}
	for _, clock := range clocks {
		_, offset := clock.Advance(by, &from)
		require.Equal(t, from+by, offset)
	}
	for done := int32(1); done > 0; {
		done = 0
		for _, clock := range clocks {
			done += clock.RunDue()
		}
	}
}
