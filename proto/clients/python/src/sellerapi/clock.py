"""What a client knows of time."""

from __future__ import annotations

import threading
from datetime import datetime, timezone
from typing import Optional, Protocol


class Clock(Protocol):
    """Tells the time and waits; replaced in tests."""

    def now(self) -> datetime:
        """Return the present, with its zone."""
        ...

    def wait(self, seconds: float, stop: Optional[threading.Event]) -> bool:
        """Wait so long, or until the event is set, and return whether it is."""
        ...


class SystemClock:
    """The clock of the system."""

    def now(self) -> datetime:
        """Return the present."""
        return datetime.now(timezone.utc)

    def wait(self, seconds: float, stop: Optional[threading.Event]) -> bool:
        """Wait so long, or until the event is set, and return whether it is."""
        return (stop or threading.Event()).wait(max(seconds, 0))
