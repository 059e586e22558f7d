"""The failures of calls."""

from __future__ import annotations

from http import HTTPStatus
from typing import Optional, Union

from .contract import ErrorCode, ErrorData, FieldError, KnownErrorCode


class Error(Exception):
    """What a call fails with."""

    operation: str
    """Name of the operation in the interface description, such as `ship_order`."""
    idempotency_key: str
    """The key of the process call; empty for reads."""
    attempts: int
    """How many times the request was sent."""


class SellerApiError(Error):
    """An answer that refuses the call."""

    def __init__(
        self,
        operation: str,
        *,
        status: int,
        code: ErrorCode,
        message: str,
        data: ErrorData,
        retry_after: float,
        idempotency_key: str,
        attempts: int,
    ) -> None:
        """Is called by the client."""
        self.operation = operation
        self.status = status
        """The HTTP status."""
        self.code = code
        """The fixed code; None when the answer has none. Codes of the future arrive as they are."""
        self.message = message
        """For people. It may be reworded at any time; never branch on it."""
        self.request_id = data["request_id"]
        """Names the request in the server's log. Quote it when you report a problem."""
        self.data = data
        """What came with the code, members of the future included."""
        self.retry_after = retry_after
        """How many seconds the server asked to wait; 0 when it did not."""
        self.idempotency_key = idempotency_key
        self.attempts = attempts
        name = code or phrase_of(status)
        super().__init__(f"{operation}: {status} {name}: {message} (request {self.request_id})")

    def field(self, name: str) -> Optional[FieldError]:
        """Return what is wrong with a field of the request, after `VALIDATION_ERROR`.

        Fields are named like `items[3].tracking_no` or `query.limit`.
        """
        return next((one for one in self.data.get("errors", []) if one["field"] == name), None)


class UnansweredError(Error):
    """No usable answer came: broken connections, time-outs, a call that was stopped.

    `__cause__` is what went wrong with the last try. A process call may have had its effect;
    sending the same request again with the same key is safe.
    """

    def __init__(
        self,
        operation: str,
        *,
        idempotency_key: str,
        attempts: int,
        repeatable: bool,
        cause: BaseException,
    ) -> None:
        """Is called by the client."""
        super().__init__(f"{operation}: no answer (tries: {attempts}): {cause or type(cause).__name__}")
        self.operation = operation
        self.idempotency_key = idempotency_key
        self.attempts = attempts
        self.repeatable = repeatable
        """Whether an answer may come when the request is sent again."""
        self.__cause__ = cause


def has_code(error: Optional[BaseException], code: Union[KnownErrorCode, str]) -> bool:
    """Return whether an error is the refusal with this code."""
    return isinstance(error, SellerApiError) and error.code == code


_TEMPORARY = ("IDEMPOTENCY_IN_PROGRESS", "QNA_ANSWER_UNRESOLVED", "EXCHANGE_ITEM_SHIP_FAILED")


def passing_status(status: int) -> bool:
    """Return whether a status says, whatever its code, that the same request may succeed later."""
    return status in (408, 429) or status >= 500


def is_temporary(error: Optional[BaseException]) -> bool:
    """Return whether the same request, with the same key, may succeed later.

    Calls were repeated for a while already when they fail with such an error.
    """
    if isinstance(error, UnansweredError):
        return error.repeatable
    return isinstance(error, SellerApiError) and (
        passing_status(error.status) or error.code in _TEMPORARY
    )


def phrase_of(status: int) -> str:
    """Return the usual words for a status."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "unknown status"
