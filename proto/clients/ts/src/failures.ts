// The schemas of the interface description, under their names and with their members. What the members mean is written
// there and, in short, here.

import type { ClaimAction, ItemStatus, Open, Timestamp } from "./values.js";

/** What a client can act on after a failure. `request_id` is always there, every other member with the codes it names. */
export interface ErrorData {
  request_id: string;
  /** `VALIDATION_ERROR`: everything that is wrong. */
  errors?: FieldError[];
  /** `ORDER_ITEM_…`, `EXCHANGE_ITEM_NOT_…`, `SHIPMENT_STATE_CONFLICT`: the items concerned. */
  items?: ItemProblem[];
  /** State of the claim, or of the inquiry. */
  status?: string;
  /** What can be done with the claim now. */
  available_actions?: ClaimAction[];
  /** `INVALID_CURSOR`: `malformed` or `filters_changed`. `CLAIM_NOT_…`: what stands in the way. */
  reason?: string;
  /** `SHIPMENT_INPUT_INVALID`: the member with control characters. */
  field?: string;
  /** `SHIPMENT_CARRIER_NOT_ALLOWED`: the allowed names. */
  allowed?: string[];
  /** `SCOPE_FORBIDDEN`: what the key lacks. */
  required_scope?: string;
  /** `RATE_LIMITED`: the limit, how much it allows, in how many seconds, and how many seconds to wait. */
  limit?: Open<"read" | "process" | "rows">;
  max?: number;
  window_seconds?: number;
  retry_after?: number;
  /** `QNA_ALREADY_ANSWERED`: when the answer that stands was given. */
  answered_at?: Timestamp;
  /** HTTP 413: the largest body. */
  max_bytes?: number;
}

/** One thing that is wrong with a request. */
export interface FieldError {
  /** Where, such as `items[3].tracking_no` or `query.limit`; `body` and `query` stand for the whole. */
  field: string;
  code: Open<
    | "required" | "null" | "type" | "empty" | "too_long" | "too_few" | "too_many" | "repeated" | "duplicate" | "case"
    | "unknown" | "not_allowed" | "range" | "malformed" | "control" | "encoding" | "syntax"
  >;
  /** For people. */
  message: string;
  /** The allowed values, where there is a list of them. */
  allowed?: string[];
}

/** An item that stands in the way. */
export interface ItemProblem {
  item_id: string;
  /** Absent when the item was not found. */
  item_status?: ItemStatus;
  /** `SHIPMENT_STATE_CONFLICT`: the stored shipment. */
  carrier_name?: string;
  tracking_no?: string;
  logistics_company?: string | null;
}
