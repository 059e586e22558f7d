// Whether a resource shows that a call whose response has expired was done. A wrong no costs one more request, because
// the server then reports it as already done; a wrong yes would lose a call. So these report true only for what is
// visible in the resource.

import type {
  Claim, DeliveryResult, ItemsRequest, Order, OrderItem, ParcelRequest, PreparationResult, ShipmentRequest, ShipmentResult, ShippedItem,
} from "./contract.js";

/** The items with these ids, in this order; undefined if one is missing or not as wanted. */
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

/** Reports whether a parcel equals the stored one: tracking numbers are stored without the separators in print. */
export function isParcel(parcel: ParcelRequest, carrierName: string | null, trackingNo: string | null): boolean {
  return parcel.carrier_name.trim() === carrierName && parcel.tracking_no.toUpperCase().replace(/[ .-]/g, "") === trackingNo;
}

export function wasApproved({ status }: Claim): boolean {
  return ["approved", "collecting", "collected", "inspecting", "reshipping", "refund_processing", "completed"].includes(status);
}

/** Reports whether the seller rejected the claim, as opposed to an inspection. */
export function wasRejected({ status, inspect_result }: Claim): boolean {
  return status === "rejected" && inspect_result === null;
}

export function wasCollected({ type, status, inspect_result }: Claim): boolean {
  if (["collected", "inspecting", "reshipping"].includes(status)) return true;
  if (["refund_processing", "completed"].includes(status)) return type !== "cancel";
  return inspect_result != null;
}
