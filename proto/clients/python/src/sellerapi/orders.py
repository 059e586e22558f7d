"""The methods of a client for orders."""

from __future__ import annotations

from typing import Callable, Iterator, List, Optional, TYPE_CHECKING, cast

from . import operations, reached
from .calls import CallOptions, Calls, ProcessOptions, for_reading
from .contract import (
    BatchShipmentRequest,
    BatchShipmentResult,
    DeliveryResult,
    ItemsRequest,
    Order,
    OrderFilter,
    OrderHistory,
    OrderList,
    PreparationResult,
    ShipmentRequest,
    ShipmentResult,
)
from .sync import Sync, SyncOptions, SyncState

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Orders(Calls):
    """The methods for orders."""

    def list_orders(
        self, filter: Optional[OrderFilter] = None, **options: Unpack[CallOptions]
    ) -> OrderList:
        """Read one page of orders, latest change first. `orders` reads all pages."""
        return cast(OrderList, self._read(operations.LIST_ORDERS, None, options, filter))

    def orders(
        self, filter: Optional[OrderFilter] = None, **options: Unpack[CallOptions]
    ) -> Iterator[Order]:
        """Iterate over all orders that match the filter, latest change first.

        Reads page after page. After `INVALID_CURSOR` start again.
        """
        return self._walk(operations.LIST_ORDERS, filter, options)

    def get_order(self, order_no: str, **options: Unpack[CallOptions]) -> Order:
        """Read one order."""
        return cast(Order, self._read(operations.GET_ORDER, order_no, options))

    def get_order_history(self, order_no: str, **options: Unpack[CallOptions]) -> OrderHistory:
        """Read what happened to the items of one order, and who caused it."""
        return cast(OrderHistory, self._read(operations.GET_ORDER_HISTORY, order_no, options))

    def prepare_order(
        self, order_no: str, request: ItemsRequest, **options: Unpack[ProcessOptions]
    ) -> PreparationResult:
        """Move items from paid to preparing, all of them or none."""

        def there() -> Optional[PreparationResult]:
            return reached.prepared(self.get_order(order_no, **for_reading(options)), request)

        return self._process(operations.PREPARE_ORDER, order_no, request, options, there)

    def ship_order(
        self, order_no: str, request: ShipmentRequest, **options: Unpack[ProcessOptions]
    ) -> ShipmentResult:
        """Move items from paid or preparing to shipping in one parcel, all of them or none.

        A shipment is not corrected here; a different one fails with `SHIPMENT_STATE_CONFLICT`.
        """

        def there() -> Optional[ShipmentResult]:
            return reached.shipped(self.get_order(order_no, **for_reading(options)), request)

        return self._process(operations.SHIP_ORDER, order_no, request, options, there)

    def ship_orders(
        self, request: BatchShipmentRequest, **options: Unpack[ProcessOptions]
    ) -> BatchShipmentResult:
        """Register up to 500 parcels, each independently.

        Also succeeds if parcels fail: check `failed`. Send the failed parcels again in a new call.
        """
        return self._process(operations.SHIP_ORDERS, None, request, options)

    def check_shipments(
        self, request: BatchShipmentRequest, **options: Unpack[ProcessOptions]
    ) -> BatchShipmentResult:
        """Return what `ship_orders` would return now, and ship nothing.

        An installation without this operation answers with status 404 and no code.
        """
        return self._process(operations.CHECK_SHIPMENTS, None, request, options)

    def correct_shipment(
        self, order_no: str, request: ShipmentRequest, **options: Unpack[ProcessOptions]
    ) -> ShipmentResult:
        """Put items in shipping into another parcel, all of them or none.

        An installation without this operation, and one where the marketplace has not enabled it
        for the seller, answers with status 404 and no code.
        """

        def there() -> Optional[ShipmentResult]:
            return reached.shipped(self.get_order(order_no, **for_reading(options)), request)

        return self._process(operations.CORRECT_SHIPMENT, order_no, request, options, there)

    def deliver_order(
        self, order_no: str, request: ItemsRequest, **options: Unpack[ProcessOptions]
    ) -> DeliveryResult:
        """Move items from shipping to delivered, all of them or none."""

        def there() -> Optional[DeliveryResult]:
            return reached.delivered(self.get_order(order_no, **for_reading(options)), request)

        return self._process(operations.DELIVER_ORDER, order_no, request, options, there)

    def sync_orders(
        self,
        load: Callable[[], SyncState],
        upsert: Callable[[List[Order], SyncState], None],
        **options: Unpack[SyncOptions],
    ) -> Sync[Order]:
        """Keep a copy of the orders.

        `load` returns the state of the last `upsert`, the empty one before the first. `upsert`
        stores a page, which may be empty, together with the state after it, in one transaction.
        """
        read = self._page_of(operations.LIST_ORDERS)
        return Sync(read, load, upsert, self._transport.clock, self._transport.timeout, **options)
