"""The methods of a client for claims."""

from __future__ import annotations

from typing import Callable, Iterator, List, Optional, TYPE_CHECKING, cast

from . import operations, reached
from .calls import CallOptions, Calls, ProcessOptions, for_reading
from .contract import (
    Claim,
    ClaimFilter,
    ClaimHistory,
    ClaimList,
    InspectRequest,
    ParcelRequest,
    RejectRequest,
)
from .operation import Operation
from .sync import Sync, SyncOptions, SyncState

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Claims(Calls):
    """The methods for claims."""

    def list_claims(
        self, filter: Optional[ClaimFilter] = None, **options: Unpack[CallOptions]
    ) -> ClaimList:
        """Read one page of claims, latest change first. `claims` reads all pages."""
        return cast(ClaimList, self._read(operations.LIST_CLAIMS, None, options, filter))

    def claims(
        self, filter: Optional[ClaimFilter] = None, **options: Unpack[CallOptions]
    ) -> Iterator[Claim]:
        """Iterate over all claims that match the filter, latest change first.

        Reads page after page. After `INVALID_CURSOR` start again.
        """
        return self._walk(operations.LIST_CLAIMS, filter, options)

    def get_claim(self, claim_no: str, **options: Unpack[CallOptions]) -> Claim:
        """Read one claim."""
        return cast(Claim, self._read(operations.GET_CLAIM, claim_no, options))

    def get_claim_history(self, claim_no: str, **options: Unpack[CallOptions]) -> ClaimHistory:
        """Read what happened to one claim, and who caused it."""
        return cast(ClaimHistory, self._read(operations.GET_CLAIM_HISTORY, claim_no, options))

    def approve_claim(self, claim_no: str, **options: Unpack[ProcessOptions]) -> Claim:
        """Approve a claim that is requested.

        A cancel is refunded now; a return or an exchange waits for its pickup.
        """
        return self._act(operations.APPROVE_CLAIM, claim_no, None, options, reached.was_approved)

    def reject_claim(
        self, claim_no: str, request: RejectRequest, **options: Unpack[ProcessOptions]
    ) -> Claim:
        """Reject a claim that is requested or, for returns and exchanges, inspecting."""
        return self._act(operations.REJECT_CLAIM, claim_no, request, options, reached.was_rejected)

    def pickup_claim(
        self, claim_no: str, request: ParcelRequest, **options: Unpack[ProcessOptions]
    ) -> Claim:
        """Register the parcel by which the goods come back."""

        def done(claim: Claim) -> bool:
            return reached.is_parcel(
                request, claim["collect_carrier_name"], claim["collect_tracking_no"]
            )

        return self._act(operations.PICKUP_CLAIM, claim_no, request, options, done)

    def collect_done_claim(self, claim_no: str, **options: Unpack[ProcessOptions]) -> Claim:
        """Register that the goods have come back."""
        return self._act(operations.COLLECT_DONE_CLAIM, claim_no, None, options, reached.was_collected)

    def inspect_claim(
        self, claim_no: str, request: InspectRequest, **options: Unpack[ProcessOptions]
    ) -> Claim:
        """Register the result of the inspection. `fail` needs a memo."""

        def done(claim: Claim) -> bool:
            return claim["inspect_result"] == request["result"]

        return self._act(operations.INSPECT_CLAIM, claim_no, request, options, done)

    def reship_claim(
        self, claim_no: str, request: ParcelRequest, **options: Unpack[ProcessOptions]
    ) -> Claim:
        """Register the parcel with the exchanged goods.

        After `EXCHANGE_ITEM_SHIP_FAILED` read the claim and call again with the same values.
        """

        def done(claim: Claim) -> bool:
            return claim["status"] == "completed" and reached.is_parcel(
                request, claim["reship_carrier_name"], claim["reship_tracking_no"]
            )

        return self._act(operations.RESHIP_CLAIM, claim_no, request, options, done)

    def sync_claims(
        self,
        load: Callable[[], SyncState],
        upsert: Callable[[List[Claim], SyncState], None],
        **options: Unpack[SyncOptions],
    ) -> Sync[Claim]:
        """Keep a copy of the claims; see sync_orders."""
        read = self._page_of(operations.LIST_CLAIMS)
        return Sync(read, load, upsert, self._transport.clock, self._transport.timeout, **options)

    def _act(
        self,
        operation: Operation,
        claim_no: str,
        body: Optional[object],
        options: ProcessOptions,
        done: Callable[[Claim], bool],
    ) -> Claim:
        """Perform an action on a claim from start to finish.

        `done` returns whether the claim shows that the action was performed.
        """

        def there() -> Optional[Claim]:
            claim = self.get_claim(claim_no, **for_reading(options))
            return claim if done(claim) else None

        return self._process(operation, claim_no, body, options, there)
