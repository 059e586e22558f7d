// Lists of values, times and pages: what the schemas are made of.

/** A value of today, or one that was added later: lists of values grow within version 1. */
export type Open<Known extends string> = Known | (string & {});

/** A point in time: UTC, six fractional digits, `2026-03-14T02:11:09.482913Z`. Such texts sort by time. */
export type Timestamp = string;

export type KnownOrderStatus = "paid" | "preparing" | "shipping" | "delivered" | "confirmed" | "partially_claimed" | "canceled";
/** Overall state of an order, over the items of all sellers. Do not base work on it. */
export type OrderStatus = Open<KnownOrderStatus>;

export type KnownItemStatus = "paid" | "preparing" | "shipping" | "delivered" | "confirmed" | "canceled" | "returned" | "exchanged";
/** State of an item. Operators may move an item backwards: store what arrives. */
export type ItemStatus = Open<KnownItemStatus>;

export type KnownClaimType = "cancel" | "return" | "exchange";
export type ClaimType = Open<KnownClaimType>;

export type KnownClaimStatus =
  | "payment_pending" | "requested" | "approved" | "collecting" | "collected" | "inspecting" | "reshipping"
  | "refund_processing" | "completed" | "rejected" | "withdrawn" | "expired" | "converted_to_return";
export type ClaimStatus = Open<KnownClaimStatus>;

/** What can be done with a claim: the last part of the path of an action. */
export type ClaimAction = Open<"approve" | "reject" | "pickup" | "collect-done" | "inspect" | "reship">;
/** Who bears the shipping fee. */
export type Fault = Open<"buyer" | "seller">;
export type ReasonCode = Open<"change_of_mind" | "defective" | "wrong_delivery" | "out_of_stock" | "delayed_by_seller" | "etc">;

export type KnownInspectResult = "pass" | "fail";
export type InspectResult = Open<KnownInspectResult>;

export type KnownInquiryStatus = "waiting" | "answered";
export type InquiryStatus = Open<KnownInquiryStatus>;
/** The marketplace adds categories without notice. */
export type InquiryCategory = Open<"product" | "delivery" | "return_refund" | "exchange" | "cancel" | "etc">;

/** The allowed carriers, exactly as the server spells them. */
export type Carrier = "CJ대한통운" | "우체국택배" | "한진택배" | "롯데택배" | "로젠택배";

/** One page of a list. */
export interface Page<T> {
  list: T[];
  /** Leads to the next page; null on the last one. */
  next_cursor: string | null;
}

/** What a filter takes as a time. Texts keep their microseconds; a Date has none. */
export type Time = Date | string;

/** The codes of failures; the interface description has the condition of each. */
export type KnownErrorCode =
  | "SHIPMENT_FIELDS_REQUIRED" | "SHIPMENT_INPUT_INVALID" | "CLAIM_MEMO_REQUIRED" | "API_KEY_REQUIRED" | "INVALID_API_KEY"
  | "SCOPE_FORBIDDEN" | "ORDER_NOT_FOUND" | "ORDER_ITEM_NOT_FOUND" | "CLAIM_NOT_FOUND" | "QNA_NOT_FOUND"
  | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_UNRESOLVED" | "ORDER_ITEM_NOT_PREPARABLE"
  | "ORDER_ITEM_NOT_SHIPPABLE" | "ORDER_ITEM_NOT_DELIVERABLE" | "ORDER_ITEM_HAS_ACTIVE_CLAIM" | "SHIPMENT_STATE_CONFLICT"
  | "EXCHANGE_ITEM_NOT_PREPARABLE" | "EXCHANGE_ITEM_NOT_RESHIPPING" | "CLAIM_NOT_APPROVABLE" | "CLAIM_NOT_REJECTABLE"
  | "CLAIM_NOT_COLLECTABLE" | "CLAIM_NOT_COLLECT_DONE" | "CLAIM_NOT_INSPECTABLE" | "CLAIM_NOT_RESHIPPABLE"
  | "EXCHANGE_ITEM_SHIP_FAILED" | "QNA_ALREADY_ANSWERED" | "QNA_ANSWER_UNRESOLVED" | "IDEMPOTENCY_RESULT_EXPIRED"
  | "VALIDATION_ERROR" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_TOO_LONG" | "INVALID_CURSOR"
  | "STATUS_CHANGED_FILTER_INCOMPLETE" | "STATUS_CHANGED_RANGE_INVALID" | "SHIPMENT_CARRIER_NOT_ALLOWED" | "RATE_LIMITED"
  | "RATE_LIMIT_UNAVAILABLE";

/** The codes of parcels that were refused within a batch. */
export type KnownBatchErrorCode =
  | "ORDER_BATCH_ERROR" | "SHIPMENT_FIELDS_REQUIRED" | "SHIPMENT_INPUT_INVALID" | "ORDER_NOT_FOUND" | "ORDER_ITEM_NOT_FOUND"
  | "ORDER_ITEM_NOT_SHIPPABLE" | "ORDER_ITEM_HAS_ACTIVE_CLAIM" | "SHIPMENT_STATE_CONFLICT" | "EXCHANGE_ITEM_NOT_RESHIPPING"
  | "SHIPMENT_CARRIER_NOT_ALLOWED";

/** A fixed code, or null for failures that have none: unknown paths, bodies too large, failures of the server. */
export type ErrorCode = Open<KnownErrorCode> | null;
