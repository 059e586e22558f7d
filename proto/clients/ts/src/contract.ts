// Code generated from proto/openapi/seller-open-api.yaml by go generate; DO NOT EDIT.

import type { Open, Page, Time, Timestamp } from "./values.js";

/** The codes of failures; the interface description has the condition of each. */
export type KnownErrorCode =
  | "SHIPMENT_FIELDS_REQUIRED"
  | "SHIPMENT_INPUT_INVALID"
  | "CLAIM_MEMO_REQUIRED"
  | "API_KEY_REQUIRED"
  | "INVALID_API_KEY"
  | "SCOPE_FORBIDDEN"
  | "ORDER_NOT_FOUND"
  | "ORDER_ITEM_NOT_FOUND"
  | "CLAIM_NOT_FOUND"
  | "QNA_NOT_FOUND"
  | "IDEMPOTENCY_KEY_REUSED"
  | "IDEMPOTENCY_IN_PROGRESS"
  | "IDEMPOTENCY_UNRESOLVED"
  | "ORDER_ITEM_NOT_PREPARABLE"
  | "ORDER_ITEM_NOT_SHIPPABLE"
  | "ORDER_ITEM_NOT_DELIVERABLE"
  | "ORDER_ITEM_HAS_ACTIVE_CLAIM"
  | "SHIPMENT_STATE_CONFLICT"
  | "EXCHANGE_ITEM_NOT_PREPARABLE"
  | "EXCHANGE_ITEM_NOT_RESHIPPING"
  | "CLAIM_NOT_APPROVABLE"
  | "CLAIM_NOT_REJECTABLE"
  | "CLAIM_NOT_COLLECTABLE"
  | "CLAIM_NOT_COLLECT_DONE"
  | "CLAIM_NOT_INSPECTABLE"
  | "CLAIM_NOT_RESHIPPABLE"
  | "EXCHANGE_ITEM_SHIP_FAILED"
  | "QNA_ALREADY_ANSWERED"
  | "QNA_ANSWER_UNRESOLVED"
  | "IDEMPOTENCY_RESULT_EXPIRED"
  | "VALIDATION_ERROR"
  | "IDEMPOTENCY_KEY_REQUIRED"
  | "IDEMPOTENCY_KEY_TOO_LONG"
  | "INVALID_CURSOR"
  | "STATUS_CHANGED_FILTER_INCOMPLETE"
  | "STATUS_CHANGED_RANGE_INVALID"
  | "SHIPMENT_CARRIER_NOT_ALLOWED"
  | "RATE_LIMITED"
  | "RATE_LIMIT_UNAVAILABLE";
/** A fixed code, or null for failures that have none: unknown paths, bodies too large, failures of the server. */
export type ErrorCode = Open<KnownErrorCode> | null;

/** The codes of parcels that were refused within a batch. */
export type KnownBatchErrorCode =
  | "ORDER_BATCH_ERROR"
  | "SHIPMENT_FIELDS_REQUIRED"
  | "SHIPMENT_INPUT_INVALID"
  | "ORDER_NOT_FOUND"
  | "ORDER_ITEM_NOT_FOUND"
  | "ORDER_ITEM_NOT_SHIPPABLE"
  | "ORDER_ITEM_HAS_ACTIVE_CLAIM"
  | "SHIPMENT_STATE_CONFLICT"
  | "EXCHANGE_ITEM_NOT_RESHIPPING"
  | "SHIPMENT_CARRIER_NOT_ALLOWED";

export type KnownOrderStatus = "paid" | "preparing" | "shipping" | "delivered" | "confirmed" | "partially_claimed" | "canceled";
/** The overall state of an order, over the items of all sellers. Do not base work on it. */
export type OrderStatus = Open<KnownOrderStatus>;

export type KnownItemStatus =
  | "paid"
  | "preparing"
  | "shipping"
  | "delivered"
  | "confirmed"
  | "canceled"
  | "returned"
  | "exchanged";
/** The state of an item. Operators may move an item backwards: store what arrives. */
export type ItemStatus = Open<KnownItemStatus>;

export type KnownClaimType = "cancel" | "return" | "exchange";
/** What a customer asks for. */
export type ClaimType = Open<KnownClaimType>;

export type KnownClaimStatus =
  | "payment_pending"
  | "requested"
  | "approved"
  | "collecting"
  | "collected"
  | "inspecting"
  | "reshipping"
  | "refund_processing"
  | "completed"
  | "rejected"
  | "withdrawn"
  | "expired"
  | "converted_to_return";
/** The state of a claim. */
export type ClaimStatus = Open<KnownClaimStatus>;

export type KnownClaimAction = "approve" | "reject" | "pickup" | "collect-done" | "inspect" | "reship";
/** What a seller can do with a claim: the last part of the path of an action. */
export type ClaimAction = Open<KnownClaimAction>;

export type KnownChangedBy = "seller" | "customer" | "operator" | "system" | "claim";
/** Who caused an event of a history. */
export type ChangedBy = Open<KnownChangedBy>;

export type KnownFault = "buyer" | "seller";
/** Who bears the shipping fee of a claim. */
export type Fault = Open<KnownFault>;

export type KnownReasonCode = "change_of_mind" | "defective" | "wrong_delivery" | "out_of_stock" | "delayed_by_seller" | "etc";
/** Why the customer asks. */
export type ReasonCode = Open<KnownReasonCode>;

export type KnownInspectResult = "pass" | "fail";
/** The result of an inspection. */
export type InspectResult = Open<KnownInspectResult>;

export type KnownInquiryStatus = "waiting" | "answered";
/** The state of an inquiry. */
export type InquiryStatus = Open<KnownInquiryStatus>;

export type KnownInquiryCategory = "product" | "delivery" | "return_refund" | "exchange" | "cancel" | "etc";
/** What an inquiry is about. The marketplace adds categories without notice. */
export type InquiryCategory = Open<KnownInquiryCategory>;

export type KnownIdempotencyOutcome = "first" | "replayed" | "in_progress" | "reused" | "gone";
/** What a call met with its idempotency key. */
export type IdempotencyOutcome = Open<KnownIdempotencyOutcome>;

/** The name of a carrier, exactly as the server spells it. */
export type Carrier = "CJ대한통운" | "우체국택배" | "한진택배" | "롯데택배" | "로젠택배";

/** Chooses orders. Both ends of a range belong to it. */
export interface OrderFilter {
  /** Paid at this time or later. */
  paid_at_gte?: Time;
  /** Paid at this time or earlier. Earlier than `paid_at_gte` is 422. */
  paid_at_lte?: Time;
  /** Changed at this time or later. The basis of collecting changes. */
  updated_at_gte?: Time;
  /** Changed at this time or earlier. Earlier than `updated_at_gte` is 422. */
  updated_at_lte?: Time;
  /** Orders whose overall state is this one. */
  order_status?: KnownOrderStatus;
  /** Orders with at least one item of this seller in this state. */
  item_status?: KnownItemStatus;
  /** The order with exactly this number. */
  order_no?: string;
  /**
   * Orders with at least one item of this seller that has not been shipped and whose `ship_by` is this time or earlier.
   */
  ship_by_lte?: Time;
  /**
   * With `status_changed_at_gte`, `status_changed_at_lte` or both. An item of this seller entered this state, whatever
   * its state is now.
   */
  status_changed_to?: KnownItemStatus;
  /** With `status_changed_to` only. An item entered that state at this time or later. */
  status_changed_at_gte?: Time;
  /** With `status_changed_to` only. An item entered that state at this time or earlier. */
  status_changed_at_lte?: Time;
  /** Elements on a page. */
  limit?: number;
  /** `next_cursor` of the page before, unchanged. Left out for the first page; an empty one is 422 `INVALID_CURSOR`. */
  cursor?: string;
  /**
   * Read the list forwards, oldest change first, from here on. `beginning`; a time, from which on changes are returned,
   * those at that time included; or `after` of an answer, unchanged. It takes no filter and no `cursor`, only `limit`.
   */
  after?: string;
  /**
   * Seconds to wait for the next change, only with `after`. With something newer the answer comes at once; else as soon
   * as something of the seller changes, or as an empty page with the same position when the time is over. A second call
   * of the key for the same list ends the first. The header `X-Wait: 0` says that the call did not wait, because too
   * many do.
   */
  wait?: number;
}

export type OrderList = Page<Order>;

/** Chooses claims. Both ends of a range belong to it. */
export interface ClaimFilter {
  /** Claims of this type. */
  type?: KnownClaimType;
  /** Claims in exactly this state. */
  status?: KnownClaimStatus;
  /** Requested at this time or later. */
  requested_at_gte?: Time;
  /** Requested at this time or earlier. Earlier than `requested_at_gte` is 422. */
  requested_at_lte?: Time;
  /** Changed at this time or later. The basis of collecting changes. */
  updated_at_gte?: Time;
  /** Changed at this time or earlier. Earlier than `updated_at_gte` is 422. */
  updated_at_lte?: Time;
  /** Elements on a page. */
  limit?: number;
  /** `next_cursor` of the page before, unchanged. Left out for the first page; an empty one is 422 `INVALID_CURSOR`. */
  cursor?: string;
  /**
   * Read the list forwards, oldest change first, from here on. `beginning`; a time, from which on changes are returned,
   * those at that time included; or `after` of an answer, unchanged. It takes no filter and no `cursor`, only `limit`.
   */
  after?: string;
  /**
   * Seconds to wait for the next change, only with `after`. With something newer the answer comes at once; else as soon
   * as something of the seller changes, or as an empty page with the same position when the time is over. A second call
   * of the key for the same list ends the first. The header `X-Wait: 0` says that the call did not wait, because too
   * many do.
   */
  wait?: number;
}

export type ClaimList = Page<Claim>;

/** Chooses inquiries. Both ends of a range belong to it. */
export interface InquiryFilter {
  /** Inquiries in this state. */
  status?: KnownInquiryStatus;
  /** Changed at this time or later. The basis of collecting changes. */
  updated_at_gte?: Time;
  /** Changed at this time or earlier. Earlier than `updated_at_gte` is 422. */
  updated_at_lte?: Time;
  /** Elements on a page. */
  limit?: number;
  /** `next_cursor` of the page before, unchanged. Left out for the first page; an empty one is 422 `INVALID_CURSOR`. */
  cursor?: string;
  /**
   * Read the list forwards, oldest change first, from here on. `beginning`; a time, from which on changes are returned,
   * those at that time included; or `after` of an answer, unchanged. It takes no filter and no `cursor`, only `limit`.
   */
  after?: string;
  /**
   * Seconds to wait for the next change, only with `after`. With something newer the answer comes at once; else as soon
   * as something of the seller changes, or as an empty page with the same position when the time is over. A second call
   * of the key for the same list ends the first. The header `X-Wait: 0` says that the call did not wait, because too
   * many do.
   */
  wait?: number;
}

export type InquiryList = Page<Inquiry>;

/** Chooses requests. Both ends of a range belong to it. */
export interface LoggedRequestFilter {
  /** Arrived at this time or later. */
  requested_at_gte?: Time;
  /** Arrived at this time or earlier. Earlier than `requested_at_gte` is 422. */
  requested_at_lte?: Time;
  /** Calls with the key that begins with these 12 characters. Never send a whole key here. */
  key?: string;
  /** Calls of this operation, an `operationId` of this document. Anything else is 422. */
  operation?: string;
  /** Calls that were refused with this code of the error table. Anything else is 422. */
  error_code?: string;
  /** Calls with this `X-Request-Id`. */
  request_id?: string;
  /** Calls whose path names this order, claim or inquiry. */
  record?: string;
  /** Elements on a page. */
  limit?: number;
  /** `next_cursor` of the page before, unchanged. Left out for the first page; an empty one is 422 `INVALID_CURSOR`. */
  cursor?: string;
}

export type LoggedRequestList = Omit<Page<LoggedRequest>, "after">;

/**
 * What a client can act on. `request_id` and `doc_url` are always there; every other member comes with the codes that
 * it names.
 */
export interface ErrorData {
  /** The value of `X-Request-Id`. Quote it when you report a problem. */
  request_id: string;
  /**
   * The page about the code, on the host that answered: what happened and what to do. For failures without a code it is
   * the page of the HTTP status.
   */
  doc_url: string;
  /** `VALIDATION_ERROR`: everything that is wrong, at most the first hundred problems. */
  errors?: FieldError[];
  /**
   * `ORDER_ITEM_…`, `EXCHANGE_ITEM_NOT_…` and `SHIPMENT_STATE_CONFLICT`: the items concerned, all of them this seller's
   * or unknown.
   */
  items?: ItemProblem[];
  /**
   * `CLAIM_NOT_…`, `IDEMPOTENCY_UNRESOLVED`, `EXCHANGE_ITEM_SHIP_FAILED`: state of the claim. `QNA_ALREADY_ANSWERED`:
   * state of the inquiry.
   */
  status?: string;
  /** `CLAIM_NOT_…`, `IDEMPOTENCY_UNRESOLVED`, `EXCHANGE_ITEM_SHIP_FAILED`: what can be newly done with the claim. */
  available_actions?: ClaimAction[];
  /**
   * `INVALID_CURSOR`: `malformed` or `filters_changed`. `CLAIM_NOT_…`: what stands in the way, where it is known;
   * `frozen`: an operator has stopped the claim.
   */
  reason?: string;
  /**
   * `CLAIM_NOT_…` with the reason `frozen`: why the operator has stopped the claim, `dispute`, `fraud_check`,
   * `payment_check` or `other`.
   */
  code?: string;
  /** `SHIPMENT_INPUT_INVALID`: the member of the body that has control characters. */
  field?: string;
  /** `SHIPMENT_CARRIER_NOT_ALLOWED`: the allowed names. */
  allowed?: string[];
  /** `SCOPE_FORBIDDEN`: the scope that the key lacks. */
  required_scope?: string;
  /** `RATE_LIMITED`: the limit that is used up. */
  limit?: Open<"read" | "process" | "rows" | "address">;
  /** `RATE_LIMITED`: how much that limit allows. */
  max?: number;
  /** `RATE_LIMITED`: in how many seconds. */
  window_seconds?: number;
  /** `RATE_LIMITED`: seconds to wait, as in `Retry-After`. */
  retry_after?: number;
  /** `QNA_ALREADY_ANSWERED`: when the answer that stands was given. */
  answered_at?: Timestamp;
  /** Body too large (413): what is allowed. */
  max_bytes?: number;
  /** Addition. Body not JSON (415): the `Content-Type` that was sent, at most its first 100 characters. */
  content_type?: string;
  /** Addition. Body compressed (415): the `Content-Encoding` that was sent, at most its first 100 characters. */
  content_encoding?: string;
}

/** One thing that is wrong with a request. */
export interface FieldError {
  /** Where, for instance `items[3].tracking_no` or `query.limit`. `body` and `query` stand for the whole. */
  field: string;
  /** What. */
  code: Open<
  | "required"
  | "null"
  | "type"
  | "empty"
  | "too_long"
  | "too_few"
  | "too_many"
  | "repeated"
  | "duplicate"
  | "case"
  | "unknown"
  | "not_allowed"
  | "range"
  | "malformed"
  | "control"
  | "encoding"
  | "syntax">;
  /** A text for people. */
  message: string;
  /** The allowed values, where there is a list of them. */
  allowed?: string[];
}

/** An item that stands in the way. */
export interface ItemProblem {
  /** As sent. */
  item_id: string;
  /** Its state. Absent for `ORDER_ITEM_NOT_FOUND`. */
  item_status?: ItemStatus;
  /** `SHIPMENT_STATE_CONFLICT`: the carrier that is stored. */
  carrier_name?: string;
  /** `SHIPMENT_STATE_CONFLICT`: the tracking number that is stored. */
  tracking_no?: string;
  /** `SHIPMENT_STATE_CONFLICT`: the forwarding agent that is stored, null if none. */
  logistics_company?: string | null;
}

/**
 * A paid order as one seller sees it. `items` and the `seller_…` amounts cover this seller's items only, also when the
 * order has items of others. The names, phone numbers and the address become null when the customer leaves the
 * marketplace.
 */
export interface Order {
  /** Number of the order; identifies it. */
  order_no: string;
  /** State of the whole order, over the items of all sellers. Do not base work on it. */
  order_status: OrderStatus;
  /** When it was paid. */
  paid_at: Timestamp;
  /** Moves whenever the order, an item, a shipment or a claim changes. */
  updated_at: Timestamp;
  /** Currency code. */
  currency: string;
  /** Sum of `line_amount`. */
  seller_items_amount: number;
  /** Sum of `discount_amount`. */
  seller_discount_amount: number;
  /** Points that the customer used on this seller's items. */
  seller_point_used_amount: number;
  /** Sum of `line_paid_amount`, without shipping. */
  seller_paid_amount: number;
  /** Shipping fee before any reduction. */
  seller_shipping_fee_base: number;
  /** Shipping fee that the customer paid. */
  seller_shipping_fee_paid: number;
  /** Who ordered. */
  orderer_name: string | null;
  /** Phone number of the one who ordered. */
  orderer_phone: string | null;
  /** Who receives. */
  recipient_name: string | null;
  /** Phone number of the one who receives the parcel. */
  recipient_phone: string | null;
  /** Postal code. */
  zipcode: string | null;
  /** Address. */
  address1: string | null;
  /** Rest of the address. Absent when there is none. */
  address2?: string;
  /** The customer's wish for the delivery. Absent when there is none. */
  ship_memo?: string;
  /** This seller's items, by `item_code`. */
  items: OrderItem[];
  /** The state of the order over this seller's items only. */
  seller_order_status: OrderStatus;
}

/**
 * One line of an order. A claim may concern a part of its quantity. When such a claim completes, the line is split: the
 * claimed part becomes a new line with a new `item_id`, the next free `item_code` and a final state; the rest keeps
 * both and goes on. Amounts are divided so that their sums stay exact. Until everything of a line is claimed, what
 * remains of it is the line under its code that has no final state; its quantity and those of the completed claims with
 * its `item_code` add up to what was bought. The claim that takes the last piece ends the line itself: then nothing
 * remains.
 */
export interface OrderItem {
  /** Identifies the line for good; the value for `item_ids`. */
  item_id: string;
  /** Code of the line, `{order_no}-{NN}`. */
  item_code: string;
  /** Name of the product. */
  product_name: string;
  /** Name of the option. */
  option_name: string;
  /** Number of pieces. */
  quantity: number;
  /** Price before any reduction, of one piece. */
  list_price: number;
  /** Selling price of one piece. That of the wanted option, for a line that an exchange created. */
  unit_price: number;
  /** Selling price of the line. */
  line_amount: number;
  /**
   * Discount on the line. A line that an exchange created keeps that of the goods that it replaces, but no more than
   * its `line_amount`; what exceeds it lapses.
   */
  discount_amount: number;
  /**
   * What was paid for the line: `line_amount` - `discount_amount`. For a line that an exchange created this is what was
   * paid for the goods that it replaces, plus the `price_difference`.
   */
  line_paid_amount: number;
  item_status: ItemStatus;
  /** The line was created by an exchange. Never changes. */
  is_exchange: boolean;
  /** A cancel, return or exchange is in progress on the line. */
  has_active_claim: boolean;
  /** Carrier of the parcel. Null in `paid` and `preparing`. */
  carrier_name: string | null;
  /** Tracking number as the server normalised it. Null in `paid` and `preparing`. */
  tracking_no: string | null;
  /** Forwarding agent given with the shipment. Set in `shipping`, `delivered` and `confirmed` only. */
  logistics_company: string | null;
  /** Null before `shipping`. */
  shipped_at: Timestamp | null;
  /** Null before `delivered`. */
  delivered_at: Timestamp | null;
  /** Set in `confirmed` only. */
  confirmed_at: Timestamp | null;
  /** When the purchase will be confirmed by itself. Null outside `delivered` and while a claim is in progress. */
  auto_confirm_at: Timestamp | null;
  /**
   * The line that this one was split off from, or that it stands in for when an exchange created it (since the exchange
   * completed, the line that carries the exchanged quantity). Null otherwise.
   */
  origin_item_id: string | null;
  /** The claim whose completion split this line off; null when it was not split off. */
  split_from_claim_no: string | null;
  /** The exchange that created this line; null when none did. */
  exchange_claim_no: string | null;
  /**
   * By when the line should be shipped, as the marketplace says; it may move. Null when there is no such time, and
   * outside `paid` and `preparing`. The interface enforces nothing.
   */
  ship_by: Timestamp | null;
  /** Doubts about `tracking_no`. Only in `shipping`, and absent when there are none. */
  warnings?: Warning[];
}

/** Items of an order. */
export interface ItemsRequest {
  /**
   * Values of `item_id`, none twice. One that is malformed, unknown, or belongs to another order or seller gives 404
   * `ORDER_ITEM_NOT_FOUND`, and in a batch fails its entry only; an empty text gives 422.
   */
  item_ids: string[];
}

/** One parcel of an order. */
export interface ShipmentRequest {
  /**
   * Values of `item_id`, none twice. One that is malformed, unknown, or belongs to another order or seller gives 404
   * `ORDER_ITEM_NOT_FOUND`, and in a batch fails its entry only; an empty text gives 422.
   */
  item_ids: string[];
  /** Exactly one of the five names. Anything else, also an empty text, gives `SHIPMENT_CARRIER_NOT_ALLOWED`. */
  carrier_name: Carrier;
  /**
   * As printed; spaces, hyphens, dots and letter case do not matter. Empty or blank gives `SHIPMENT_FIELDS_REQUIRED`,
   * control characters `SHIPMENT_INPUT_INVALID`.
   */
  tracking_no: string;
  /** Name of a forwarding agent. Absent and null are the same; an empty text is a value of its own. */
  logistics_company?: string | null;
}

/** Up to 500 parcels. */
export interface BatchShipmentRequest {
  /** The parcels, each for one order. */
  items: BatchShipmentEntry[];
}

/** One parcel of one order. It succeeds or fails as a whole. */
export interface BatchShipmentEntry {
  /** The order. */
  order_no: string;
  /**
   * Values of `item_id`, none twice. One that is malformed, unknown, or belongs to another order or seller gives 404
   * `ORDER_ITEM_NOT_FOUND`, and in a batch fails its entry only; an empty text gives 422.
   */
  item_ids: string[];
  /** Exactly one of the five names. Anything else, also an empty text, gives `SHIPMENT_CARRIER_NOT_ALLOWED`. */
  carrier_name: Carrier;
  /**
   * As printed; spaces, hyphens, dots and letter case do not matter. Empty or blank gives `SHIPMENT_FIELDS_REQUIRED`,
   * control characters `SHIPMENT_INPUT_INVALID`.
   */
  tracking_no: string;
  /** Name of a forwarding agent. Absent and null are the same; an empty text is a value of its own. */
  logistics_company?: string | null;
}

/** What happened to a seller's items of an order. */
export interface OrderHistory {
  /** The order. */
  order_no: string;
  /** In chronological order. */
  events: OrderEvent[];
}

/**
 * An event. `changed_at`, `event`, `changed_by` and `item_ids` are always there; every other member comes with the
 * events that it names.
 */
export interface OrderEvent {
  changed_at: Timestamp;
  /**
   * `status`: the items entered a state. `parcel`: they were put into a parcel, the first one or another. `hold`: a
   * claim holds them from now on. `hold_end`: it holds them no longer. `split`: a claim on a part of an item split that
   * part off.
   */
  event: Open<"status" | "parcel" | "hold" | "hold_end" | "split">;
  changed_by: ChangedBy;
  /** The first 12 characters of the key of yours that was used. Only where `changed_by` is `seller`. */
  key_prefix?: string;
  /** The items. */
  item_ids: string[];
  /** `status`: the state. */
  item_status?: ItemStatus;
  /** `parcel`: its carrier. */
  carrier_name?: string;
  /** `parcel`: its tracking number. */
  tracking_no?: string;
  /** `parcel`: the forwarding agent, if one was given. */
  logistics_company?: string;
  /** `hold`, `hold_end`, `split`: the claim. */
  claim_no?: string;
  /**
   * `hold_end`: `released` when the claim ended without effect, `settled` when it completed, `converted` when a return
   * holds the items now.
   */
  outcome?: Open<"released" | "settled" | "converted">;
  /** `split`: the item that the part was split off from. */
  origin_item_id?: string;
  /** `split`: the pieces of the part. */
  quantity?: number;
}

/** What tells the items that are in `preparing`, now or before. */
export interface PreparationResult {
  /** The order. */
  order_no: string;
  order_status: OrderStatus;
  updated_at: Timestamp;
  /** The items that were sent, in their new state. */
  items: PreparedItem[];
}

/** An item that is in the wanted state. */
export interface PreparedItem {
  /** The item, by the id that never changes. */
  item_id: string;
  /** The item, by its code. */
  item_code: string;
  item_status: ItemStatus;
  /** The item was in the wanted state before this call. */
  already_done: boolean;
}

/** What tells the items that have this shipment, now or before. */
export interface ShipmentResult {
  /** The order. */
  order_no: string;
  order_status: OrderStatus;
  updated_at: Timestamp;
  /** The items that were sent, with their parcel. */
  items: ShippedItem[];
  /**
   * Doubts about a tracking number that was accepted all the same, because carriers change their numbers. Absent when
   * there are none.
   */
  warnings?: Warning[];
}

/** What tells the items that are delivered, now or before. */
export interface DeliveryResult {
  /** The order. */
  order_no: string;
  order_status: OrderStatus;
  updated_at: Timestamp;
  /** The items that were sent, with their parcel. */
  items: ShippedItem[];
}

/** An item that has its shipment. */
export interface ShippedItem {
  /** The item, by the id that never changes. */
  item_id: string;
  /** The item, by its code. */
  item_code: string;
  item_status: ItemStatus;
  /** The item was in the wanted state before this call. */
  already_done: boolean;
  /** Tracking number as the server normalised it. */
  tracking_no: string;
  /** Carrier of the parcel. */
  carrier_name: string;
}

/** A doubt about a tracking number. */
export interface Warning {
  /** Where: `tracking_no`, or `items[3].tracking_no` in the request of a batch. */
  field: string;
  /** The kind of warning. */
  code: Open<"TRACKING_NO_SUSPICIOUS">;
  /**
   * `not_digits`: this carrier's numbers consist of digits. `length`: they have other lengths. `check_digit`: the last
   * digit does not fit the others, so the number is probably mistyped.
   */
  reason: Open<"not_digits" | "length" | "check_digit">;
  /** A text for people. */
  message: string;
}

/** What became of the parcels of a batch. */
export interface BatchShipmentResult {
  /** Ids of the items that have their shipment, now or before, each once however many entries name it. */
  succeeded: string[];
  /** The entries that failed. */
  failed: FailedEntry[];
  summary: BatchSummary;
  /**
   * Doubts about a tracking number that was accepted all the same, because carriers change their numbers. Absent when
   * there are none.
   */
  warnings?: Warning[];
}

/** A parcel of a batch that was refused. */
export interface FailedEntry {
  /** As sent. */
  order_no: string;
  /** The entry's item ids, cut to 64 characters where they are longer; empty when the order was not found. */
  order_item_public_ids: string[];
  /** The code that the shipment of this order alone would be refused with, or `ORDER_BATCH_ERROR`. */
  error_code: Open<KnownBatchErrorCode>;
  /** A text for people. Never branch on it. */
  message: string;
  /** Where the entry stands in `items` of the request, counted from 0. */
  index: number;
  error_data: EntryErrorData;
}

/**
 * What the single shipment is refused with in `error_data`. `doc_url` is always there; every other member comes with
 * the codes that it names.
 */
export interface EntryErrorData {
  /** The page about the code, on the host that answered. */
  doc_url: string;
  /** `ORDER_ITEM_…`, `EXCHANGE_ITEM_NOT_…` and `SHIPMENT_STATE_CONFLICT`: the items concerned. */
  items?: ItemProblem[];
  /** `SHIPMENT_INPUT_INVALID`: the member of the entry that has control characters. */
  field?: string;
  /** `SHIPMENT_CARRIER_NOT_ALLOWED`: the allowed names. */
  allowed?: string[];
}

/**
 * Counts of items, not of orders. An item that several entries name is decided by each in turn and counts once in each
 * sum: one that an entry shipped and another wanted in a different parcel counts in both.
 */
export interface BatchSummary {
  /** Number of ids in `succeeded`. */
  succeeded: number;
  /** The different ids sent in entries that failed, also when the order was not found. */
  failed: number;
}

/** What happened to a claim. */
export interface ClaimHistory {
  /** The claim. */
  claim_no: string;
  /** The order. */
  order_no: string;
  /** In chronological order. */
  events: ClaimEvent[];
}

/**
 * An event. `changed_at`, `event` and `changed_by` are always there; every other member comes with the events that it
 * names.
 */
export interface ClaimEvent {
  changed_at: Timestamp;
  /**
   * `status`: the claim entered a status. `parcel`: the collection or the reshipment got its parcel. `refund`: a refund
   * took a step.
   */
  event: Open<"status" | "parcel" | "refund">;
  changed_by: ChangedBy;
  /** The first 12 characters of the key of yours that was used. Only where `changed_by` is `seller`. */
  key_prefix?: string;
  /** `status`: the status. */
  status?: ClaimStatus;
  /** `parcel`: that of the collection (`collect`) or of the reshipment (`reship`). */
  parcel?: Open<"collect" | "reship">;
  /** `parcel`: its carrier. */
  carrier_name?: string;
  /** `parcel`: its tracking number. */
  tracking_no?: string;
  /** `refund`: that of the claim (`refund`), or of what the customer paid in advance (`shortfall_return`). */
  refund?: Open<"refund" | "shortfall_return">;
  /**
   * `refund`: `queued`, `sent` to the payment provider, `awaiting_account` of the customer, `retrying` after a failure,
   * `manual` when an operator sees to it, `succeeded`.
   */
  refund_status?: Open<"queued" | "sent" | "awaiting_account" | "retrying" | "manual" | "succeeded">;
  /** `refund`: money and points together. */
  amount?: number;
}

/** A cancel, return or exchange. It holds no data of the recipient. What is not known yet is null. */
export interface Claim {
  /** Number of the claim; identifies it. */
  claim_no: string;
  /** The order that the claim belongs to. */
  order_no: string;
  /** What the customer asks for. */
  type: ClaimType;
  status: ClaimStatus;
  /**
   * What can be newly done now: the last part of the path of an action. Follows from type and status alone, so a claim
   * that an operator has frozen shows the same. Empty when there is nothing; repeating what was done still answers 200.
   */
  available_actions: ClaimAction[];
  /** Who bears the shipping fee; follows from `reason_code`. */
  fault: Fault;
  /** Why the customer asks. */
  reason_code: ReasonCode;
  /**
   * What the customer gets back in the end, in money and in points, fees deducted. Null before it is fixed, or when
   * nothing is refunded.
   */
  refund_amount: number | null;
  /**
   * Fee of the return or exchange. Deducted from the refund when `fault` is `buyer`, 0 when it is `seller`. Null for a
   * claim that ended as `rejected`, `withdrawn`, `expired` or `converted_to_return`: nothing was charged, or the return
   * gives it back. The return in the place of an exchange charges no more than its refund can pay.
   */
  claim_shipping_fee: number | null;
  /**
   * Exchange: positive, the customer paid so much more; negative, the customer gets so much back, at most what was paid
   * for the goods. 0 otherwise.
   */
  price_difference: number | null;
  requested_at: Timestamp;
  /** When the claim ended, in whatever way. */
  completed_at: Timestamp | null;
  updated_at: Timestamp;
  /** Carrier of the returned goods, after `pickup`. */
  collect_carrier_name: string | null;
  /** Tracking number of the returned goods, after `pickup`. */
  collect_tracking_no: string | null;
  /** `pass` or `fail`. Tells a rejection by inspection (`fail`) from an explicit one (null). */
  inspect_result: InspectResult | null;
  /** Carrier of the exchanged goods, after `reship`. */
  reship_carrier_name: string | null;
  /** Tracking number of the exchanged goods, after `reship`. */
  reship_tracking_no: string | null;
  /** The claimed items. */
  items: ClaimItem[];
  /**
   * Return in `collected`: when it counts as passed if nobody inspects. Null otherwise, also while an operator has
   * frozen the claim; later by the duration of the freeze afterwards.
   */
  inspection_due_at: Timestamp | null;
  /**
   * `payment_pending`: when the claim expires if the customer does not pay. Null otherwise, also while an operator has
   * frozen the claim; later by the duration of the freeze afterwards.
   */
  payment_due_at: Timestamp | null;
  /**
   * In answers to actions only: whether the action had been performed, or begun, before the call, so that the call
   * changed nothing. A replayed answer says what was said first.
   */
  already_done?: boolean;
  /** What `refund_amount` consists of; null as long as that is null. */
  refund_breakdown: RefundBreakdown | null;
}

/**
 * What a refund consists of: `goods` + `shipping` - `fee` - `price_difference` = `refund_amount` = `money` + `points`.
 */
export interface RefundBreakdown {
  /** What was paid for the goods that came back; 0 for an exchange. */
  goods: number;
  /**
   * What the customer had paid for shipping the order, with the claim that completes the undoing of your part of it.
   */
  shipping: number;
  /**
   * What of `claim_shipping_fee` is deducted from this refund; not what the customer paid before. What an exchange
   * deducted before it became a return, the return gives back.
   */
  fee: number;
  /**
   * Exchange: as in the claim, negative. Return that took the place of an exchange: what the exchange has refunded. 0
   * otherwise.
   */
  price_difference: number;
  /** What the customer gets back in points, for what was paid with points. Fees are deducted from money first. */
  points: number;
  /** What the customer gets back in money. */
  money: number;
}

/**
 * The claimed quantity of one line. `item_code` always names the line that was claimed. `item_id` names the line that
 * carries the claimed quantity: after a split, the new one. So the two may belong to different lines of the order.
 */
export interface ClaimItem {
  /** The item, by its code. */
  item_code: string;
  /** The item, by the id that never changes. */
  item_id: string;
  /** Number of pieces that the claim is about. */
  quantity: number;
  /** Name of the product. */
  product_name: string;
  /** Name of the option. */
  option_name: string;
  /** Exchange: the option that the customer wants. Null otherwise. */
  exchange_option_name: string | null;
}

/** The reason of a rejection. */
export interface RejectRequest {
  /** Why. One character or more; tabs and line ends (LF or CR LF) are the only control characters allowed. */
  memo: string;
}

/** A parcel of a claim, on its way back or out again. */
export interface ParcelRequest {
  /** Exactly one of the five names. Anything else, also an empty text, gives `SHIPMENT_CARRIER_NOT_ALLOWED`. */
  carrier_name: Carrier;
  /**
   * As printed; spaces, hyphens, dots and letter case do not matter. Empty or blank gives `SHIPMENT_FIELDS_REQUIRED`,
   * control characters `SHIPMENT_INPUT_INVALID`.
   */
  tracking_no: string;
}

/** The result of an inspection. */
export interface InspectRequest {
  /** `pass` accepts the returned goods, `fail` refuses them. */
  result: KnownInspectResult;
  /**
   * Compulsory with `fail`: absent or null is 422 `VALIDATION_ERROR`, empty or blank 400 `CLAIM_MEMO_REQUIRED`. Stored
   * as well with `pass`. Tabs and line ends (LF or CR LF) are the only control characters allowed.
   */
  memo?: string | null;
}

/** A customer's question about a product. Never show a secret one to others than the seller. */
export interface Inquiry {
  /** Identifies the inquiry. */
  qna_id: string;
  /** The product that the question is about. */
  product_id: string;
  /** Name of the product. */
  product_name: string;
  /** What it is about. The marketplace adds categories without notice. */
  category: InquiryCategory;
  /** The customer's text, of secret inquiries too. */
  body: string;
  /** Only the seller and the customer may see it. */
  is_secret: boolean;
  /** The customer's name as the shop shows it. */
  member_display_name: string;
  status: InquiryStatus;
  /** Addresses of the customer's pictures. */
  image_urls: string[];
  created_at: Timestamp;
  updated_at: Timestamp;
  /** The answer that stands; null while the inquiry waits. */
  answer: InquiryAnswer | null;
}

/** A call of the seller and what became of it. */
export interface LoggedRequest {
  /** When the call arrived. */
  requested_at: Timestamp;
  /** The `X-Request-Id` of the call, which its client may have chosen. */
  request_id: string;
  /** The first 12 characters of the key. */
  key: string;
  /** The operation, by its `operationId`. */
  operation: string;
  /**
   * The order, claim or inquiry that the path names. Null if the operation has none, and if what the path names was not
   * found and has not the form of a number.
   */
  record: string | null;
  /**
   * The parameters of the query, as far as they are kept: `…` stands for what may be anything. Null if there were none.
   */
  query: string | null;
  /** The HTTP status of the answer. */
  status: number;
  /**
   * The code with which the call was refused, of the error table. Null for a success, and for failures without a code.
   * A batch is a success: what became of its entries is not kept.
   */
  error_code: string | null;
  /** What is kept of `error_data` of a refusal; null if that is nothing. */
  error_data: LoggedErrorData | null;
  /** The rows in the answer, as they were charged. */
  rows: number;
  /** How long the call took, in milliseconds, without the time that it was held by `wait`. */
  duration_ms: number;
  /**
   * What the call met with its `Idempotency-Key`: `first` it was new, `replayed` the first answer was sent again,
   * `in_progress` the first call was not yet answered, `reused` it belonged to another request, `gone` the answer was
   * deleted. Null if the call had none, or was refused before it was looked at.
   */
  idempotency: IdempotencyOutcome | null;
}

/**
 * The members of `error_data` that are kept: without texts, and without what quotes the request. Which there are
 * depends on the code.
 */
export interface LoggedErrorData {
  /** `VALIDATION_ERROR`: what is wrong, at most the first ten problems. */
  errors?: LoggedProblem[];
  /**
   * `ORDER_ITEM_…`, `EXCHANGE_ITEM_NOT_…` and `SHIPMENT_STATE_CONFLICT`: items concerned, at most ten, without their
   * parcels.
   */
  items?: ItemProblem[];
  /**
   * `CLAIM_NOT_…`, `IDEMPOTENCY_UNRESOLVED`, `EXCHANGE_ITEM_SHIP_FAILED`: state of the claim. `QNA_ALREADY_ANSWERED`:
   * state of the inquiry.
   */
  status?: string;
  /** `CLAIM_NOT_…`, `IDEMPOTENCY_UNRESOLVED`, `EXCHANGE_ITEM_SHIP_FAILED`: what can be newly done with the claim. */
  available_actions?: ClaimAction[];
  /**
   * `INVALID_CURSOR`: `malformed` or `filters_changed`. `CLAIM_NOT_…`: what stands in the way, where it is known;
   * `frozen`: an operator has stopped the claim.
   */
  reason?: string;
  /**
   * `CLAIM_NOT_…` with the reason `frozen`: why the operator has stopped the claim, `dispute`, `fraud_check`,
   * `payment_check` or `other`.
   */
  code?: string;
  /** `SHIPMENT_INPUT_INVALID`: the member of the body that has control characters. */
  field?: string;
  /** `SHIPMENT_CARRIER_NOT_ALLOWED`: the allowed names. */
  allowed?: string[];
  /** `SCOPE_FORBIDDEN`: the scope that the key lacks. */
  required_scope?: string;
  /** `RATE_LIMITED`: the limit that is used up. */
  limit?: string;
  /** `RATE_LIMITED`: how much that limit allows. */
  max?: number;
  /** `RATE_LIMITED`: in how many seconds. */
  window_seconds?: number;
  /** `RATE_LIMITED`: seconds to wait, as in `Retry-After`. */
  retry_after?: number;
  /** `QNA_ALREADY_ANSWERED`: when the answer that stands was given. */
  answered_at?: Timestamp;
  /** Body too large (413): what is allowed. */
  max_bytes?: number;
}

/** One thing that was wrong with a request. */
export interface LoggedProblem {
  /**
   * Where, for instance `items[3].tracking_no`. `body` and `query` stand for the whole, and for a name that the client
   * chose.
   */
  field: string;
  /** What, as in `FieldError`. */
  code: string;
  /** The allowed values, where there is a short list of them. */
  allowed?: string[];
}

/** An answer as it was sent. */
export interface InquiryAnswer {
  /** The answer as it was sent. */
  content: string;
  answered_at: Timestamp;
}

/** An answer to an inquiry. */
export interface AnswerRequest {
  /** The answer. Not blank; tabs and line ends (LF or CR LF) are the only control characters allowed. */
  content: string;
}

/** The answer that the inquiry has now. */
export interface InquiryAnswered {
  /** The inquiry. */
  qna_id: string;
  status: InquiryStatus;
  /** The same answer was there before this call. */
  converged: boolean;
  answered_at: Timestamp;
  updated_at: Timestamp;
  answer: InquiryAnswer;
}
