# Code generated from proto/openapi/seller-open-api.yaml by go generate; DO NOT EDIT.
"""The types of the contract: the forms of requests and answers, filters and lists of values."""

from __future__ import annotations

from datetime import datetime
from typing import List, Literal, Optional, TypedDict, Union

from .values import Timestamp

KnownErrorCode = Literal[
    "SHIPMENT_FIELDS_REQUIRED",
    "SHIPMENT_INPUT_INVALID",
    "CLAIM_MEMO_REQUIRED",
    "API_KEY_REQUIRED",
    "INVALID_API_KEY",
    "SCOPE_FORBIDDEN",
    "ORDER_NOT_FOUND",
    "ORDER_ITEM_NOT_FOUND",
    "CLAIM_NOT_FOUND",
    "QNA_NOT_FOUND",
    "IDEMPOTENCY_KEY_REUSED",
    "IDEMPOTENCY_IN_PROGRESS",
    "IDEMPOTENCY_UNRESOLVED",
    "ORDER_ITEM_NOT_PREPARABLE",
    "ORDER_ITEM_NOT_SHIPPABLE",
    "ORDER_ITEM_NOT_DELIVERABLE",
    "ORDER_ITEM_HAS_ACTIVE_CLAIM",
    "SHIPMENT_STATE_CONFLICT",
    "EXCHANGE_ITEM_NOT_PREPARABLE",
    "EXCHANGE_ITEM_NOT_RESHIPPING",
    "CLAIM_NOT_APPROVABLE",
    "CLAIM_NOT_REJECTABLE",
    "CLAIM_NOT_COLLECTABLE",
    "CLAIM_NOT_COLLECT_DONE",
    "CLAIM_NOT_INSPECTABLE",
    "CLAIM_NOT_RESHIPPABLE",
    "EXCHANGE_ITEM_SHIP_FAILED",
    "QNA_ALREADY_ANSWERED",
    "QNA_ANSWER_UNRESOLVED",
    "IDEMPOTENCY_RESULT_EXPIRED",
    "VALIDATION_ERROR",
    "IDEMPOTENCY_KEY_REQUIRED",
    "IDEMPOTENCY_KEY_TOO_LONG",
    "INVALID_CURSOR",
    "STATUS_CHANGED_FILTER_INCOMPLETE",
    "STATUS_CHANGED_RANGE_INVALID",
    "SHIPMENT_CARRIER_NOT_ALLOWED",
    "RATE_LIMITED",
    "RATE_LIMIT_UNAVAILABLE",
]
"""The codes of failures; the interface description has the condition of each."""
ErrorCode = Union[KnownErrorCode, str, None]
"""A fixed code, or None for failures that have none: unknown paths, bodies that are too large,
failures of the server.
"""

KnownBatchErrorCode = Literal[
    "ORDER_BATCH_ERROR",
    "SHIPMENT_FIELDS_REQUIRED",
    "SHIPMENT_INPUT_INVALID",
    "ORDER_NOT_FOUND",
    "ORDER_ITEM_NOT_FOUND",
    "ORDER_ITEM_NOT_SHIPPABLE",
    "ORDER_ITEM_HAS_ACTIVE_CLAIM",
    "SHIPMENT_STATE_CONFLICT",
    "EXCHANGE_ITEM_NOT_RESHIPPING",
    "SHIPMENT_CARRIER_NOT_ALLOWED",
]
"""The codes of parcels that were refused within a batch."""

KnownOrderStatus = Literal[
    "paid",
    "preparing",
    "shipping",
    "delivered",
    "confirmed",
    "partially_claimed",
    "canceled",
]
OrderStatus = Union[KnownOrderStatus, str]
"""The overall state of an order, over the items of all sellers. Do not base work on it."""

KnownItemStatus = Literal[
    "paid",
    "preparing",
    "shipping",
    "delivered",
    "confirmed",
    "canceled",
    "returned",
    "exchanged",
]
ItemStatus = Union[KnownItemStatus, str]
"""The state of an item. Operators may move an item backwards: store what arrives."""

KnownClaimType = Literal["cancel", "return", "exchange"]
ClaimType = Union[KnownClaimType, str]
"""What a customer asks for."""

KnownClaimStatus = Literal[
    "payment_pending",
    "requested",
    "approved",
    "collecting",
    "collected",
    "inspecting",
    "reshipping",
    "refund_processing",
    "completed",
    "rejected",
    "withdrawn",
    "expired",
    "converted_to_return",
]
ClaimStatus = Union[KnownClaimStatus, str]
"""The state of a claim."""

KnownClaimAction = Literal["approve", "reject", "pickup", "collect-done", "inspect", "reship"]
ClaimAction = Union[KnownClaimAction, str]
"""What a seller can do with a claim: the last part of the path of an action."""

KnownChangedBy = Literal["seller", "customer", "operator", "system", "claim"]
ChangedBy = Union[KnownChangedBy, str]
"""Who caused an event of a history."""

KnownFault = Literal["buyer", "seller"]
Fault = Union[KnownFault, str]
"""Who bears the shipping fee of a claim."""

KnownReasonCode = Literal[
    "change_of_mind",
    "defective",
    "wrong_delivery",
    "out_of_stock",
    "delayed_by_seller",
    "etc",
]
ReasonCode = Union[KnownReasonCode, str]
"""Why the customer asks."""

KnownInspectResult = Literal["pass", "fail"]
InspectResult = Union[KnownInspectResult, str]
"""The result of an inspection."""

KnownInquiryStatus = Literal["waiting", "answered"]
InquiryStatus = Union[KnownInquiryStatus, str]
"""The state of an inquiry."""

KnownInquiryCategory = Literal["product", "delivery", "return_refund", "exchange", "cancel", "etc"]
InquiryCategory = Union[KnownInquiryCategory, str]
"""What an inquiry is about. The marketplace adds categories without notice."""

KnownIdempotencyOutcome = Literal["first", "replayed", "in_progress", "reused", "gone"]
IdempotencyOutcome = Union[KnownIdempotencyOutcome, str]
"""What a call met with its idempotency key."""

Carrier = Literal[
    "CJ대한통운",
    "우체국택배",
    "한진택배",
    "롯데택배",
    "로젠택배",
]
"""The name of a carrier, exactly as the server spells it."""


class OrderFilter(TypedDict, total=False):
    """Chooses orders. Both ends of a range belong to it."""

    paid_at_gte: Union[datetime, str]
    """Paid at this time or later."""
    paid_at_lte: Union[datetime, str]
    """Paid at this time or earlier. Earlier than `paid_at_gte` is 422."""
    updated_at_gte: Union[datetime, str]
    """Changed at this time or later. The basis of collecting changes."""
    updated_at_lte: Union[datetime, str]
    """Changed at this time or earlier. Earlier than `updated_at_gte` is 422."""
    order_status: KnownOrderStatus
    """Orders whose overall state is this one."""
    item_status: KnownItemStatus
    """Orders with at least one item of this seller in this state."""
    order_no: str
    """The order with exactly this number."""
    ship_by_lte: Union[datetime, str]
    """Orders with at least one item of this seller that has not been shipped and whose `ship_by` is
    this time or earlier.
    """
    status_changed_to: KnownItemStatus
    """With `status_changed_at_gte`, `status_changed_at_lte` or both. An item of this seller entered
    this state, whatever its state is now.
    """
    status_changed_at_gte: Union[datetime, str]
    """With `status_changed_to` only. An item entered that state at this time or later."""
    status_changed_at_lte: Union[datetime, str]
    """With `status_changed_to` only. An item entered that state at this time or earlier."""
    limit: int
    """Elements on a page."""
    cursor: str
    """`next_cursor` of the page before, unchanged. Left out for the first page; an empty one is 422
    `INVALID_CURSOR`.
    """
    after: str
    """Read the list forwards, oldest change first, from here on. `beginning`; a time, from which on
    changes are returned, those at that time included; or `after` of an answer, unchanged. It
    takes no filter and no `cursor`, only `limit`.
    """
    wait: int
    """Seconds to wait for the next change, only with `after`. With something newer the answer comes
    at once; else as soon as something of the seller changes, or as an empty page with the same
    position when the time is over. A second call of the key for the same list ends the first.
    The header `X-Wait: 0` says that the call did not wait, because too many do.
    """


class ClaimFilter(TypedDict, total=False):
    """Chooses claims. Both ends of a range belong to it."""

    type: KnownClaimType
    """Claims of this type."""
    status: KnownClaimStatus
    """Claims in exactly this state."""
    requested_at_gte: Union[datetime, str]
    """Requested at this time or later."""
    requested_at_lte: Union[datetime, str]
    """Requested at this time or earlier. Earlier than `requested_at_gte` is 422."""
    updated_at_gte: Union[datetime, str]
    """Changed at this time or later. The basis of collecting changes."""
    updated_at_lte: Union[datetime, str]
    """Changed at this time or earlier. Earlier than `updated_at_gte` is 422."""
    limit: int
    """Elements on a page."""
    cursor: str
    """`next_cursor` of the page before, unchanged. Left out for the first page; an empty one is 422
    `INVALID_CURSOR`.
    """
    after: str
    """Read the list forwards, oldest change first, from here on. `beginning`; a time, from which on
    changes are returned, those at that time included; or `after` of an answer, unchanged. It
    takes no filter and no `cursor`, only `limit`.
    """
    wait: int
    """Seconds to wait for the next change, only with `after`. With something newer the answer comes
    at once; else as soon as something of the seller changes, or as an empty page with the same
    position when the time is over. A second call of the key for the same list ends the first.
    The header `X-Wait: 0` says that the call did not wait, because too many do.
    """


class InquiryFilter(TypedDict, total=False):
    """Chooses inquiries. Both ends of a range belong to it."""

    status: KnownInquiryStatus
    """Inquiries in this state."""
    updated_at_gte: Union[datetime, str]
    """Changed at this time or later. The basis of collecting changes."""
    updated_at_lte: Union[datetime, str]
    """Changed at this time or earlier. Earlier than `updated_at_gte` is 422."""
    limit: int
    """Elements on a page."""
    cursor: str
    """`next_cursor` of the page before, unchanged. Left out for the first page; an empty one is 422
    `INVALID_CURSOR`.
    """
    after: str
    """Read the list forwards, oldest change first, from here on. `beginning`; a time, from which on
    changes are returned, those at that time included; or `after` of an answer, unchanged. It
    takes no filter and no `cursor`, only `limit`.
    """
    wait: int
    """Seconds to wait for the next change, only with `after`. With something newer the answer comes
    at once; else as soon as something of the seller changes, or as an empty page with the same
    position when the time is over. A second call of the key for the same list ends the first.
    The header `X-Wait: 0` says that the call did not wait, because too many do.
    """


class LoggedRequestFilter(TypedDict, total=False):
    """Chooses requests. Both ends of a range belong to it."""

    requested_at_gte: Union[datetime, str]
    """Arrived at this time or later."""
    requested_at_lte: Union[datetime, str]
    """Arrived at this time or earlier. Earlier than `requested_at_gte` is 422."""
    key: str
    """Calls with the key that begins with these 12 characters. Never send a whole key here."""
    operation: str
    """Calls of this operation, an `operationId` of this document. Anything else is 422."""
    error_code: str
    """Calls that were refused with this code of the error table. Anything else is 422."""
    request_id: str
    """Calls with this `X-Request-Id`."""
    record: str
    """Calls whose path names this order, claim or inquiry."""
    limit: int
    """Elements on a page."""
    cursor: str
    """`next_cursor` of the page before, unchanged. Left out for the first page; an empty one is 422
    `INVALID_CURSOR`.
    """


class _ErrorData(TypedDict):
    request_id: str
    """The value of `X-Request-Id`. Quote it when you report a problem."""
    doc_url: str
    """The page about the code, on the host that answered: what happened and what to do. For
    failures without a code it is the page of the HTTP status.
    """


class ErrorData(_ErrorData, total=False):
    """What a client can act on. `request_id` and `doc_url` are always there; every other member
    comes with the codes that it names.
    """

    errors: List[FieldError]
    """`VALIDATION_ERROR`: everything that is wrong, at most the first hundred problems."""
    items: List[ItemProblem]
    """`ORDER_ITEM_…`, `EXCHANGE_ITEM_NOT_…` and `SHIPMENT_STATE_CONFLICT`: the items concerned, all
    of them this seller's or unknown.
    """
    status: str
    """`CLAIM_NOT_…`, `IDEMPOTENCY_UNRESOLVED`, `EXCHANGE_ITEM_SHIP_FAILED`: state of the claim.
    `QNA_ALREADY_ANSWERED`: state of the inquiry.
    """
    available_actions: List[ClaimAction]
    """`CLAIM_NOT_…`, `IDEMPOTENCY_UNRESOLVED`, `EXCHANGE_ITEM_SHIP_FAILED`: what can be newly done
    with the claim.
    """
    reason: str
    """`INVALID_CURSOR`: `malformed` or `filters_changed`. `CLAIM_NOT_…`: what stands in the way,
    where it is known; `frozen`: an operator has stopped the claim.
    """
    code: str
    """`CLAIM_NOT_…` with the reason `frozen`: why the operator has stopped the claim, `dispute`,
    `fraud_check`, `payment_check` or `other`.
    """
    field: str
    """`SHIPMENT_INPUT_INVALID`: the member of the body that has control characters."""
    allowed: List[str]
    """`SHIPMENT_CARRIER_NOT_ALLOWED`: the allowed names."""
    required_scope: str
    """`SCOPE_FORBIDDEN`: the scope that the key lacks."""
    limit: Union[Literal["read", "process", "rows", "address"], str]
    """`RATE_LIMITED`: the limit that is used up."""
    max: int
    """`RATE_LIMITED`: how much that limit allows."""
    window_seconds: int
    """`RATE_LIMITED`: in how many seconds."""
    retry_after: int
    """`RATE_LIMITED`: seconds to wait, as in `Retry-After`."""
    answered_at: Timestamp
    """`QNA_ALREADY_ANSWERED`: when the answer that stands was given."""
    max_bytes: int
    """Body too large (413): what is allowed."""
    content_type: str
    """Addition. Body not JSON (415): the `Content-Type` that was sent, at most its first 100
    characters.
    """
    content_encoding: str
    """Addition. Body compressed (415): the `Content-Encoding` that was sent, at most its first 100
    characters.
    """


class _FieldError(TypedDict):
    field: str
    """Where, for instance `items[3].tracking_no` or `query.limit`. `body` and `query` stand for the
    whole.
    """
    code: Union[Literal[
        "required",
        "null",
        "type",
        "empty",
        "too_long",
        "too_few",
        "too_many",
        "repeated",
        "duplicate",
        "case",
        "unknown",
        "not_allowed",
        "range",
        "malformed",
        "control",
        "encoding",
        "syntax",
    ], str]
    """What."""
    message: str
    """A text for people."""


class FieldError(_FieldError, total=False):
    """One thing that is wrong with a request."""

    allowed: List[str]
    """The allowed values, where there is a list of them."""


class _ItemProblem(TypedDict):
    item_id: str
    """As sent."""


class ItemProblem(_ItemProblem, total=False):
    """An item that stands in the way."""

    item_status: ItemStatus
    """Its state. Absent for `ORDER_ITEM_NOT_FOUND`."""
    carrier_name: str
    """`SHIPMENT_STATE_CONFLICT`: the carrier that is stored."""
    tracking_no: str
    """`SHIPMENT_STATE_CONFLICT`: the tracking number that is stored."""
    logistics_company: Optional[str]
    """`SHIPMENT_STATE_CONFLICT`: the forwarding agent that is stored, null if none."""


class _Order(TypedDict):
    order_no: str
    """Number of the order; identifies it."""
    order_status: OrderStatus
    """State of the whole order, over the items of all sellers. Do not base work on it."""
    paid_at: Timestamp
    """When it was paid."""
    updated_at: Timestamp
    """Moves whenever the order, an item, a shipment or a claim changes."""
    currency: str
    """Currency code."""
    seller_items_amount: int
    """Sum of `line_amount`."""
    seller_discount_amount: int
    """Sum of `discount_amount`."""
    seller_point_used_amount: int
    """Points that the customer used on this seller's items."""
    seller_paid_amount: int
    """Sum of `line_paid_amount`, without shipping."""
    seller_shipping_fee_base: int
    """Shipping fee before any reduction."""
    seller_shipping_fee_paid: int
    """Shipping fee that the customer paid."""
    orderer_name: Optional[str]
    """Who ordered."""
    orderer_phone: Optional[str]
    """Phone number of the one who ordered."""
    recipient_name: Optional[str]
    """Who receives."""
    recipient_phone: Optional[str]
    """Phone number of the one who receives the parcel."""
    zipcode: Optional[str]
    """Postal code."""
    address1: Optional[str]
    """Address."""
    items: List[OrderItem]
    """This seller's items, by `item_code`."""
    seller_order_status: OrderStatus
    """The state of the order over this seller's items only."""


class Order(_Order, total=False):
    """A paid order as one seller sees it. `items` and the `seller_…` amounts cover this seller's
    items only, also when the order has items of others. The names, phone numbers and the address
    become null when the customer leaves the marketplace.
    """

    address2: str
    """Rest of the address. Absent when there is none."""
    ship_memo: str
    """The customer's wish for the delivery. Absent when there is none."""


class _OrderItem(TypedDict):
    item_id: str
    """Identifies the line for good; the value for `item_ids`."""
    item_code: str
    """Code of the line, `{order_no}-{NN}`."""
    product_name: str
    """Name of the product."""
    option_name: str
    """Name of the option."""
    quantity: int
    """Number of pieces."""
    list_price: int
    """Price before any reduction, of one piece."""
    unit_price: int
    """Selling price of one piece. That of the wanted option, for a line that an exchange created.
    """
    line_amount: int
    """Selling price of the line."""
    discount_amount: int
    """Discount on the line. A line that an exchange created keeps that of the goods that it
    replaces, but no more than its `line_amount`; what exceeds it lapses.
    """
    line_paid_amount: int
    """What was paid for the line: `line_amount` - `discount_amount`. For a line that an exchange
    created this is what was paid for the goods that it replaces, plus the `price_difference`.
    """
    item_status: ItemStatus
    is_exchange: bool
    """The line was created by an exchange. Never changes."""
    has_active_claim: bool
    """A cancel, return or exchange is in progress on the line."""
    carrier_name: Optional[str]
    """Carrier of the parcel. Null in `paid` and `preparing`."""
    tracking_no: Optional[str]
    """Tracking number as the server normalised it. Null in `paid` and `preparing`."""
    logistics_company: Optional[str]
    """Forwarding agent given with the shipment. Set in `shipping`, `delivered` and `confirmed`
    only.
    """
    shipped_at: Optional[Timestamp]
    """Null before `shipping`."""
    delivered_at: Optional[Timestamp]
    """Null before `delivered`."""
    confirmed_at: Optional[Timestamp]
    """Set in `confirmed` only."""
    auto_confirm_at: Optional[Timestamp]
    """When the purchase will be confirmed by itself. Null outside `delivered` and while a claim is
    in progress.
    """
    origin_item_id: Optional[str]
    """The line that this one was split off from, or that it stands in for when an exchange created
    it (since the exchange completed, the line that carries the exchanged quantity). Null
    otherwise.
    """
    split_from_claim_no: Optional[str]
    """The claim whose completion split this line off; null when it was not split off."""
    exchange_claim_no: Optional[str]
    """The exchange that created this line; null when none did."""
    ship_by: Optional[Timestamp]
    """By when the line should be shipped, as the marketplace says; it may move. Null when there is
    no such time, and outside `paid` and `preparing`. The interface enforces nothing.
    """


class OrderItem(_OrderItem, total=False):
    """One line of an order. A claim may concern a part of its quantity. When such a claim
    completes, the line is split: the claimed part becomes a new line with a new `item_id`, the
    next free `item_code` and a final state; the rest keeps both and goes on. Amounts are divided
    so that their sums stay exact. Until everything of a line is claimed, what remains of it is
    the line under its code that has no final state; its quantity and those of the completed
    claims with its `item_code` add up to what was bought. The claim that takes the last piece
    ends the line itself: then nothing remains.
    """

    warnings: List[Warning]
    """Doubts about `tracking_no`. Only in `shipping`, and absent when there are none."""


class ItemsRequest(TypedDict):
    """Items of an order."""

    item_ids: List[str]
    """Values of `item_id`, none twice. One that is malformed, unknown, or belongs to another order
    or seller gives 404 `ORDER_ITEM_NOT_FOUND`, and in a batch fails its entry only; an empty
    text gives 422.
    """


class _ShipmentRequest(TypedDict):
    item_ids: List[str]
    """Values of `item_id`, none twice. One that is malformed, unknown, or belongs to another order
    or seller gives 404 `ORDER_ITEM_NOT_FOUND`, and in a batch fails its entry only; an empty
    text gives 422.
    """
    carrier_name: Carrier
    """Exactly one of the five names. Anything else, also an empty text, gives
    `SHIPMENT_CARRIER_NOT_ALLOWED`.
    """
    tracking_no: str
    """As printed; spaces, hyphens, dots and letter case do not matter. Empty or blank gives
    `SHIPMENT_FIELDS_REQUIRED`, control characters `SHIPMENT_INPUT_INVALID`.
    """


class ShipmentRequest(_ShipmentRequest, total=False):
    """One parcel of an order."""

    logistics_company: Optional[str]
    """Name of a forwarding agent. Absent and null are the same; an empty text is a value of its
    own.
    """


class BatchShipmentRequest(TypedDict):
    """Up to 500 parcels."""

    items: List[BatchShipmentEntry]
    """The parcels, each for one order."""


class _BatchShipmentEntry(TypedDict):
    order_no: str
    """The order."""
    item_ids: List[str]
    """Values of `item_id`, none twice. One that is malformed, unknown, or belongs to another order
    or seller gives 404 `ORDER_ITEM_NOT_FOUND`, and in a batch fails its entry only; an empty
    text gives 422.
    """
    carrier_name: Carrier
    """Exactly one of the five names. Anything else, also an empty text, gives
    `SHIPMENT_CARRIER_NOT_ALLOWED`.
    """
    tracking_no: str
    """As printed; spaces, hyphens, dots and letter case do not matter. Empty or blank gives
    `SHIPMENT_FIELDS_REQUIRED`, control characters `SHIPMENT_INPUT_INVALID`.
    """


class BatchShipmentEntry(_BatchShipmentEntry, total=False):
    """One parcel of one order. It succeeds or fails as a whole."""

    logistics_company: Optional[str]
    """Name of a forwarding agent. Absent and null are the same; an empty text is a value of its
    own.
    """


class OrderHistory(TypedDict):
    """What happened to a seller's items of an order."""

    order_no: str
    """The order."""
    events: List[OrderEvent]
    """In chronological order."""


class _OrderEvent(TypedDict):
    changed_at: Timestamp
    event: Union[Literal["status", "parcel", "hold", "hold_end", "split"], str]
    """`status`: the items entered a state. `parcel`: they were put into a parcel, the first one or
    another. `hold`: a claim holds them from now on. `hold_end`: it holds them no longer.
    `split`: a claim on a part of an item split that part off.
    """
    changed_by: ChangedBy
    item_ids: List[str]
    """The items."""


class OrderEvent(_OrderEvent, total=False):
    """An event. `changed_at`, `event`, `changed_by` and `item_ids` are always there; every other
    member comes with the events that it names.
    """

    key_prefix: str
    """The first 12 characters of the key of yours that was used. Only where `changed_by` is
    `seller`.
    """
    item_status: ItemStatus
    """`status`: the state."""
    carrier_name: str
    """`parcel`: its carrier."""
    tracking_no: str
    """`parcel`: its tracking number."""
    logistics_company: str
    """`parcel`: the forwarding agent, if one was given."""
    claim_no: str
    """`hold`, `hold_end`, `split`: the claim."""
    outcome: Union[Literal["released", "settled", "converted"], str]
    """`hold_end`: `released` when the claim ended without effect, `settled` when it completed,
    `converted` when a return holds the items now.
    """
    origin_item_id: str
    """`split`: the item that the part was split off from."""
    quantity: int
    """`split`: the pieces of the part."""


class PreparationResult(TypedDict):
    """What tells the items that are in `preparing`, now or before."""

    order_no: str
    """The order."""
    order_status: OrderStatus
    updated_at: Timestamp
    items: List[PreparedItem]
    """The items that were sent, in their new state."""


class PreparedItem(TypedDict):
    """An item that is in the wanted state."""

    item_id: str
    """The item, by the id that never changes."""
    item_code: str
    """The item, by its code."""
    item_status: ItemStatus
    already_done: bool
    """The item was in the wanted state before this call."""


class _ShipmentResult(TypedDict):
    order_no: str
    """The order."""
    order_status: OrderStatus
    updated_at: Timestamp
    items: List[ShippedItem]
    """The items that were sent, with their parcel."""


class ShipmentResult(_ShipmentResult, total=False):
    """What tells the items that have this shipment, now or before."""

    warnings: List[Warning]
    """Doubts about a tracking number that was accepted all the same, because carriers change their
    numbers. Absent when there are none.
    """


class DeliveryResult(TypedDict):
    """What tells the items that are delivered, now or before."""

    order_no: str
    """The order."""
    order_status: OrderStatus
    updated_at: Timestamp
    items: List[ShippedItem]
    """The items that were sent, with their parcel."""


class ShippedItem(TypedDict):
    """An item that has its shipment."""

    item_id: str
    """The item, by the id that never changes."""
    item_code: str
    """The item, by its code."""
    item_status: ItemStatus
    already_done: bool
    """The item was in the wanted state before this call."""
    tracking_no: str
    """Tracking number as the server normalised it."""
    carrier_name: str
    """Carrier of the parcel."""


class Warning(TypedDict):
    """A doubt about a tracking number."""

    field: str
    """Where: `tracking_no`, or `items[3].tracking_no` in the request of a batch."""
    code: Union[Literal["TRACKING_NO_SUSPICIOUS"], str]
    """The kind of warning."""
    reason: Union[Literal["not_digits", "length", "check_digit"], str]
    """`not_digits`: this carrier's numbers consist of digits. `length`: they have other lengths.
    `check_digit`: the last digit does not fit the others, so the number is probably mistyped.
    """
    message: str
    """A text for people."""


class _BatchShipmentResult(TypedDict):
    succeeded: List[str]
    """Ids of the items that have their shipment, now or before, each once however many entries name
    it.
    """
    failed: List[FailedEntry]
    """The entries that failed."""
    summary: BatchSummary


class BatchShipmentResult(_BatchShipmentResult, total=False):
    """What became of the parcels of a batch."""

    warnings: List[Warning]
    """Doubts about a tracking number that was accepted all the same, because carriers change their
    numbers. Absent when there are none.
    """


class FailedEntry(TypedDict):
    """A parcel of a batch that was refused."""

    order_no: str
    """As sent."""
    order_item_public_ids: List[str]
    """The entry's item ids, cut to 64 characters where they are longer; empty when the order was
    not found.
    """
    error_code: Union[KnownBatchErrorCode, str]
    """The code that the shipment of this order alone would be refused with, or `ORDER_BATCH_ERROR`.
    """
    message: str
    """A text for people. Never branch on it."""
    index: int
    """Where the entry stands in `items` of the request, counted from 0."""
    error_data: EntryErrorData


class _EntryErrorData(TypedDict):
    doc_url: str
    """The page about the code, on the host that answered."""


class EntryErrorData(_EntryErrorData, total=False):
    """What the single shipment is refused with in `error_data`. `doc_url` is always there; every
    other member comes with the codes that it names.
    """

    items: List[ItemProblem]
    """`ORDER_ITEM_…`, `EXCHANGE_ITEM_NOT_…` and `SHIPMENT_STATE_CONFLICT`: the items concerned."""
    field: str
    """`SHIPMENT_INPUT_INVALID`: the member of the entry that has control characters."""
    allowed: List[str]
    """`SHIPMENT_CARRIER_NOT_ALLOWED`: the allowed names."""


class BatchSummary(TypedDict):
    """Counts of items, not of orders. An item that several entries name is decided by each in turn
    and counts once in each sum: one that an entry shipped and another wanted in a different
    parcel counts in both.
    """

    succeeded: int
    """Number of ids in `succeeded`."""
    failed: int
    """The different ids sent in entries that failed, also when the order was not found."""


class ClaimHistory(TypedDict):
    """What happened to a claim."""

    claim_no: str
    """The claim."""
    order_no: str
    """The order."""
    events: List[ClaimEvent]
    """In chronological order."""


class _ClaimEvent(TypedDict):
    changed_at: Timestamp
    event: Union[Literal["status", "parcel", "refund"], str]
    """`status`: the claim entered a status. `parcel`: the collection or the reshipment got its
    parcel. `refund`: a refund took a step.
    """
    changed_by: ChangedBy


class ClaimEvent(_ClaimEvent, total=False):
    """An event. `changed_at`, `event` and `changed_by` are always there; every other member comes
    with the events that it names.
    """

    key_prefix: str
    """The first 12 characters of the key of yours that was used. Only where `changed_by` is
    `seller`.
    """
    status: ClaimStatus
    """`status`: the status."""
    parcel: Union[Literal["collect", "reship"], str]
    """`parcel`: that of the collection (`collect`) or of the reshipment (`reship`)."""
    carrier_name: str
    """`parcel`: its carrier."""
    tracking_no: str
    """`parcel`: its tracking number."""
    refund: Union[Literal["refund", "shortfall_return"], str]
    """`refund`: that of the claim (`refund`), or of what the customer paid in advance
    (`shortfall_return`).
    """
    refund_status: Union[Literal[
        "queued",
        "sent",
        "awaiting_account",
        "retrying",
        "manual",
        "succeeded",
    ], str]
    """`refund`: `queued`, `sent` to the payment provider, `awaiting_account` of the customer,
    `retrying` after a failure, `manual` when an operator sees to it, `succeeded`.
    """
    amount: int
    """`refund`: money and points together."""


class _Claim(TypedDict):
    claim_no: str
    """Number of the claim; identifies it."""
    order_no: str
    """The order that the claim belongs to."""
    type: ClaimType
    """What the customer asks for."""
    status: ClaimStatus
    available_actions: List[ClaimAction]
    """What can be newly done now: the last part of the path of an action. Follows from type and
    status alone, so a claim that an operator has frozen shows the same. Empty when there is
    nothing; repeating what was done still answers 200.
    """
    fault: Fault
    """Who bears the shipping fee; follows from `reason_code`."""
    reason_code: ReasonCode
    """Why the customer asks."""
    refund_amount: Optional[int]
    """What the customer gets back in the end, in money and in points, fees deducted. Null before it
    is fixed, or when nothing is refunded.
    """
    claim_shipping_fee: Optional[int]
    """Fee of the return or exchange. Deducted from the refund when `fault` is `buyer`, 0 when it is
    `seller`. Null for a claim that ended as `rejected`, `withdrawn`, `expired` or
    `converted_to_return`: nothing was charged, or the return gives it back. The return in the
    place of an exchange charges no more than its refund can pay.
    """
    price_difference: Optional[int]
    """Exchange: positive, the customer paid so much more; negative, the customer gets so much back,
    at most what was paid for the goods. 0 otherwise.
    """
    requested_at: Timestamp
    completed_at: Optional[Timestamp]
    """When the claim ended, in whatever way."""
    updated_at: Timestamp
    collect_carrier_name: Optional[str]
    """Carrier of the returned goods, after `pickup`."""
    collect_tracking_no: Optional[str]
    """Tracking number of the returned goods, after `pickup`."""
    inspect_result: Optional[InspectResult]
    """`pass` or `fail`. Tells a rejection by inspection (`fail`) from an explicit one (null)."""
    reship_carrier_name: Optional[str]
    """Carrier of the exchanged goods, after `reship`."""
    reship_tracking_no: Optional[str]
    """Tracking number of the exchanged goods, after `reship`."""
    items: List[ClaimItem]
    """The claimed items."""
    inspection_due_at: Optional[Timestamp]
    """Return in `collected`: when it counts as passed if nobody inspects. Null otherwise, also
    while an operator has frozen the claim; later by the duration of the freeze afterwards.
    """
    payment_due_at: Optional[Timestamp]
    """`payment_pending`: when the claim expires if the customer does not pay. Null otherwise, also
    while an operator has frozen the claim; later by the duration of the freeze afterwards.
    """
    refund_breakdown: Optional[RefundBreakdown]
    """What `refund_amount` consists of; null as long as that is null."""


class Claim(_Claim, total=False):
    """A cancel, return or exchange. It holds no data of the recipient. What is not known yet is
    null.
    """

    already_done: bool
    """In answers to actions only: whether the action had been performed, or begun, before the call,
    so that the call changed nothing. A replayed answer says what was said first.
    """


class RefundBreakdown(TypedDict):
    """What a refund consists of: `goods` + `shipping` - `fee` - `price_difference` =
    `refund_amount` = `money` + `points`.
    """

    goods: int
    """What was paid for the goods that came back; 0 for an exchange."""
    shipping: int
    """What the customer had paid for shipping the order, with the claim that completes the undoing
    of your part of it.
    """
    fee: int
    """What of `claim_shipping_fee` is deducted from this refund; not what the customer paid before.
    What an exchange deducted before it became a return, the return gives back.
    """
    price_difference: int
    """Exchange: as in the claim, negative. Return that took the place of an exchange: what the
    exchange has refunded. 0 otherwise.
    """
    points: int
    """What the customer gets back in points, for what was paid with points. Fees are deducted from
    money first.
    """
    money: int
    """What the customer gets back in money."""


class ClaimItem(TypedDict):
    """The claimed quantity of one line. `item_code` always names the line that was claimed.
    `item_id` names the line that carries the claimed quantity: after a split, the new one. So
    the two may belong to different lines of the order.
    """

    item_code: str
    """The item, by its code."""
    item_id: str
    """The item, by the id that never changes."""
    quantity: int
    """Number of pieces that the claim is about."""
    product_name: str
    """Name of the product."""
    option_name: str
    """Name of the option."""
    exchange_option_name: Optional[str]
    """Exchange: the option that the customer wants. Null otherwise."""


class RejectRequest(TypedDict):
    """The reason of a rejection."""

    memo: str
    """Why. One character or more; tabs and line ends (LF or CR LF) are the only control characters
    allowed.
    """


class ParcelRequest(TypedDict):
    """A parcel of a claim, on its way back or out again."""

    carrier_name: Carrier
    """Exactly one of the five names. Anything else, also an empty text, gives
    `SHIPMENT_CARRIER_NOT_ALLOWED`.
    """
    tracking_no: str
    """As printed; spaces, hyphens, dots and letter case do not matter. Empty or blank gives
    `SHIPMENT_FIELDS_REQUIRED`, control characters `SHIPMENT_INPUT_INVALID`.
    """


class _InspectRequest(TypedDict):
    result: KnownInspectResult
    """`pass` accepts the returned goods, `fail` refuses them."""


class InspectRequest(_InspectRequest, total=False):
    """The result of an inspection."""

    memo: Optional[str]
    """Compulsory with `fail`: absent or null is 422 `VALIDATION_ERROR`, empty or blank 400
    `CLAIM_MEMO_REQUIRED`. Stored as well with `pass`. Tabs and line ends (LF or CR LF) are the
    only control characters allowed.
    """


class Inquiry(TypedDict):
    """A customer's question about a product. Never show a secret one to others than the seller."""

    qna_id: str
    """Identifies the inquiry."""
    product_id: str
    """The product that the question is about."""
    product_name: str
    """Name of the product."""
    category: InquiryCategory
    """What it is about. The marketplace adds categories without notice."""
    body: str
    """The customer's text, of secret inquiries too."""
    is_secret: bool
    """Only the seller and the customer may see it."""
    member_display_name: str
    """The customer's name as the shop shows it."""
    status: InquiryStatus
    image_urls: List[str]
    """Addresses of the customer's pictures."""
    created_at: Timestamp
    updated_at: Timestamp
    answer: Optional[InquiryAnswer]
    """The answer that stands; null while the inquiry waits."""


class LoggedRequest(TypedDict):
    """A call of the seller and what became of it."""

    requested_at: Timestamp
    """When the call arrived."""
    request_id: str
    """The `X-Request-Id` of the call, which its client may have chosen."""
    key: str
    """The first 12 characters of the key."""
    operation: str
    """The operation, by its `operationId`."""
    record: Optional[str]
    """The order, claim or inquiry that the path names. Null if the operation has none, and if what
    the path names was not found and has not the form of a number.
    """
    query: Optional[str]
    """The parameters of the query, as far as they are kept: `…` stands for what may be anything.
    Null if there were none.
    """
    status: int
    """The HTTP status of the answer."""
    error_code: Optional[str]
    """The code with which the call was refused, of the error table. Null for a success, and for
    failures without a code. A batch is a success: what became of its entries is not kept.
    """
    error_data: Optional[LoggedErrorData]
    """What is kept of `error_data` of a refusal; null if that is nothing."""
    rows: int
    """The rows in the answer, as they were charged."""
    duration_ms: int
    """How long the call took, in milliseconds, without the time that it was held by `wait`."""
    idempotency: Optional[IdempotencyOutcome]
    """What the call met with its `Idempotency-Key`: `first` it was new, `replayed` the first answer
    was sent again, `in_progress` the first call was not yet answered, `reused` it belonged to
    another request, `gone` the answer was deleted. Null if the call had none, or was refused
    before it was looked at.
    """


class LoggedErrorData(TypedDict, total=False):
    """The members of `error_data` that are kept: without texts, and without what quotes the
    request. Which there are depends on the code.
    """

    errors: List[LoggedProblem]
    """`VALIDATION_ERROR`: what is wrong, at most the first ten problems."""
    items: List[ItemProblem]
    """`ORDER_ITEM_…`, `EXCHANGE_ITEM_NOT_…` and `SHIPMENT_STATE_CONFLICT`: items concerned, at most
    ten, without their parcels.
    """
    status: str
    """`CLAIM_NOT_…`, `IDEMPOTENCY_UNRESOLVED`, `EXCHANGE_ITEM_SHIP_FAILED`: state of the claim.
    `QNA_ALREADY_ANSWERED`: state of the inquiry.
    """
    available_actions: List[ClaimAction]
    """`CLAIM_NOT_…`, `IDEMPOTENCY_UNRESOLVED`, `EXCHANGE_ITEM_SHIP_FAILED`: what can be newly done
    with the claim.
    """
    reason: str
    """`INVALID_CURSOR`: `malformed` or `filters_changed`. `CLAIM_NOT_…`: what stands in the way,
    where it is known; `frozen`: an operator has stopped the claim.
    """
    code: str
    """`CLAIM_NOT_…` with the reason `frozen`: why the operator has stopped the claim, `dispute`,
    `fraud_check`, `payment_check` or `other`.
    """
    field: str
    """`SHIPMENT_INPUT_INVALID`: the member of the body that has control characters."""
    allowed: List[str]
    """`SHIPMENT_CARRIER_NOT_ALLOWED`: the allowed names."""
    required_scope: str
    """`SCOPE_FORBIDDEN`: the scope that the key lacks."""
    limit: str
    """`RATE_LIMITED`: the limit that is used up."""
    max: int
    """`RATE_LIMITED`: how much that limit allows."""
    window_seconds: int
    """`RATE_LIMITED`: in how many seconds."""
    retry_after: int
    """`RATE_LIMITED`: seconds to wait, as in `Retry-After`."""
    answered_at: Timestamp
    """`QNA_ALREADY_ANSWERED`: when the answer that stands was given."""
    max_bytes: int
    """Body too large (413): what is allowed."""


class _LoggedProblem(TypedDict):
    field: str
    """Where, for instance `items[3].tracking_no`. `body` and `query` stand for the whole, and for a
    name that the client chose.
    """
    code: str
    """What, as in `FieldError`."""


class LoggedProblem(_LoggedProblem, total=False):
    """One thing that was wrong with a request."""

    allowed: List[str]
    """The allowed values, where there is a short list of them."""


class InquiryAnswer(TypedDict):
    """An answer as it was sent."""

    content: str
    """The answer as it was sent."""
    answered_at: Timestamp


class AnswerRequest(TypedDict):
    """An answer to an inquiry."""

    content: str
    """The answer. Not blank; tabs and line ends (LF or CR LF) are the only control characters
    allowed.
    """


class InquiryAnswered(TypedDict):
    """The answer that the inquiry has now."""

    qna_id: str
    """The inquiry."""
    status: InquiryStatus
    converged: bool
    """The same answer was there before this call."""
    answered_at: Timestamp
    updated_at: Timestamp
    answer: InquiryAnswer


class _OrderList(TypedDict):
    list: List[Order]
    next_cursor: Optional[str]
    """Leads to the next page; None on the last one."""


class OrderList(_OrderList, total=False):
    """One page of orders."""

    after: str
    """The position after the page, where the list is read with `after`."""


class _ClaimList(TypedDict):
    list: List[Claim]
    next_cursor: Optional[str]
    """Leads to the next page; None on the last one."""


class ClaimList(_ClaimList, total=False):
    """One page of claims."""

    after: str
    """The position after the page, where the list is read with `after`."""


class _InquiryList(TypedDict):
    list: List[Inquiry]
    next_cursor: Optional[str]
    """Leads to the next page; None on the last one."""


class InquiryList(_InquiryList, total=False):
    """One page of inquiries."""

    after: str
    """The position after the page, where the list is read with `after`."""


class LoggedRequestList(TypedDict):
    """One page of requests."""

    list: List[LoggedRequest]
    next_cursor: Optional[str]
    """Leads to the next page; None on the last one."""
