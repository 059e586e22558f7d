"""Whether a resource shows that a call whose response has expired was done.

A wrong no costs one more request, because the server then reports it as already done; a wrong yes
would lose a call. So these report success only for what is visible in the resource.
"""

from __future__ import annotations

import re
from typing import Callable, List, Optional

from .contract import (
    Claim,
    DeliveryResult,
    ItemsRequest,
    Order,
    OrderItem,
    ParcelRequest,
    PreparationResult,
    ShipmentRequest,
    ShipmentResult,
    ShippedItem,
)


def _find(
    order: Order, ids: List[str], wanted: Callable[[OrderItem], bool]
) -> Optional[List[OrderItem]]:
    """Return the items with these ids, in this order; None if one is missing or not as wanted."""
    items = {item["item_id"]: item for item in order["items"] if wanted(item)}
    return [items[one] for one in ids] if all(one in items for one in ids) else None


def prepared(order: Order, request: ItemsRequest) -> Optional[PreparationResult]:
    """Return the result of preparing these items if they are preparing, otherwise None."""
    items = _find(order, request["item_ids"], lambda item: item["item_status"] == "preparing")
    if items is None:
        return None
    return {
        "order_no": order["order_no"],
        "order_status": order["order_status"],
        "updated_at": order["updated_at"],
        "items": [
            {
                "item_id": item["item_id"],
                "item_code": item["item_code"],
                "item_status": item["item_status"],
                "already_done": True,
            }
            for item in items
        ],
    }


def shipped(order: Order, request: ShipmentRequest) -> Optional[ShipmentResult]:
    """Return the result of shipping these items if they are in this parcel, otherwise None."""
    parcel: ParcelRequest = {
        "carrier_name": request["carrier_name"],
        "tracking_no": request["tracking_no"],
    }

    def under_way(item: OrderItem) -> bool:
        return (
            item["item_status"] in ("shipping", "delivered", "confirmed")
            and is_parcel(parcel, item["carrier_name"], item["tracking_no"])
            and request.get("logistics_company") == item["logistics_company"]
        )

    items = _find(order, request["item_ids"], under_way)
    if items is None:
        return None
    return {
        "order_no": order["order_no"],
        "order_status": order["order_status"],
        "updated_at": order["updated_at"],
        "items": [_shipped_item(item) for item in items],
    }


def delivered(order: Order, request: ItemsRequest) -> Optional[DeliveryResult]:
    """Return the result of delivering these items if they are delivered, otherwise None."""
    items = _find(
        order, request["item_ids"], lambda item: item["item_status"] in ("delivered", "confirmed")
    )
    if items is None:
        return None
    return {
        "order_no": order["order_no"],
        "order_status": order["order_status"],
        "updated_at": order["updated_at"],
        "items": [_shipped_item(item) for item in items],
    }


def _shipped_item(item: OrderItem) -> ShippedItem:
    return {
        "item_id": item["item_id"],
        "item_code": item["item_code"],
        "item_status": item["item_status"],
        "already_done": True,
        "tracking_no": item["tracking_no"] or "",
        "carrier_name": item["carrier_name"] or "",
    }


def is_parcel(
    parcel: ParcelRequest, carrier_name: Optional[str], tracking_no: Optional[str]
) -> bool:
    """Return whether a parcel equals the stored one.

    Tracking numbers are stored without the separators that they are printed with.
    """
    printed = re.sub(r"[ .-]", "", parcel["tracking_no"].upper())
    return parcel["carrier_name"].strip() == carrier_name and printed == tracking_no


def was_approved(claim: Claim) -> bool:
    """Return whether the claim has been approved."""
    return claim["status"] in (
        "approved",
        "collecting",
        "collected",
        "inspecting",
        "reshipping",
        "refund_processing",
        "completed",
    )


def was_rejected(claim: Claim) -> bool:
    """Return whether the seller rejected the claim, as opposed to an inspection."""
    return claim["status"] == "rejected" and claim["inspect_result"] is None


def was_collected(claim: Claim) -> bool:
    """Return whether the goods have come back."""
    if claim["status"] in ("collected", "inspecting", "reshipping"):
        return True
    if claim["status"] in ("refund_processing", "completed"):
        return claim["type"] != "cancel"
    return claim.get("inspect_result") is not None
