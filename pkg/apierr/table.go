//nolint:errname // codes are named as the interface names them
package apierr

import "slices"

// Row is one failure that a client can receive.
type Row struct {
	Code Code
	// Status is the HTTP status. The one row with 200 appears only inside a batch
	// response.
	Status int
	// Batch allows the code in data.failed[].error_code of a batch shipment.
	Batch bool
	// Stored keeps the response under its idempotency key for 24 hours. Only
	// final decisions of the owning service are stored: not found and final
	// conflicts. Responses about the key itself and those that ask for a retry
	// are not.
	Stored bool
	// Unpublished rows have a null error_code in responses.
	Unpublished bool
	// RetryAfter is the default Retry-After in seconds, 0 for none.
	RetryAfter int
	// English and Korean are the texts of meta.message.
	English, Korean string
}

// The published codes, in the order of the table.
const (
	OrderBatchError               Code = "ORDER_BATCH_ERROR"
	ShipmentFieldsRequired        Code = "SHIPMENT_FIELDS_REQUIRED"
	ShipmentInputInvalid          Code = "SHIPMENT_INPUT_INVALID"
	APIKeyRequired                Code = "API_KEY_REQUIRED"
	InvalidAPIKey                 Code = "INVALID_API_KEY"
	ScopeForbidden                Code = "SCOPE_FORBIDDEN"
	OrderNotFound                 Code = "ORDER_NOT_FOUND"
	ClaimNotFound                 Code = "CLAIM_NOT_FOUND"
	QnaNotFound                   Code = "QNA_NOT_FOUND"
	OrderItemNotFound             Code = "ORDER_ITEM_NOT_FOUND"
	IdempotencyKeyReused          Code = "IDEMPOTENCY_KEY_REUSED"
	IdempotencyInProgress         Code = "IDEMPOTENCY_IN_PROGRESS"
	IdempotencyUnresolved         Code = "IDEMPOTENCY_UNRESOLVED"
	OrderItemNotPreparable        Code = "ORDER_ITEM_NOT_PREPARABLE"
	OrderItemNotShippable         Code = "ORDER_ITEM_NOT_SHIPPABLE"
	OrderItemNotDeliverable       Code = "ORDER_ITEM_NOT_DELIVERABLE"
	OrderItemHasActiveClaim       Code = "ORDER_ITEM_HAS_ACTIVE_CLAIM"
	ShipmentStateConflict         Code = "SHIPMENT_STATE_CONFLICT"
	ExchangeItemNotPreparable     Code = "EXCHANGE_ITEM_NOT_PREPARABLE"
	ExchangeItemNotReshipping     Code = "EXCHANGE_ITEM_NOT_RESHIPPING"
	ClaimNotApprovable            Code = "CLAIM_NOT_APPROVABLE"
	ClaimNotRejectable            Code = "CLAIM_NOT_REJECTABLE"
	ClaimNotCollectable           Code = "CLAIM_NOT_COLLECTABLE"
	ClaimNotCollectDone           Code = "CLAIM_NOT_COLLECT_DONE"
	ClaimNotInspectable           Code = "CLAIM_NOT_INSPECTABLE"
	ClaimNotReshippable           Code = "CLAIM_NOT_RESHIPPABLE"
	ExchangeItemShipFailed        Code = "EXCHANGE_ITEM_SHIP_FAILED"
	QnaAlreadyAnswered            Code = "QNA_ALREADY_ANSWERED"
	QnaAnswerUnresolved           Code = "QNA_ANSWER_UNRESOLVED"
	IdempotencyResultExpired      Code = "IDEMPOTENCY_RESULT_EXPIRED"
	ValidationError               Code = "VALIDATION_ERROR"
	IdempotencyKeyRequired        Code = "IDEMPOTENCY_KEY_REQUIRED"
	IdempotencyKeyTooLong         Code = "IDEMPOTENCY_KEY_TOO_LONG"
	InvalidCursor                 Code = "INVALID_CURSOR"
	StatusChangedFilterIncomplete Code = "STATUS_CHANGED_FILTER_INCOMPLETE"
	StatusChangedRangeInvalid     Code = "STATUS_CHANGED_RANGE_INVALID"
	ShipmentCarrierNotAllowed     Code = "SHIPMENT_CARRIER_NOT_ALLOWED"
	RateLimited                   Code = "RATE_LIMITED"
	RateLimitUnavailable          Code = "RATE_LIMIT_UNAVAILABLE"
)

// ClaimMemoRequired is an addition of this project to the table: a failed
// inspection needs a memo.
const ClaimMemoRequired Code = "CLAIM_MEMO_REQUIRED"

// The failures that carry a null error_code. Their values are names for logs
// and metrics and never reach a client.
const (
	Unauthenticated      Code = "Unauthenticated"
	RouteNotFound        Code = "RouteNotFound"
	MethodNotAllowed     Code = "MethodNotAllowed"
	BodyTooSlow          Code = "BodyTooSlow"
	BodyTooLarge         Code = "BodyTooLarge"
	UnsupportedMediaType Code = "UnsupportedMediaType"
	Internal             Code = "Internal"
	BadUpstream          Code = "BadUpstream"
	Unavailable          Code = "Unavailable"
	UpstreamTimeout      Code = "UpstreamTimeout"
)

// Codes returns a copy of the whole table: the published codes in their published
// order, this project's addition, then the rows without a published code.
func Codes() []Row { return slices.Clone(table) }

var table = slices.Concat(shipmentAndAccessRows, notFoundRows, conflictRows, requestRows, limitRows,
	additionRows, unpublishedRows)

var shipmentAndAccessRows = []Row{
	{
		Code: OrderBatchError, Status: 200, Batch: true, Stored: true,
		English: "An unexpected error stopped this order; the other orders of the batch are not affected.",
		Korean:  "예기치 않은 오류로 이 주문을 처리하지 못했습니다. 같은 요청의 다른 주문에는 영향이 없습니다.",
	},
	{
		Code: ShipmentFieldsRequired, Status: 400, Batch: true,
		English: "The tracking number is empty.",
		Korean:  "송장번호가 비어 있습니다.",
	},
	{
		Code: ShipmentInputInvalid, Status: 400, Batch: true,
		English: "The carrier, tracking number or logistics company contains control characters.",
		Korean:  "택배사, 송장번호 또는 물류사 이름에 제어 문자가 들어 있습니다.",
	},
	{
		Code: APIKeyRequired, Status: 401,
		English: "The X-Api-Key header is missing.",
		Korean:  "X-Api-Key 헤더가 없습니다.",
	},
	{
		Code: InvalidAPIKey, Status: 401,
		English: "The API key is not valid.",
		Korean:  "유효하지 않은 API 키입니다.",
	},
	{
		Code: ScopeForbidden, Status: 403,
		English: "The API key does not have the scope that this operation needs.",
		Korean:  "API 키에 이 기능을 호출할 권한이 없습니다.",
	},
}

var notFoundRows = []Row{
	{
		Code: OrderNotFound, Status: 404, Batch: true, Stored: true,
		English: "The order was not found.",
		Korean:  "주문을 찾을 수 없습니다.",
	},
	{
		Code: ClaimNotFound, Status: 404, Stored: true,
		English: "The claim was not found.",
		Korean:  "클레임을 찾을 수 없습니다.",
	},
	{
		Code: QnaNotFound, Status: 404, Stored: true,
		English: "The product inquiry was not found.",
		Korean:  "상품 문의를 찾을 수 없습니다.",
	},
	{
		Code: OrderItemNotFound, Status: 404, Batch: true, Stored: true,
		English: "At least one of the items does not belong to this order.",
		Korean:  "이 주문에 속하지 않는 품목이 포함되어 있습니다.",
	},
}

var conflictRows = []Row{
	{
		Code: IdempotencyKeyReused, Status: 409,
		English: "This Idempotency-Key was already used for a different request.",
		Korean:  "이 Idempotency-Key는 이미 다른 내용의 요청에 사용되었습니다.",
	},
	{
		Code: IdempotencyInProgress, Status: 409, RetryAfter: 1,
		English: "A request with this Idempotency-Key is still being processed; try again later with the same key.",
		Korean:  "같은 Idempotency-Key의 요청을 처리하고 있습니다. 잠시 후 같은 키로 다시 시도해 주세요.",
	},
	{
		Code: IdempotencyUnresolved, Status: 409,
		English: "The action cannot start in the current state, or was performed with other values; read the resource and decide " +
			"again.",
		Korean: "지금 상태에서는 시작할 수 없거나 다른 값으로 이미 끝난 처리입니다. 대상을 다시 조회한 뒤 판단해 주세요.",
	},
	{
		Code: OrderItemNotPreparable, Status: 409, Stored: true,
		English: "At least one item is not in a state that allows preparation.",
		Korean:  "발주확인할 수 없는 상태의 품목이 있습니다.",
	},
	{
		Code: OrderItemNotShippable, Status: 409, Batch: true, Stored: true,
		English: "At least one item is not in a state that allows shipment.",
		Korean:  "발송 처리할 수 없는 상태의 품목이 있습니다.",
	},
	{
		Code: OrderItemNotDeliverable, Status: 409, Stored: true,
		English: "At least one item is not in a state that allows delivery.",
		Korean:  "배송 완료로 바꿀 수 없는 상태의 품목이 있습니다.",
	},
	{
		Code: OrderItemHasActiveClaim, Status: 409, Batch: true, Stored: true,
		English: "A cancel, return or exchange is in progress on at least one item.",
		Korean:  "취소, 반품 또는 교환이 진행 중인 품목이 있습니다.",
	},
	{
		Code: ShipmentStateConflict, Status: 409, Batch: true, Stored: true,
		English: "At least one item was already shipped with a different shipment.",
		Korean:  "이미 다른 송장으로 발송된 품목이 있습니다.",
	},
	{
		Code: ExchangeItemNotPreparable, Status: 409, Stored: true,
		English: "An exchange item cannot be prepared before its exchange is reshipping.",
		Korean:  "교환 품목은 교환이 재발송 단계가 되기 전에는 발주확인할 수 없습니다.",
	},
	{
		Code: ExchangeItemNotReshipping, Status: 409, Batch: true, Stored: true,
		English: "An exchange item can be shipped only while its exchange is reshipping and not on hold.",
		Korean:  "교환 품목은 교환이 재발송 단계이고 보류되지 않았을 때만 발송할 수 있습니다.",
	},
	{
		Code: ClaimNotApprovable, Status: 409, Stored: true,
		English: "The claim cannot be approved.",
		Korean:  "승인할 수 없는 클레임입니다.",
	},
	{
		Code: ClaimNotRejectable, Status: 409, Stored: true,
		English: "The claim cannot be rejected.",
		Korean:  "거부할 수 없는 클레임입니다.",
	},
	{
		Code: ClaimNotCollectable, Status: 409, Stored: true,
		English: "A pickup cannot be registered for the claim.",
		Korean:  "수거를 등록할 수 없는 클레임입니다.",
	},
	{
		Code: ClaimNotCollectDone, Status: 409, Stored: true,
		English: "The collection of the claim cannot be completed.",
		Korean:  "수거 완료로 처리할 수 없는 클레임입니다.",
	},
	{
		Code: ClaimNotInspectable, Status: 409, Stored: true,
		English: "An inspection result cannot be registered for the claim.",
		Korean:  "검수 결과를 등록할 수 없는 클레임입니다.",
	},
	{
		Code: ClaimNotReshippable, Status: 409, Stored: true,
		English: "A reshipment cannot be registered for the claim.",
		Korean:  "재발송을 등록할 수 없는 클레임입니다.",
	},
	{
		Code: ExchangeItemShipFailed, Status: 409,
		English: "The reshipment was registered but the shipment of the new item is not confirmed; read the claim, then try again.",
		Korean:  "재발송은 등록되었으나 새 품목의 발송이 확인되지 않았습니다. 클레임을 조회한 뒤 다시 시도해 주세요.",
	},
	{
		Code: QnaAlreadyAnswered, Status: 409, Stored: true,
		English: "The inquiry already has a different answer.",
		Korean:  "이미 다른 답변이 등록된 문의입니다.",
	},
	{
		Code: QnaAnswerUnresolved, Status: 409,
		English: "The answer was cancelled at this moment, so its outcome is open; try again later.",
		Korean:  "답변이 같은 시점에 취소되어 결과를 확정할 수 없습니다. 잠시 후 다시 시도해 주세요.",
	},
}

var requestRows = []Row{
	{
		Code: IdempotencyResultExpired, Status: 410,
		English: "The stored result of this Idempotency-Key was deleted after 24 hours; read the resource before sending a new key.",
		Korean:  "이 Idempotency-Key의 처리 결과는 24시간이 지나 삭제되었습니다. 대상을 조회한 뒤 필요하면 새 키로 요청해 주세요.",
	},
	{
		Code: ValidationError, Status: 422,
		English: "The request is not in the right form; see error_data.errors.",
		Korean:  "요청 형식이 올바르지 않습니다. error_data.errors를 확인해 주세요.",
	},
	{
		Code: IdempotencyKeyRequired, Status: 422,
		English: "Exactly one non-blank Idempotency-Key header is required.",
		Korean:  "비어 있지 않은 Idempotency-Key 헤더가 하나 필요합니다.",
	},
	{
		Code: IdempotencyKeyTooLong, Status: 422,
		English: "The Idempotency-Key is longer than 200 characters.",
		Korean:  "Idempotency-Key는 200자를 넘을 수 없습니다.",
	},
	{
		Code: InvalidCursor, Status: 422,
		English: "The cursor is not valid for this request; start again without a cursor.",
		Korean:  "이 요청에 사용할 수 없는 커서입니다. 커서 없이 처음부터 다시 조회해 주세요.",
	},
	{
		Code: StatusChangedFilterIncomplete, Status: 422,
		English: "status_changed_to and at least one of status_changed_at_gte and status_changed_at_lte must be sent together.",
		Korean:  "status_changed_to는 status_changed_at_gte 또는 status_changed_at_lte와 함께 보내야 합니다.",
	},
	{
		Code: StatusChangedRangeInvalid, Status: 422,
		English: "status_changed_at_gte is later than status_changed_at_lte.",
		Korean:  "status_changed_at_gte가 status_changed_at_lte보다 늦습니다.",
	},
	{
		Code: ShipmentCarrierNotAllowed, Status: 422, Batch: true,
		English: "The carrier is not one of the allowed carriers.",
		Korean:  "허용되지 않은 택배사입니다.",
	},
}

var limitRows = []Row{
	{
		Code: RateLimited, Status: 429, RetryAfter: 60,
		English: "A limit was exceeded; wait for the time given in Retry-After.",
		Korean:  "호출 한도를 넘었습니다. Retry-After에 표시된 시간 후에 다시 시도해 주세요.",
	},
	{
		Code: RateLimitUnavailable, Status: 503, RetryAfter: 1,
		English: "The limits could not be checked, so the request was not processed; try again later.",
		Korean:  "호출 한도를 확인할 수 없어 요청을 처리하지 않았습니다. 잠시 후 다시 시도해 주세요.",
	},
}

var additionRows = []Row{
	{
		Code: ClaimMemoRequired, Status: 400,
		English: "A memo is required when the inspection result is fail.",
		Korean:  "검수 결과가 fail이면 메모가 필요합니다.",
	},
}

var unpublishedRows = []Row{
	{
		Code: Unauthenticated, Status: 401, Unpublished: true,
		English: "The caller could not be identified.",
		Korean:  "호출자를 확인할 수 없습니다.",
	},
	{
		Code: RouteNotFound, Status: 404, Unpublished: true,
		English: "There is nothing at this path.",
		Korean:  "존재하지 않는 경로입니다.",
	},
	{
		Code: MethodNotAllowed, Status: 405, Unpublished: true,
		English: "This path does not support the method; see the Allow header.",
		Korean:  "이 경로에서 지원하지 않는 메서드입니다. Allow 헤더를 확인해 주세요.",
	},
	{
		Code: BodyTooSlow, Status: 408, Unpublished: true,
		English: "The request body arrived too slowly.",
		Korean:  "요청 본문이 너무 느리게 도착했습니다.",
	},
	{
		Code: BodyTooLarge, Status: 413, Unpublished: true,
		English: "The request body is too large.",
		Korean:  "요청 본문이 너무 큽니다.",
	},
	{
		Code: UnsupportedMediaType, Status: 415, Unpublished: true,
		English: "The request body must be application/json in UTF-8 without content encoding.",
		Korean:  "요청 본문은 별도의 인코딩이 없는 UTF-8 application/json이어야 합니다.",
	},
	{
		Code: Internal, Status: 500, Unpublished: true,
		English: "An unexpected error occurred.",
		Korean:  "예기치 않은 오류가 발생했습니다.",
	},
	{
		Code: BadUpstream, Status: 502, Unpublished: true,
		English: "A part of the service gave an answer that makes no sense.",
		Korean:  "내부 서비스가 올바르지 않은 응답을 보냈습니다.",
	},
	{
		Code: Unavailable, Status: 503, Unpublished: true, RetryAfter: 1,
		English: "The service is not available at the moment; try again later.",
		Korean:  "지금은 서비스를 이용할 수 없습니다. 잠시 후 다시 시도해 주세요.",
	},
	{
		Code: UpstreamTimeout, Status: 504, Unpublished: true,
		English: "A part of the service took too long to answer.",
		Korean:  "내부 서비스의 응답이 늦어 처리 여부를 알 수 없습니다. 같은 요청을 같은 멱등키로 다시 보내 주세요.",
	},
}
