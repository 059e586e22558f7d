"""When a call is repeated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional

from .errors import Error, SellerApiError, UnansweredError, passing_status

_RETRY_AFTER_JITTER = 0.5
"""Added at most to Retry-After, so that clients that were refused together do not return
together.
"""


@dataclass(frozen=True)
class RetryPolicy:
    """Bounds the repetition of calls. Times are seconds."""

    attempts: int = 8
    """How many times a request is sent at most; 1 never repeats."""
    first_pause: float = 0.5
    """The pause after the first failure without Retry-After; each further one is twice as long."""
    longest_pause: float = 30
    """The longest pause. Jitter takes up to a half of a pause away."""
    longest_retry_after: float = 120
    """The longest Retry-After that is waited for; a longer one is handed to the caller."""

    def pause(self, error: Error, attempt: int, random: Callable[[], float]) -> Optional[float]:
        """Return how long to wait after a failed try, counted from 1; None for not again."""
        if attempt >= self.attempts or not _passes(error):
            return None
        if isinstance(error, SellerApiError) and error.retry_after > 0:
            if error.retry_after > self.longest_retry_after:
                return None
            return error.retry_after + random() * _RETRY_AFTER_JITTER
        longest = min(self.first_pause * 2 ** (attempt - 1), self.longest_pause)
        return longest - random() * longest / 2


def _passes(error: Error) -> bool:
    """Return whether nothing was processed, or the outcome is open: repeated without asking."""
    if isinstance(error, UnansweredError):
        return error.repeatable
    return isinstance(error, SellerApiError) and (
        error.code == "IDEMPOTENCY_IN_PROGRESS" or passing_status(error.status)
    )
