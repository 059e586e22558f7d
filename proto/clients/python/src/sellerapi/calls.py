"""What the methods of a client share: reading, iterating over pages, processing, keeping a copy."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, TypedDict, TypeVar, Union, cast

from .answer import ResponseInfo
from .errors import SellerApiError, has_code
from .operation import Operation
from .sync import ReadPage
from .transport import Call, Transport

T = TypeVar("T")


class CallOptions(TypedDict, total=False):
    """The options of one call."""

    request_id: str
    """Sent as X-Request-Id: 1 to 64 characters of A-Z a-z 0-9 . _ -."""
    on_response: Callable[[ResponseInfo], None]
    """Called with the metadata of each response, also of failures."""
    stop: Optional[threading.Event]
    """Ends the call in a pause as soon as it is set; a request in flight is completed. A call whose
    event is set already is not sent.
    """


class ProcessOptions(CallOptions, total=False):
    """The options of one process call."""

    idempotency_key: str
    """The Idempotency-Key: 1 to 200 characters, the same for every repetition of the same
    request, and a new one for every other request. A new UUID if it is absent.
    """
    recover_expired: bool
    """Recovers the call when its key has expired (410): the client reads the order or claim; if it
    is in the wanted state, the call has succeeded, otherwise the client sends the request once more
    with a new key. A batch and an answer to an inquiry are sent again without reading: what was
    done already counts as done there.
    """


@dataclass(frozen=True)
class _Options:
    """The options of a call with their defaults. An unknown option raises TypeError."""

    request_id: str = ""
    on_response: Optional[Callable[[ResponseInfo], None]] = None
    stop: Optional[threading.Event] = None
    idempotency_key: str = ""
    recover_expired: bool = False

    def call(self, operation: Operation, identifier: Optional[str]) -> Call:
        return Call(
            operation,
            identifier,
            key=self.idempotency_key,
            request_id=self.request_id,
            on_response=self.on_response,
            stop=self.stop,
        )


class Calls:
    """Performs the calls of a client."""

    def __init__(self, transport: Transport) -> None:
        """Send the calls with this transport."""
        self._transport = transport

    def _read(
        self,
        operation: Operation,
        identifier: Optional[str],
        options: CallOptions,
        filter: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        """Perform a read call from start to finish."""
        call = _Options(**options).call(operation, identifier)
        return self._transport.send(replace(call, filter=filter))

    def _walk(
        self, operation: Operation, filter: Optional[Mapping[str, Any]], options: CallOptions
    ) -> Iterator[Any]:
        """Yield the elements of all pages, forwards from a position or backwards from a cursor."""
        at = dict(filter or {})
        place = "after" if "after" in at else "cursor"
        while True:
            page = self._read(operation, None, options, at)
            yield from page["list"]
            if page["next_cursor"] is None:
                return
            at[place] = page["next_cursor"]

    def _process(
        self,
        operation: Operation,
        identifier: Optional[str],
        body: Optional[object],
        options: ProcessOptions,
        there: Callable[[], Optional[T]] = lambda: None,
    ) -> T:
        """Perform a process call from start to finish.

        `there` reads the resource, for a key that has expired, and returns its value if it is in
        the wanted state, otherwise None. The default is for calls whose outcome reading cannot
        tell.
        """
        given = _Options(**options)
        call = replace(given.call(operation, identifier), body=body)
        new_key = self._transport.new_key
        try:
            return cast(T, self._transport.send(replace(call, key=call.key or new_key())))
        except SellerApiError as error:
            if not given.recover_expired or not has_code(error, "IDEMPOTENCY_RESULT_EXPIRED"):
                raise
        found = there()
        if found is not None:
            return found
        return cast(T, self._transport.send(replace(call, key=new_key())))

    def _page_of(self, operation: Operation) -> ReadPage:
        """Return a function that reads the pages of a list for a Sync."""

        def read(
            filter: Dict[str, Union[str, int]],
            on_response: Callable[[ResponseInfo], None],
            stop: Optional[threading.Event],
        ) -> Dict[str, Any]:
            options: CallOptions = {"on_response": on_response, "stop": stop}
            return cast(Dict[str, Any], self._read(operation, None, options, filter))

        return read


def for_reading(options: ProcessOptions) -> CallOptions:
    """Return the options of a process call that a read within it inherits."""
    return {"stop": options.get("stop")}
