"""The methods of a client for product inquiries."""

from __future__ import annotations

from typing import Callable, Iterator, List, Optional, TYPE_CHECKING, cast

from . import operations
from .calls import CallOptions, Calls, ProcessOptions
from .contract import (
    AnswerRequest,
    Inquiry,
    InquiryAnswered,
    InquiryFilter,
    InquiryList,
)
from .sync import Sync, SyncOptions, SyncState

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Inquiries(Calls):
    """The methods for product inquiries."""

    def list_inquiries(
        self, filter: Optional[InquiryFilter] = None, **options: Unpack[CallOptions]
    ) -> InquiryList:
        """Read one page of product inquiries, latest change first. `inquiries` reads all pages."""
        return cast(InquiryList, self._read(operations.LIST_INQUIRIES, None, options, filter))

    def inquiries(
        self, filter: Optional[InquiryFilter] = None, **options: Unpack[CallOptions]
    ) -> Iterator[Inquiry]:
        """Iterate over all inquiries that match the filter, latest change first.

        Reads page after page. After `INVALID_CURSOR` start again.
        """
        return self._walk(operations.LIST_INQUIRIES, filter, options)

    def answer_inquiry(
        self, qna_id: str, request: AnswerRequest, **options: Unpack[ProcessOptions]
    ) -> InquiryAnswered:
        """Answer an inquiry.

        An answer cannot be changed: the same content again succeeds with `converged`, other content
        fails with `QNA_ALREADY_ANSWERED`.
        """
        return self._process(operations.ANSWER_INQUIRY, qna_id, request, options)

    def sync_inquiries(
        self,
        load: Callable[[], SyncState],
        upsert: Callable[[List[Inquiry], SyncState], None],
        **options: Unpack[SyncOptions],
    ) -> Sync[Inquiry]:
        """Keep a copy of the product inquiries; see sync_orders."""
        read = self._page_of(operations.LIST_INQUIRIES)
        return Sync(read, load, upsert, self._transport.clock, self._transport.timeout, **options)
