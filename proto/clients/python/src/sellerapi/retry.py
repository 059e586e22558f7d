"""The retries of calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional

from .errors import Error, SellerApiError, UnansweredError, passing_status

_RETRY_AFTER_JITTER = 0.5
"""The maximum that is added to Retry-After, in seconds, so that clients that were refused together
do not retry together.
"""


@dataclass(frozen=True)
class RetryPolicy:
    """Limits the retries of calls. Times are in seconds."""

    attempts: int = 8
    """The maximum number of times a request is sent; 1 means no retries."""
    first_pause: float = 0.5
    """The pause after the first failure without Retry-After; each further one is twice as long."""
    longest_pause: float = 30
    """The longest pause. Jitter reduces a pause by up to a half."""
    longest_retry_after: float = 120
    """The longest Retry-After that the client waits for; a longer one is raised as an error."""

    def pause(self, error: Error, attempt: int, random: Callable[[], float]) -> Optional[float]:
        """Return how long to wait after a failed attempt, counted from 1; None for no retry."""
        if attempt >= self.attempts or not _passes(error):
            return None
        if isinstance(error, SellerApiError) and error.retry_after > 0:
            if error.retry_after > self.longest_retry_after:
                return None
            return error.retry_after + random() * _RETRY_AFTER_JITTER
        longest = min(self.first_pause * 2 ** (attempt - 1), self.longest_pause)
        return longest - random() * longest / 2


def _passes(error: Error) -> bool:
    """Return whether a failure is retried automatically.

    It is if nothing was processed, or the outcome is unknown.
    """
    if isinstance(error, UnansweredError):
        return error.repeatable
    return isinstance(error, SellerApiError) and (
        error.code == "IDEMPOTENCY_IN_PROGRESS" or passing_status(error.status)
    )
