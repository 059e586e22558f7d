"""Keeping a copy of a list up to date."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import timedelta
from typing import Callable, Dict, Generic, List, Optional, Protocol, Tuple, TypedDict, TypeVar, Union

from .answer import ResponseInfo
from .clock import Clock
from .errors import SellerApiError, has_code, is_temporary
from .times import format_time, parse_time
from .values import Timestamp

T = TypeVar("T")

_PAGE_SIZE = 100
"""The maximum page size, because calls are limited as well as rows."""

_RESTARTS_PER_ROUND = 3
"""How often a round restarts because the server refuses its cursor."""


class SyncState(TypedDict, total=False):
    """The progress of a synchronization.

    Store it as JSON; its members are internal to this package. The empty dictionary stands for an
    empty copy.
    """

    collected_at: Timestamp
    """When the last complete round began, by the server's clock if known."""
    started_at: Timestamp
    """This member and the following ones describe a round that is not complete."""
    since: Timestamp
    cursor: str


@dataclass
class Round:
    """The result of one round."""

    since: Optional[Timestamp] = None
    """The lower bound of `updated_at` that was requested; None for everything."""
    pages: int = 0
    """How many pages were stored."""
    records: int = 0
    """How many records were stored."""
    resumed: bool = False
    """Whether the round continued an interrupted one."""
    error: Optional[BaseException] = None
    """Why the round is not complete; None if it is."""


class SyncOptions(TypedDict, total=False):
    """The interval and the overlap of rounds. Times are in seconds."""

    every: float
    """The interval between the beginnings of two rounds; 300 by default."""
    overlap: float
    """How far each round reaches back before the previous one, 600 by default, to compensate for
    clock differences.
    """
    after_round: Callable[[Round], None]
    """Called after every round, also a failed one."""


class ReadPage(Protocol[T]):
    """Reads a page and returns its elements and the cursor of the next one."""

    def __call__(
        self,
        filter: Dict[str, Union[str, int]],
        on_response: Callable[[ResponseInfo], None],
        stop: Optional[threading.Event],
    ) -> Tuple[List[T], Optional[str]]:
        """Read the page that the filter selects."""
        ...


class Sync(Generic[T]):
    """Keeps a copy of a list up to date.

    Each round requests what has changed since the previous one began, minus an overlap, and passes
    the pages to a callback that stores them by identifier, overwriting. The same record can arrive
    twice, and its state may have moved backwards: store it as received. A round that was
    interrupted continues where it stopped. A Sync must not be used by more than one thread at a
    time.
    """

    def __init__(
        self,
        read: ReadPage[T],
        load: Callable[[], SyncState],
        upsert: Callable[[List[T], SyncState], None],
        clock: Clock,
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

    def run(self, stop: Optional[threading.Event] = None) -> None:
        """Do rounds until the event is set.

        Raises if a callback fails, or a call fails permanently. After a temporary failure, the next
        round follows at its regular time.
        """
        stopped = False
        while not stopped:
            begun = self._clock.now()
            try:
                self.round(stop)
            except Exception as error:
                if stop is not None and stop.is_set():
                    return
                if not is_temporary(error):
                    raise
            took = (self._clock.now() - begun).total_seconds()
            stopped = self._clock.wait(max(self._every - took, 0), stop)

    def round(self, stop: Optional[threading.Event] = None) -> Round:
        """Do one round.

        Once the event is set, it ends before the next page with an UnansweredError. The next round
        continues there.
        """
        done = Round()
        try:
            self._collect(done, stop)
        except BaseException as error:
            done.error = error
            raise
        finally:
            if self._after_round:
                self._after_round(done)
        return done

    def _collect(self, done: Round, stop: Optional[threading.Event]) -> None:
        state = self._load()
        done.resumed = bool(state.get("cursor"))
        if not done.resumed:
            state = self._begin(state)
        done.since = state.get("since")
        restarts = 0
        cursor: Optional[str] = ""
        while cursor is not None:
            try:
                state, records, cursor = self._step(state, stop)
            except SellerApiError as error:
                lost = has_code(error, "INVALID_CURSOR") and bool(state.get("cursor"))
                if not lost or restarts == _RESTARTS_PER_ROUND:
                    raise
                restarts += 1
                state = self._begin(state)
                continue
            self._upsert(records, state)
            done.pages += 1
            done.records += len(records)

    def _begin(self, state: SyncState) -> SyncState:
        """Return the state before the first page of a round."""
        collected_at = state.get("collected_at")
        if collected_at is None:
            return {}
        since = format_time(parse_time(collected_at) - self._overlap)
        return {"collected_at": collected_at, "since": since}

    def _step(
        self, state: SyncState, stop: Optional[threading.Event]
    ) -> Tuple[SyncState, List[T], Optional[str]]:
        """Read the next page and return the state after it, its records and the next cursor."""
        now = self._clock.now()

        def told(info: ResponseInfo) -> None:
            nonlocal now
            if info.status == 200 and info.date:
                now = info.date

        filter: Dict[str, Union[str, int]] = {"limit": _PAGE_SIZE}
        if "since" in state:
            filter["updated_at_gte"] = state["since"]
        if "cursor" in state:
            filter["cursor"] = state["cursor"]
        records, cursor = self._read(filter, told, stop)
        started_at = state.get("started_at") or format_time(now)
        if cursor is None:
            return {"collected_at": started_at}, records, None
        behind: SyncState = {**state, "started_at": started_at, "cursor": cursor}
        return behind, records, cursor
