"""Encoding of filters."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Mapping, Optional
from urllib.parse import urlencode

from .times import format_time


def query_of(filter: Optional[Mapping[str, Any]]) -> str:
    """Encode a filter, sorted by name; a plus sign becomes %2B. None values are not sent."""
    values = {
        name: _text(name, value) for name, value in (filter or {}).items() if value is not None
    }
    return "?" + urlencode(sorted(values.items())) if values else ""


def _text(name: str, value: object) -> str:
    if isinstance(value, datetime) or (isinstance(value, str) and name.endswith(("_gte", "_lte"))):
        return format_time(value)
    return str(value)
