"""Keeping a copy of a list up to date."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Callable, Dict, Generic, List, Optional, Protocol, Tuple, TypedDict, TypeVar, Union

from .answer import ResponseInfo
from .clock import Clock
from .errors import SellerApiError, has_code, is_temporary
from .times import format_time, parse_time
from .values import Timestamp

T = TypeVar("T")

_PAGE_SIZE = 100
"""The maximum page size, because calls are limited as well as rows."""

_RESTARTS_PER_ROUND = 3
"""How often a round restarts because the server refuses its position or cursor."""

_LONGEST_WAIT = 25
"""For how many seconds the server may hold a call."""

_LONGEST_WAIT_WITH_STOP = 10
"""The same if there is an event that ends the run, because a request in flight is completed."""

_ANSWER_MARGIN = 20
"""What must remain of the timeout for the answer of a call that was held, in seconds."""

_HELD_INTERVAL = 5
"""The least time between the beginnings of two rounds whose calls are held, in seconds: frequent
changes must not use up the limits of the key.
"""


class SyncState(TypedDict, total=False):
    """The progress of a synchronization.

    Store it as JSON; its members are internal to this package. The empty dictionary stands for an
    empty copy.
    """

    collected_at: Timestamp
    """A time up to which the copy is complete, by the server's clock if known."""
    after: str
    """The position after the last page."""
    started_at: Timestamp
    """This member and the following ones describe an incomplete round on a server without positions."""
    since: Timestamp
    cursor: str


@dataclass
class Round:
    """The result of one round."""

    since: Optional[Timestamp] = None
    """The lower bound of `updated_at` that was requested; None for everything, and for what is after
    a position.
    """
    pages: int = 0
    """How many pages were stored."""
    records: int = 0
    """How many records were stored."""
    resumed: bool = False
    """Whether the round continued at the position or cursor that was stored."""
    error: Optional[BaseException] = None
    """Why the round is not complete; None if it is."""


class SyncOptions(TypedDict, total=False):
    """The interval and the overlap of rounds. Times are in seconds."""

    every: float
    """The interval between the beginnings of two rounds where the server cannot hold a call until
    something changes; 300 by default.
    """
    overlap: float
    """How far a round without a position reaches back before the time up to which the copy is
    complete, 600 by default, to compensate for clock differences.
    """
    after_round: Callable[[Round], None]
    """Called after every round, also a failed one."""


class ReadPage(Protocol):
    """Reads a page."""

    def __call__(
        self,
        filter: Dict[str, Union[str, int]],
        on_response: Callable[[ResponseInfo], None],
        stop: Optional[threading.Event],
    ) -> Dict[str, Any]:
        """Read the page that the filter selects."""
        ...


class _NoPositionsError(Exception):
    """The server is an older one, which refuses or ignores the parameter after."""


@dataclass
class _Step(Generic[T]):
    """A page, and the state after it."""

    records: List[T]
    more: bool
    state: SyncState
    held: bool = False
    """Whether the server holds calls."""


class Sync(Generic[T]):
    """Keeps a copy of a list up to date.

    It reads the list forwards: each round requests what has changed after the position of the
    previous page, and passes the pages to a callback that stores them by identifier, overwriting,
    together with the position. So the copy is exact after every page, wherever the program stops. A
    state may move backwards: store it as received.

    An older installation, which has no positions, is read in rounds that overlap: each requests
    what has changed since the previous one began, minus the overlap. The same record can arrive
    twice then. A copy that was made in this way is continued with positions as soon as the server
    has them.

    A Sync must not be used by more than one thread at a time.
    """

    def __init__(
        self,
        read: ReadPage,
        load: Callable[[], SyncState],
        upsert: Callable[[List[T], SyncState], None],
        clock: Clock,
        timeout: float,
        *,
        every: float = 300,
        overlap: float = 600,
        after_round: Optional[Callable[[Round], None]] = None,
    ) -> None:
        """Create the Sync; called by the client only."""
        self._read = read
        self._load = load
        self._upsert = upsert
        self._clock = clock
        self._every = every
        self._overlap = timedelta(seconds=overlap)
        self._after_round = after_round
        self._wait = int(max(0, min(_LONGEST_WAIT, timeout - _ANSWER_MARGIN)))

    def run(self, stop: Optional[threading.Event] = None) -> None:
        """Do rounds until the event is set.

        The server holds the call of a round until something changes, for 25 seconds at most, or for
        10 if there is an event. Where it does not, the next round follows at its regular time. After
        a temporary failure it follows as it did after the last round that succeeded. Raises if a
        callback fails, or a call fails permanently.
        """
        wait = self._wait if stop is None else min(self._wait, _LONGEST_WAIT_WITH_STOP)
        held, stopped = wait > 0, False
        while not stopped:
            begun = self._clock.now()
            try:
                held = self._round(Round(), stop, wait)
            except Exception as error:
                if stop is not None and stop.is_set():
                    return
                if not is_temporary(error):
                    raise
            interval = min(self._every, _HELD_INTERVAL) if held else self._every
            took = (self._clock.now() - begun).total_seconds()
            stopped = self._clock.wait(max(interval - took, 0), stop)

    def round(self, stop: Optional[threading.Event] = None) -> Round:
        """Do one round.

        Once the event is set, it ends before the next page with an UnansweredError. The next round
        continues there.
        """
        done = Round()
        self._round(done, stop, 0)
        return done

    def _round(self, done: Round, stop: Optional[threading.Event], wait: int) -> bool:
        """Do one round and return whether the server holds calls."""
        try:
            return self._collect(done, stop, wait)
        except BaseException as error:
            done.error = error
            raise
        finally:
            if self._after_round:
                self._after_round(done)

    def _collect(self, done: Round, stop: Optional[threading.Event], wait: int) -> bool:
        state = self._load()
        done.resumed = _is_placed(state)
        done.since = state.get("since") if done.resumed else self._since(state)
        forwards, restarts = True, 0
        while True:
            try:
                step = self._forwards(state, stop, wait) if forwards else self._backwards(state, stop)
            except _NoPositionsError:
                forwards = False
                continue
            except SellerApiError as error:
                lost = has_code(error, "INVALID_CURSOR") and _is_placed(state)
                if not lost or restarts == _RESTARTS_PER_ROUND:
                    raise
                restarts += 1
                state = _complete_until(state.get("collected_at"))
                continue
            self._upsert(step.records, step.state)
            done.pages += 1
            done.records += len(step.records)
            if not step.more:
                return step.held
            state = step.state

    def _since(self, state: SyncState) -> Optional[Timestamp]:
        """Return the time from which a round without a position has to read."""
        collected_at = state.get("collected_at")
        return format_time(parse_time(collected_at) - self._overlap) if collected_at else None

    def _forwards(self, state: SyncState, stop: Optional[threading.Event], wait: int) -> _Step[T]:
        """Read the page after the position of a state."""
        after = state.get("after") or self._since(state) or "beginning"
        query: Dict[str, Union[str, int]] = {"after": after, "limit": _PAGE_SIZE}
        if wait > 0:
            query["wait"] = wait
        try:
            page, now, info = self._page(query, stop)
        except SellerApiError as error:
            if has_code(error, "VALIDATION_ERROR") and error.field("query.after"):
                raise _NoPositionsError from error
            raise
        if "after" not in page:
            raise _NoPositionsError
        more = page["next_cursor"] is not None
        behind = _complete_until(state.get("collected_at") if more else now)
        behind["after"] = page["after"]
        held = wait > 0 and not (info and info.not_held)
        return _Step(page["list"], more, behind, held)

    def _backwards(self, state: SyncState, stop: Optional[threading.Event]) -> _Step[T]:
        """Read the next page of an overlapping round."""
        query: Dict[str, Union[str, int]] = {"limit": _PAGE_SIZE}
        if "cursor" not in state:
            since = self._since(state)
            state = _complete_until(state.get("collected_at"))
            if since:
                state["since"] = since
        if "since" in state:
            query["updated_at_gte"] = state["since"]
        if "cursor" in state:
            query["cursor"] = state["cursor"]
        page, now, _ = self._page(query, stop)
        started_at = state.get("started_at") or now
        cursor = page["next_cursor"]
        if cursor is None:
            return _Step(page["list"], False, {"collected_at": started_at})
        return _Step(page["list"], True, {**state, "started_at": started_at, "cursor": cursor})

    def _page(
        self, query: Dict[str, Union[str, int]], stop: Optional[threading.Event]
    ) -> Tuple[Dict[str, Any], Timestamp, Optional[ResponseInfo]]:
        """Read a page.

        The time is the server's, or that before the call if the server does not say it.
        """
        now = self._clock.now()
        infos: List[ResponseInfo] = []
        page = self._read(query, infos.append, stop)
        info = infos[-1] if infos else None
        return page, format_time((info and info.date) or now), info


def _is_placed(state: SyncState) -> bool:
    return bool(state.get("after") or state.get("cursor"))


def _complete_until(collected_at: Optional[Timestamp]) -> SyncState:
    """Return the state of a copy that is complete up to this time and has no position."""
    return {"collected_at": collected_at} if collected_at else {}
