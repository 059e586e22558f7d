"""The methods of a client for the seller's calls."""

from __future__ import annotations

from typing import Iterator, Optional, TYPE_CHECKING, cast

from . import operations
from .calls import CallOptions, Calls
from .contract import LoggedRequest, LoggedRequestFilter, LoggedRequestList

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Requests(Calls):
    """The methods for the seller's calls."""

    def list_requests(
        self, filter: Optional[LoggedRequestFilter] = None, **options: Unpack[CallOptions]
    ) -> LoggedRequestList:
        """Read one page of the seller's calls, latest first. `requests` reads all pages.

        A page may have fewer calls than the limit, or none, and be followed by another.
        """
        return cast(LoggedRequestList, self._read(operations.LIST_REQUESTS, None, options, filter))

    def requests(
        self, filter: Optional[LoggedRequestFilter] = None, **options: Unpack[CallOptions]
    ) -> Iterator[LoggedRequest]:
        """Iterate over all calls that match the filter, latest first.

        Reads page after page. After `INVALID_CURSOR` start again.
        """
        return self._walk(operations.LIST_REQUESTS, filter, options)
