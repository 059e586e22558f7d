// What a resource tells about a call whose answer is no longer known. Saying no by mistake costs one more request, since
// the server lets it count as done; saying yes by mistake would lose a call. So these only say yes to what they can see.

import type {
  Claim, DeliveryResult, ItemsRequest, Order, OrderItem, ParcelRequest, PreparationResult, ShipmentRequest, ShipmentResult, ShippedItem,
} from "./contract.js";

/** The items with these ids, in this order; undefined when one is missing or not as wanted. */
function find(order: Order, ids: string[], wanted: (item: OrderItem) => boolean): OrderItem[] | undefined {
  const found = ids.map((id) => order.items.find((item) => item.item_id === id && wanted(item)));
  return found.every((item) => item !== undefined) ? found : undefined;
}

function headOf({ order_no, order_status, updated_at }: Order) {
  return { order_no, order_status, updated_at };
}

export function prepared(order: Order, request: ItemsRequest): PreparationResult | undefined {
  const items = find(order, request.item_ids, (item) => item.item_status === "preparing");
  return items && {
    ...headOf(order),
    items: items.map(({ item_id, item_code, item_status }) => ({ item_id, item_code, item_status, already_done: true })),
  };
}

export function shipped(order: Order, request: ShipmentRequest): ShipmentResult | undefined {
  const items = find(order, request.item_ids, (item) =>
    ["shipping", "delivered", "confirmed"].includes(item.item_status) &&
    isParcel(request, item.carrier_name, item.tracking_no) &&
    (request.logistics_company ?? null) === item.logistics_company);
  return items && { ...headOf(order), items: underWay(items) };
}

export function delivered(order: Order, request: ItemsRequest): DeliveryResult | undefined {
  const items = find(order, request.item_ids, (item) => ["delivered", "confirmed"].includes(item.item_status));
  return items && { ...headOf(order), items: underWay(items) };
}

function underWay(items: OrderItem[]): ShippedItem[] {
  return items.map(({ item_id, item_code, item_status, tracking_no, carrier_name }) =>
    ({ item_id, item_code, item_status, already_done: true, tracking_no: tracking_no ?? "", carrier_name: carrier_name ?? "" }));
}

/** Reports whether a parcel is the stored one: tracking numbers are stored without what they are printed with. */
export function isParcel(parcel: ParcelRequest, carrierName: string | null, trackingNo: string | null): boolean {
  return parcel.carrier_name.trim() === carrierName && parcel.tracking_no.toUpperCase().replace(/[ .-]/g, "") === trackingNo;
}

export function wasApproved({ status }: Claim): boolean {
  return ["approved", "collecting", "collected", "inspecting", "reshipping", "refund_processing", "completed"].includes(status);
}

/** Leaves out what an inspection rejected. */
export function wasRejected({ status, inspect_result }: Claim): boolean {
  return status === "rejected" && inspect_result === null;
}

export function wasCollected({ type, status, inspect_result }: Claim): boolean {
  if (["collected", "inspecting", "reshipping"].includes(status)) return true;
  if (["refund_processing", "completed"].includes(status)) return type !== "cancel";
  return inspect_result != null;
}
