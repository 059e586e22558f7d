"""Keeping a copy of a list."""

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
"""The largest page, because calls are limited as well as rows."""

_RESTARTS_PER_ROUND = 3
"""How often a round starts again because the server does not take its cursor."""


class SyncState(TypedDict, total=False):
    """How far collecting has come.

    Store it as JSON; its members are this package's own business. The empty one stands for a copy
    that is still empty.
    """

    collected_at: Timestamp
    """When the last complete round began, by the server's clock where it tells."""
    started_at: Timestamp
    """This member and the following belong to a round that is not complete."""
    since: Timestamp
    cursor: str


@dataclass
class Round:
    """What one round did."""

    since: Optional[Timestamp] = None
    """The least `updated_at` that was asked for; None for everything."""
    pages: int = 0
    records: int = 0
    """How much was stored."""
    resumed: bool = False
    """The round went on where an interrupted one had stopped."""
    error: Optional[BaseException] = None
    """Why the round is not complete; None when it is."""


class SyncOptions(TypedDict, total=False):
    """When and how far back rounds ask. Times are seconds."""

    every: float
    """From the beginning of a round to the next; 300 by default."""
    overlap: float
    """How far each round reaches back behind the one before, 600 by default: it makes up for
    clocks that differ.
    """
    after_round: Callable[[Round], None]
    """Is told of every round, also of one that failed."""


class ReadPage(Protocol[T]):
    """Reads a page and returns its elements and the cursor of the next one."""

    def __call__(
        self,
        filter: Dict[str, Union[str, int]],
        on_response: Callable[[ResponseInfo], None],
        stop: Optional[threading.Event],
    ) -> Tuple[List[T], Optional[str]]:
        """Read the page that the filter names."""
        ...


class Sync(Generic[T]):
    """Keeps a copy of a list up to date.

    Each round asks for what changed since the one before began, minus an overlap, and hands the
    pages over to be stored by identifier, overwriting. The same record can arrive twice, and its
    state may have moved backwards: store it as it is. A round that was interrupted goes on where
    it stopped. A Sync is for one thread at a time.
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
        """Is called by the client."""
        self._read = read
        self._load = load
        self._upsert = upsert
        self._clock = clock
        self._every = every
        self._overlap = timedelta(seconds=overlap)
        self._after_round = after_round

    def run(self, stop: Optional[threading.Event] = None) -> None:
        """Do round after round until the event is set.

        Raises when the copy cannot be written or an answer refuses for good. After failures that
        may pass, the next round comes in its time.
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
        """Do one round."""
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
        """Read the next page and return the state behind it, the records and the next cursor."""
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
