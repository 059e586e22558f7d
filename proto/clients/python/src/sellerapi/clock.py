"""A client's source of time."""

from __future__ import annotations

import threading
from datetime import datetime, timezone
from typing import Optional, Protocol


class Clock(Protocol):
    """A client's source of time; replaced in tests."""

    def now(self) -> datetime:
        """Return the current time, as an aware datetime."""
        ...

    def wait(self, seconds: float, stop: Optional[threading.Event]) -> bool:
        """Wait this many seconds, or until the event is set, and return whether it is set."""
        ...


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """Return the current time."""
        return datetime.now(timezone.utc)

    def wait(self, seconds: float, stop: Optional[threading.Event]) -> bool:
        """Wait this many seconds, or until the event is set, and return whether it is set."""
        return (stop or threading.Event()).wait(max(seconds, 0))
