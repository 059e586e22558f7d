// The schemas of the interface description, under their names and with their members. What the members mean is written
// there and, in short, here.

import type { Carrier, ItemStatus, KnownBatchErrorCode, KnownItemStatus, KnownOrderStatus, Open, OrderStatus, Page, Time, Timestamp } from "./values.js";

export type OrderList = Page<Order>;

/** Both ends of a range belong to it. */
export interface OrderFilter {
  paid_at_gte?: Time;
  paid_at_lte?: Time;
  updated_at_gte?: Time;
  updated_at_lte?: Time;
  order_status?: KnownOrderStatus;
  /** Orders with at least one item of this seller in that state. */
  item_status?: KnownItemStatus;
  order_no?: string;
  /** With one or both times: orders of which an item entered that state then, whatever its state is now. */
  status_changed_to?: KnownItemStatus;
  status_changed_at_gte?: Time;
  status_changed_at_lte?: Time;
  /** 1 to 100, 50 by default. */
  limit?: number;
  cursor?: string;
}

/**
 * A paid order as one seller sees it: items and seller amounts cover this seller's items only. Names, phone numbers and
 * the address are null after the customer has left the marketplace. Amounts are in `currency`, without fractions.
 */
export interface Order {
  order_no: string;
  order_status: OrderStatus;
  paid_at: Timestamp;
  /** Moves whenever the order, an item, a shipment or a claim changes. */
  updated_at: Timestamp;
  currency: string;
  seller_items_amount: number;
  seller_discount_amount: number;
  seller_point_used_amount: number;
  seller_paid_amount: number;
  seller_shipping_fee_base: number;
  seller_shipping_fee_paid: number;
  orderer_name: string | null;
  orderer_phone: string | null;
  recipient_name: string | null;
  recipient_phone: string | null;
  zipcode: string | null;
  address1: string | null;
  address2?: string;
  ship_memo?: string;
  items: OrderItem[];
  /** The state over this seller's items only. */
  seller_order_status: OrderStatus;
}

/** One line of an order. When a partial claim completes, the claimed part becomes a line of its own. */
export interface OrderItem {
  /** Identifies the line for good. */
  item_id: string;
  item_code: string;
  product_name: string;
  option_name: string;
  quantity: number;
  list_price: number;
  unit_price: number;
  line_amount: number;
  discount_amount: number;
  line_paid_amount: number;
  item_status: ItemStatus;
  /** An exchange created the line. Never changes. */
  is_exchange: boolean;
  /** A cancel, return or exchange is in progress. */
  has_active_claim: boolean;
  carrier_name: string | null;
  tracking_no: string | null;
  logistics_company: string | null;
  shipped_at: Timestamp | null;
  delivered_at: Timestamp | null;
  confirmed_at: Timestamp | null;
  /** When the purchase will be confirmed by itself. */
  auto_confirm_at: Timestamp | null;
  /** The line that the claim `split_from_claim_no` split this one off from, or that it stands in for by the exchange. */
  origin_item_id: string | null;
  split_from_claim_no: string | null;
  exchange_claim_no: string | null;
}

/** Items of an order: 1 to 200 ids, none twice. */
export interface ItemsRequest {
  item_ids: string[];
}

/** One parcel of an order. */
export interface ShipmentRequest {
  item_ids: string[];
  carrier_name: Carrier;
  /** As printed: the server leaves out spaces, hyphens and dots. */
  tracking_no: string;
  /** A forwarding agent; absent and null are the same and differ from an empty text. */
  logistics_company?: string | null;
}

/** Up to 500 parcels. */
export interface BatchShipmentRequest {
  items: BatchShipmentEntry[];
}

/** One parcel of one order. It succeeds or fails as a whole. */
export interface BatchShipmentEntry extends ShipmentRequest {
  order_no: string;
}

export interface PreparationResult {
  order_no: string;
  order_status: OrderStatus;
  updated_at: Timestamp;
  items: PreparedItem[];
}

export interface PreparedItem {
  item_id: string;
  item_code: string;
  item_status: ItemStatus;
  /** The item was there before this call. */
  already_done: boolean;
}

export interface ShipmentResult {
  order_no: string;
  order_status: OrderStatus;
  updated_at: Timestamp;
  items: ShippedItem[];
  /** Doubts about a tracking number that was accepted all the same. */
  warnings?: Warning[];
}

export interface DeliveryResult {
  order_no: string;
  order_status: OrderStatus;
  updated_at: Timestamp;
  items: ShippedItem[];
}

export interface ShippedItem extends PreparedItem {
  /** As the server stores it. */
  tracking_no: string;
  carrier_name: string;
}

/** A doubt about a tracking number. */
export interface Warning {
  /** `tracking_no`, or `items[3].tracking_no` in a batch. */
  field: string;
  code: Open<"TRACKING_NO_SUSPICIOUS">;
  reason: Open<"not_digits" | "length" | "check_digit">;
  /** For people. */
  message: string;
}

export interface BatchShipmentResult {
  /** Ids of the items that have their shipment, now or before. */
  succeeded: string[];
  failed: FailedEntry[];
  summary: BatchSummary;
  warnings?: Warning[];
}

/** A parcel of a batch that was refused. */
export interface FailedEntry {
  order_no: string;
  /** The entry's item ids; empty when the order was not found. */
  order_item_public_ids: string[];
  error_code: Open<KnownBatchErrorCode>;
  /** For people. */
  message: string;
}

/** Counts of items, not of orders. */
export interface BatchSummary {
  succeeded: number;
  failed: number;
}
