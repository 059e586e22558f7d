//nolint:errname // codes are named as the interface names them
package sellerapi

// Code is the fixed name of an outcome. It is an error, so that errors.Is(err, CodeOrderNotFound) works on whatever a
// method returns. Codes of the future arrive as they are. The empty code stands for failures that have none: unknown
// paths, bodies that are too large, and failures of the server itself.
type Code string

// Error implements error.
func (c Code) Error() string { return string(c) }

// The codes of today; the interface description has the condition of each.
const (
	CodeShipmentFieldsRequired        Code = "SHIPMENT_FIELDS_REQUIRED"
	CodeShipmentInputInvalid          Code = "SHIPMENT_INPUT_INVALID"
	CodeClaimMemoRequired             Code = "CLAIM_MEMO_REQUIRED"
	CodeAPIKeyRequired                Code = "API_KEY_REQUIRED"
	CodeInvalidAPIKey                 Code = "INVALID_API_KEY"
	CodeScopeForbidden                Code = "SCOPE_FORBIDDEN"
	CodeOrderNotFound                 Code = "ORDER_NOT_FOUND"
	CodeOrderItemNotFound             Code = "ORDER_ITEM_NOT_FOUND"
	CodeClaimNotFound                 Code = "CLAIM_NOT_FOUND"
	CodeQnANotFound                   Code = "QNA_NOT_FOUND"
	CodeIdempotencyKeyReused          Code = "IDEMPOTENCY_KEY_REUSED"
	CodeIdempotencyInProgress         Code = "IDEMPOTENCY_IN_PROGRESS"
	CodeIdempotencyUnresolved         Code = "IDEMPOTENCY_UNRESOLVED"
	CodeOrderItemNotPreparable        Code = "ORDER_ITEM_NOT_PREPARABLE"
	CodeOrderItemNotShippable         Code = "ORDER_ITEM_NOT_SHIPPABLE"
	CodeOrderItemNotDeliverable       Code = "ORDER_ITEM_NOT_DELIVERABLE"
	CodeOrderItemHasActiveClaim       Code = "ORDER_ITEM_HAS_ACTIVE_CLAIM"
	CodeShipmentStateConflict         Code = "SHIPMENT_STATE_CONFLICT"
	CodeExchangeItemNotPreparable     Code = "EXCHANGE_ITEM_NOT_PREPARABLE"
	CodeExchangeItemNotReshipping     Code = "EXCHANGE_ITEM_NOT_RESHIPPING"
	CodeClaimNotApprovable            Code = "CLAIM_NOT_APPROVABLE"
	CodeClaimNotRejectable            Code = "CLAIM_NOT_REJECTABLE"
	CodeClaimNotCollectable           Code = "CLAIM_NOT_COLLECTABLE"
	CodeClaimNotCollectDone           Code = "CLAIM_NOT_COLLECT_DONE"
	CodeClaimNotInspectable           Code = "CLAIM_NOT_INSPECTABLE"
	CodeClaimNotReshippable           Code = "CLAIM_NOT_RESHIPPABLE"
	CodeExchangeItemShipFailed        Code = "EXCHANGE_ITEM_SHIP_FAILED"
	CodeQnAAlreadyAnswered            Code = "QNA_ALREADY_ANSWERED"
	CodeQnAAnswerUnresolved           Code = "QNA_ANSWER_UNRESOLVED"
	CodeIdempotencyResultExpired      Code = "IDEMPOTENCY_RESULT_EXPIRED"
	CodeValidationError               Code = "VALIDATION_ERROR"
	CodeIdempotencyKeyRequired        Code = "IDEMPOTENCY_KEY_REQUIRED"
	CodeIdempotencyKeyTooLong         Code = "IDEMPOTENCY_KEY_TOO_LONG"
	CodeInvalidCursor                 Code = "INVALID_CURSOR"
	CodeStatusChangedFilterIncomplete Code = "STATUS_CHANGED_FILTER_INCOMPLETE"
	CodeStatusChangedRangeInvalid     Code = "STATUS_CHANGED_RANGE_INVALID"
	CodeShipmentCarrierNotAllowed     Code = "SHIPMENT_CARRIER_NOT_ALLOWED"
	CodeRateLimited                   Code = "RATE_LIMITED"
	CodeRateLimitUnavailable          Code = "RATE_LIMIT_UNAVAILABLE"

	// CodeOrderBatchError stands in the failed entries of a batch only.
	CodeOrderBatchError Code = "ORDER_BATCH_ERROR"
)
