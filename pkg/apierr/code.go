//nolint:errname // codes are named as the interface names them
package apierr

import "time"

// Code names one row of the error table. It is an error, so that rules can
// return it as it is; [From] turns any error back into the row it stands for.
type Code string

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

// ClaimMemoRequired is our published addition to the table: an inspection that
// fails needs a memo.
const ClaimMemoRequired Code = "CLAIM_MEMO_REQUIRED"

// The failures that carry a null error_code. Their values are names for logs
// and metrics and never reach a client.
const (
	Unauthenticated      Code = "Unauthenticated"
	RouteNotFound        Code = "RouteNotFound"
	MethodNotAllowed     Code = "MethodNotAllowed"
	BodyTooLarge         Code = "BodyTooLarge"
	UnsupportedMediaType Code = "UnsupportedMediaType"
	Internal             Code = "Internal"
	BadUpstream          Code = "BadUpstream"
	Unavailable          Code = "Unavailable"
	UpstreamTimeout      Code = "UpstreamTimeout"
)

// rowByCode finds a row without walking the table; codes are asked on every
// failing request.
var rowByCode = func() map[Code]*Row {
	index := make(map[Code]*Row, len(table))
	for i := range table {
		index[table[i].Code] = &table[i]
	}
	return index
}()

// row returns the row of the code. A code that nobody put into the table is a
// programming error and is treated as Internal, so that it can never reach a
// client as an undocumented code.
func (c Code) row() *Row {
	if row, ok := rowByCode[c]; ok {
		return row
	}
	return rowByCode[Internal]
}

// Lookup returns the code with the given name, published or not, and whether
// the table has it. Internal calls use it to carry a code across processes.
func Lookup(name string) (Code, bool) {
	_, ok := rowByCode[Code(name)]
	return Code(name), ok
}

// Error is the name of the code, for logs.
func (c Code) Error() string { return string(c) }

// Status is the HTTP status of an answer that carries the code.
func (c Code) Status() int { return c.row().Status }

// WireCode is the value of meta.error_code, or "" when it is null.
func (c Code) WireCode() string {
	row := c.row()
	if row.Unpublished {
		return ""
	}
	return string(row.Code)
}

// Batch reports whether the code may stand in data.failed[].error_code of a
// batch shipment.
func (c Code) Batch() bool { return c.row().Batch }

// InBatch is the code that reports this failure for one entry of a batch: the
// code itself where the table allows it, [OrderBatchError] otherwise.
func (c Code) InBatch() Code {
	if c.Batch() {
		return c
	}
	return OrderBatchError
}

// Stored reports whether an answer with this code is kept under its idempotency
// key. An answer that is not kept leaves the key free to be sent again.
func (c Code) Stored() bool { return c.row().Stored }

// RetryAfter is the default of the Retry-After header in seconds; 0 means that
// the header is absent.
func (c Code) RetryAfter() int { return c.row().RetryAfter }

// Message is the text of meta.message. Its wording is no promise to clients.
func (c Code) Message(lang Lang) string {
	if lang == Korean {
		return c.row().Korean
	}
	return c.row().English
}

// With adds the data that a client can act on; it becomes error_data. Nothing
// in it may reveal that a record of another seller exists.
func (c Code) With(data map[string]any) *Error { return &Error{Code: c, Data: data} }

// Because adds the cause for the log. A client never sees it.
func (c Code) Because(cause error) *Error { return &Error{Code: c, Cause: cause} }

// After adds how long the client is asked to wait, in place of the default.
func (c Code) After(wait time.Duration) *Error { return &Error{Code: c, RetryAfter: wait} }
