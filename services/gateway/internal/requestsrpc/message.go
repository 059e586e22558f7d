package requestsrpc

import (
	"encoding/hex"
	"slices"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/rpc"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/requestlog"
)

// filterOf reads the filters. One that no call could match is refused, so that a misspelt name is no empty list.
func filterOf(form *apikey.Form, sent *gatewayv1.ListRequestsRequest) requestlog.Filter {
	filter := requestlog.Filter{
		From: form.Time("from", rpc.Time(sent.GetFrom())), Until: form.Time("until", rpc.Time(sent.GetUntil())),
		KeyPrefix: form.OptionalText("key_prefix", sent.GetKeyPrefix()), Operation: sent.GetOperation(), Code: sent.GetErrorCode(),
		RequestID: form.OptionalText("request_id", sent.GetRequestId()), Record: form.OptionalText("record", sent.GetRecord()),
	}
	if sent.GetKeyId() != "" {
		filter.KeyID = form.UUID("key_id", sent.GetKeyId())
	}
	if filter.From != nil && filter.Until != nil && filter.Until.Before(*filter.From) {
		form.Add("until", apierr.FieldRange, "must not be before from")
	}
	if filter.Operation != "" && !isOperation(filter.Operation) {
		form.Add("operation", apierr.FieldNotAllowed, "is no operation of the contract")
	}
	if code, known := apierr.Lookup(filter.Code); filter.Code != "" && (!known || code.WireCode() == "") {
		form.Add("error_code", apierr.FieldNotAllowed, "is no error_code of the contract")
	}
	return filter
}

func isOperation(name string) bool {
	return slices.ContainsFunc(operation.All(), func(op operation.Operation) bool { return op.Name == name })
}

// position reads the id of the call after which a page begins; nil if it begins with the latest.
func position(form *apikey.Form, after string) *paging.Position {
	if after == "" {
		return nil
	}
	id := form.UUID("after", after)
	at, ok := requestlog.TimeOf(id)
	if !ok && id != uuid.Nil {
		form.Add("after", apierr.FieldMalformed, "is no id of the request log")
	}
	return &paging.Position{UpdatedAt: at, ID: id}
}

// defaultLimit and maxLimit are the calls of a page.
const defaultLimit, maxLimit = 50, 100

func limitOf(form *apikey.Form, limit int32) int {
	if limit < 0 || limit > maxLimit {
		form.Add("limit", apierr.FieldRange, "must be between 1 and 100")
	}
	if limit == 0 {
		return defaultLimit
	}
	return int(limit)
}

var outcomes = map[requestlog.Idempotency]gatewayv1.IdempotencyOutcome{
	requestlog.First:      gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_FIRST,
	requestlog.Replayed:   gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_REPLAYED,
	requestlog.InProgress: gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_IN_PROGRESS,
	requestlog.Reused:     gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_REUSED,
	requestlog.Gone:       gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_GONE,
}

func message(entry *requestlog.Entry) *gatewayv1.LoggedRequest {
	return &gatewayv1.LoggedRequest{
		LogId: entry.ID.String(), At: timestamppb.New(entry.At), KeyId: entry.KeyID.String(), KeyPrefix: entry.KeyPrefix,
		Operation: entry.Operation, RequestId: entry.RequestID, Record: entry.Record, Query: entry.Query,
		Status:    int32(entry.Status), //nolint:gosec // three digits
		ErrorCode: entry.Code, ErrorData: string(entry.Data),
		Rows: int32(entry.Rows), //nolint:gosec // a page
		Took: durationpb.New(entry.Took), Idempotency: outcomes[entry.Idempotency], IdempotencyKeyDigest: entry.KeyDigest,
		TraceId: hex.EncodeToString(entry.TraceID),
		Client:  entry.Client.String(), UserAgent: entry.UserAgent,
	}
}

func countMessage(count requestlog.Count) *gatewayv1.RequestCount {
	return &gatewayv1.RequestCount{
		Hour: timestamppb.New(count.Hour), KeyId: count.KeyID.String(), Operation: count.Operation,
		Status:    int32(count.Status), //nolint:gosec // three digits
		ErrorCode: count.Code, Calls: count.Calls, Rows: count.Rows, P50: durationpb.New(count.P50), P95: durationpb.New(count.P95),
	}
}

func useMessage(use requestlog.LastUse) *gatewayv1.KeyUse {
	return &gatewayv1.KeyUse{KeyId: use.KeyID.String(), KeyPrefix: use.KeyPrefix, LastUsedAt: rpc.Timestamp(use.At)}
}
