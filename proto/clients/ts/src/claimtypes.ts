// The schemas of the interface description, under their names and with their members. What the members mean is written
// there and, in short, here.

import type {
  Carrier, ClaimAction, ClaimStatus, ClaimType, Fault, InspectResult, KnownClaimStatus, KnownClaimType, KnownInspectResult, Page,
  ReasonCode, Time, Timestamp,
} from "./values.js";

export type ClaimList = Page<Claim>;

/** Both ends of a range belong to it. */
export interface ClaimFilter {
  type?: KnownClaimType;
  status?: KnownClaimStatus;
  requested_at_gte?: Time;
  requested_at_lte?: Time;
  updated_at_gte?: Time;
  updated_at_lte?: Time;
  /** 1 to 100, 50 by default. */
  limit?: number;
  cursor?: string;
}

/** A cancel, return or exchange. What is not known yet is null. */
export interface Claim {
  claim_no: string;
  order_no: string;
  type: ClaimType;
  status: ClaimStatus;
  /** What can be newly done now. Repeating what was done still succeeds. */
  available_actions: ClaimAction[];
  fault: Fault;
  reason_code: ReasonCode;
  /** What the customer gets back in the end, in money and in points, fees deducted. */
  refund_amount: number | null;
  /** Null for a claim that ended without effect: nothing was charged. */
  claim_shipping_fee: number | null;
  /** Exchange: positive, the customer paid so much more; negative, the customer gets so much back. */
  price_difference: number | null;
  requested_at: Timestamp;
  completed_at: Timestamp | null;
  updated_at: Timestamp;
  collect_carrier_name: string | null;
  collect_tracking_no: string | null;
  /** Tells a rejection by inspection from an explicit one. */
  inspect_result: InspectResult | null;
  reship_carrier_name: string | null;
  reship_tracking_no: string | null;
  items: ClaimItem[];
  /** When a collected return counts as passed if nobody inspects. */
  inspection_due_at: Timestamp | null;
  /** When the claim expires if the customer does not pay. */
  payment_due_at: Timestamp | null;
  /** What `refund_amount` consists of; null as long as that is null. */
  refund_breakdown: RefundBreakdown | null;
}

/**
 * What a refund consists of: `goods` + `shipping` - `fee` - `price_difference` is the refund, and so is `money` + `points`. Only
 * `price_difference` can be negative.
 */
export interface RefundBreakdown {
  /** What was paid for the goods that came back; 0 for an exchange. */
  goods: number;
  /** What of the order's shipping goes back. */
  shipping: number;
  /** What of the claim's fee is deducted from this refund. */
  fee: number;
  /** Exchange: as in the claim. Return that took the place of one: what the exchange has refunded. */
  price_difference: number;
  points: number;
  money: number;
}

/** The claimed quantity of one line: of `item_code`; after a split carried by the new line `item_id`. */
export interface ClaimItem {
  item_code: string;
  item_id: string;
  quantity: number;
  product_name: string;
  option_name: string;
  /** The option that the customer wants; null unless it is an exchange. */
  exchange_option_name: string | null;
}

export interface RejectRequest {
  memo: string;
}

/** A parcel of a claim, on its way back or out again. */
export interface ParcelRequest {
  carrier_name: Carrier;
  tracking_no: string;
}

export interface InspectRequest {
  result: KnownInspectResult;
  /** Compulsory with `fail`. */
  memo?: string | null;
}
