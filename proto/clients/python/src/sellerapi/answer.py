"""Parsing of responses."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timezone
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Mapping, Optional, cast

from .contract import ErrorData
from .errors import SellerApiError, phrase_of


@dataclass(frozen=True)
class ResponseInfo:
    """The metadata of a response. Numbers are -1 if the response did not have them."""

    status: int
    """The HTTP status."""
    request_id: str
    """Identifies the request in the server's log."""
    idempotency_key: str
    """The key that was sent; empty for reads."""
    replayed: bool
    """Whether this is the stored first response to the key."""
    attempts: int
    """How many times the request was sent."""
    limit: int
    """How many calls of this kind the key has in 60 seconds."""
    remaining: int
    """How many of these calls are left."""
    rows_limit: int
    """How many rows the key may read in 60 seconds."""
    rows_remaining: int
    """How many of these rows are left."""
    not_held: bool
    """Whether the server did not hold a call with `wait`, because it holds as many as it can."""
    date: Optional[datetime]
    """The server's clock, in seconds; None when unknown."""


def info_of(status: int, headers: Message, key: str, attempts: int) -> ResponseInfo:
    """Read the metadata of a response from its headers."""

    def number(name: str) -> int:
        text = headers.get(name, "")
        return int(text) if text.isdecimal() else -1

    return ResponseInfo(
        status=status,
        request_id=headers.get("X-Request-Id", ""),
        idempotency_key=key,
        replayed=headers.get("Idempotent-Replayed") == "true",
        attempts=attempts,
        limit=number("X-RateLimit-Limit"),
        remaining=number("X-RateLimit-Remaining"),
        rows_limit=number("X-RateLimit-Rows-Limit"),
        rows_remaining=number("X-RateLimit-Rows-Remaining"),
        not_held=headers.get("X-Wait") == "0",
        date=_http_time(headers.get("Date", "")),
    )


def parse(text: bytes) -> Dict[str, Any]:
    """Parse the envelope; empty if the body is not one, for instance because a proxy wrote it."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return cast(Dict[str, Any], value) if isinstance(value, dict) else {}


def refusal(
    operation: str,
    info: ResponseInfo,
    envelope: Mapping[str, Any],
    headers: Message,
    now: datetime,
) -> SellerApiError:
    """Return the error of a response that is not a success.

    A response from a proxy between client and server need not be an envelope; then only the status
    is known.
    """
    meta = cast(Mapping[str, Any], envelope.get("meta") or {})
    data = cast(ErrorData, {"request_id": info.request_id, **(meta.get("error_data") or {})})
    return SellerApiError(
        operation,
        status=info.status,
        code=meta.get("error_code"),
        message=meta.get("message") or phrase_of(info.status),
        data=data,
        retry_after=_retry_after(headers.get("Retry-After", ""), now),
        idempotency_key=info.idempotency_key,
        attempts=info.attempts,
    )


def _retry_after(text: str, now: datetime) -> float:
    """Parse Retry-After, which is in seconds, or a time if a proxy wrote it."""
    try:
        seconds = float(text)
    except ValueError:
        at = _http_time(text)
        seconds = (at - now).total_seconds() if at else 0
    return seconds if 0 < seconds < 1e6 else 0


def _http_time(text: str) -> Optional[datetime]:
    try:
        at = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None
    return at.replace(tzinfo=at.tzinfo or timezone.utc)
