"""The errors that calls raise."""

from __future__ import annotations

from http import HTTPStatus
from typing import Optional, Union

from .contract import ErrorCode, ErrorData, FieldError, KnownErrorCode


class Error(Exception):
    """The base class of the errors that calls raise."""

    operation: str
    """Name of the operation in the interface description, such as `ship_order`."""
    idempotency_key: str
    """The key of the process call; empty for reads."""
    attempts: int
    """How many times the request was sent."""


class SellerApiError(Error):
    """A response that refuses the call."""

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
        """Create the error; called by the client only."""
        self.operation = operation
        self.status = status
        """The HTTP status."""
        self.code = code
        """The fixed code; None if the response has none. Unknown codes are passed through."""
        self.message = message
        """For people. It may be reworded at any time; do not branch on it."""
        self.request_id = data["request_id"]
        """Identifies the request in the server's log. Quote it when you report a problem."""
        self.data = data
        """The details of the code, including unknown members."""
        self.retry_after = retry_after
        """How many seconds the server asked to wait; 0 if it did not."""
        self.idempotency_key = idempotency_key
        self.attempts = attempts
        name = code or phrase_of(status)
        super().__init__(f"{operation}: {status} {name}: {message} (request {self.request_id})")

    def field(self, name: str) -> Optional[FieldError]:
        """Return the error of a field of the request, after `VALIDATION_ERROR`, or None.

        Fields have names such as `items[3].tracking_no` or `query.limit`.
        """
        return next((one for one in self.data.get("errors", []) if one["field"] == name), None)


class UnansweredError(Error):
    """There was no usable response: a broken connection, a timeout, a call that was stopped.

    `__cause__` is the error of the last attempt. A process call may have had its effect. Sending
    the same request again with the same key is safe.
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
        """Create the error; called by the client only."""
        super().__init__(f"{operation}: no answer (tries: {attempts}): {cause or type(cause).__name__}")
        self.operation = operation
        self.idempotency_key = idempotency_key
        self.attempts = attempts
        self.repeatable = repeatable
        """Whether a retry may lead to a response."""
        self.__cause__ = cause


def has_code(error: Optional[BaseException], code: Union[KnownErrorCode, str]) -> bool:
    """Return whether an error is the refusal with this code."""
    return isinstance(error, SellerApiError) and error.code == code


_TEMPORARY = ("IDEMPOTENCY_IN_PROGRESS", "QNA_ANSWER_UNRESOLVED", "EXCHANGE_ITEM_SHIP_FAILED")


def passing_status(status: int) -> bool:
    """Return whether a status, whatever its code, means that the same request may succeed later."""
    return status in (408, 429) or status >= 500


def is_temporary(error: Optional[BaseException]) -> bool:
    """Return whether the same request, with the same key, may succeed later.

    A call that fails with such an error was already retried for a while.
    """
    if isinstance(error, UnansweredError):
        return error.repeatable
    return isinstance(error, SellerApiError) and (
        passing_status(error.status) or error.code in _TEMPORARY
    )


def phrase_of(status: int) -> str:
    """Return the standard reason phrase of a status."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "unknown status"
