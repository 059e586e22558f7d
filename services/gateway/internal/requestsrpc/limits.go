package requestsrpc

import (
	"context"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/durationpb"

	"sellerapi.dev/pkg/operation"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

// Windows read what keys have used of their limits.
type Windows interface {
	// Usage charges nothing. Error: RATE_LIMIT_UNAVAILABLE.
	Usage(ctx context.Context, seller, key uuid.UUID, class operation.Class) (ratelimit.Usage, error)
}

// ListLimitUses returns what each active key of a seller has used of its limits now.
func (h *Handler) ListLimitUses(
	ctx context.Context, sent *gatewayv1.ListLimitUsesRequest,
) (*gatewayv1.ListLimitUsesResponse, error) {
	form, look := read(ctx, sent, audit.LimitUsesListed)
	if err := h.record(ctx, form, look); err != nil {
		return nil, err
	}
	keys, err := h.store.SellerKeys(ctx, look.seller)
	if err != nil {
		return nil, err
	}
	answer := &gatewayv1.ListLimitUsesResponse{}
	for i := range keys {
		if keys[i].State != apikey.Active {
			continue
		}
		use, err := h.limitUse(ctx, &keys[i])
		if err != nil {
			return nil, err
		}
		answer.Uses = append(answer.Uses, use)
	}
	return answer, nil
}

func (h *Handler) limitUse(ctx context.Context, key *apikey.Key) (*gatewayv1.LimitUse, error) {
	reads, err := h.windows.Usage(ctx, key.SellerID, key.ID, operation.Read)
	if err != nil {
		return nil, err
	}
	processes, err := h.windows.Usage(ctx, key.SellerID, key.ID, operation.Process)
	if err != nil {
		return nil, err
	}
	return &gatewayv1.LimitUse{
		KeyId: key.ID.String(), KeyPrefix: key.Prefix, Window: durationpb.New(reads.Window),
		Reads: used(reads.Calls, reads.Limit), Rows: used(reads.Rows, reads.RowsLimit),
		Processes: used(processes.Calls, processes.Limit),
	}, nil
}

func used(number, limit int) *gatewayv1.Used {
	return &gatewayv1.Used{Number: int64(number), Limit: int64(limit)}
}
