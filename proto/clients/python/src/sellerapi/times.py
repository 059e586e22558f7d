"""Parsing and formatting of times as the server writes them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import Union

_FORM = re.compile(
    r"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})", re.IGNORECASE
)


def parse_time(text: str) -> datetime:
    """Parse a time with an offset; digits finer than a microsecond are cut off."""
    parts = _FORM.fullmatch(text)
    if parts is None:
        raise ValueError(f"{text!r} is no time with an offset")
    second, fraction, zone = parts.groups()
    at = datetime.strptime(second.upper(), "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)
    if zone not in "Zz":
        offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[4:]))
        at = at + offset if zone[0] == "-" else at - offset
    return at.replace(microsecond=int((fraction or "").ljust(6, "0")[:6]))


def format_time(at: Union[datetime, str]) -> str:
    """Format a time as the server does: in UTC, with microseconds.

    A datetime must be aware; a naive one raises ValueError. Finer digits of a string are cut off. A
    string that is not a time with an offset is left as it is, for the server to check.
    """
    if isinstance(at, str):
        try:
            at = parse_time(at)
        except ValueError:
            return at
    if at.tzinfo is None:
        raise ValueError(f"{at!r} has no time zone")
    return at.astimezone(timezone.utc).replace(tzinfo=None).isoformat("T", "microseconds") + "Z"
