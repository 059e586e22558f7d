"""Rounds of collecting changes, and iterating over pages."""

from __future__ import annotations

import json
import threading
from typing import Any, Callable, Dict, List, Optional, cast
from unittest import TestCase

from sellerapi import Client, RetryPolicy, Round, SellerApiError, SyncState, UnansweredError, has_code, parse_time
from sellerapi.contract import Order

from .script import Scripted, Server, StandingClock, client_of, load, play, require_requests

NO_POSITIONS: Scripted = {
    "status": 422,
    "error_code": "VALIDATION_ERROR",
    "error_data": {"request_id": "r-1", "errors": [{"field": "query.after", "code": "unknown"}]},
}
EMPTY: Scripted = {"data": {"list": [], "next_cursor": None}}
FAILING: Scripted = {"status": 500}
WRONG_KEY: Scripted = {"status": 401, "error_code": "INVALID_API_KEY"}
ONCE = RetryPolicy(attempts=1)


class Copy:
    """A copy of the orders, as a database would keep it."""

    def __init__(self, state: Optional[Dict[str, Any]] = None) -> None:
        self.state = cast(SyncState, state or {})
        self.upserts: List[Dict[str, Any]] = []

    def load(self) -> SyncState:
        return self.state

    def upsert(self, orders: List[Order], state: SyncState) -> None:
        self.upserts.append({"orders": [one["order_no"] for one in orders], "state": plain(state)})
        self.state = json.loads(json.dumps(state))


def plain(state: Any) -> Dict[str, Any]:
    """Return a state with parsed times, because they may be written with more or fewer zeros."""
    return {name: text if name in ("cursor", "after") else parse_time(text) for name, text in state.items()}


class SyncTest(TestCase):
    """Collecting changes."""

    def test_rounds_keep_their_promises(self) -> None:
        for scenario in load("sync.json"):
            with self.subTest(scenario["name"]):
                copy = Copy(scenario["state"])
                for one in scenario["rounds"]:
                    self.play_round(copy, one)

    def play_round(self, copy: Copy, want: Dict[str, Any]) -> None:
        server, _, client = play(self, *want["answers"])
        copy.upserts = []
        rounds: List[Round] = []
        failure: Optional[BaseException] = None
        sync = client.sync_orders(copy.load, copy.upsert, after_round=rounds.append)
        try:
            sync.round()
        except SellerApiError as error:
            failure = error
        self.assertEqual(want.get("error"), getattr(failure, "code", None))
        require_requests(self, want["requests"], server.got)
        [done] = rounds
        self.assertIs(failure, done.error)
        if "upserts" in want:
            expected = [{**one, "state": plain(one["state"])} for one in want["upserts"]]
            self.assertEqual(expected, copy.upserts)
        if "round" in want:
            since = done.since.replace(".000000Z", "Z") if done.since else None
            got = {"pages": done.pages, "records": done.records, "resumed": done.resumed, "since": since}
            self.assertEqual(want["round"], got)

    def test_running_passes_over_failures_that_may_pass(self) -> None:
        answers = [NO_POSITIONS, EMPTY, NO_POSITIONS, FAILING, NO_POSITIONS, EMPTY, WRONG_KEY]
        server, clock = Server(self, *answers), StandingClock()
        rounds: List[Round] = []
        copy = Copy()
        client = client_of(server.url, clock, ONCE)
        with self.assertRaises(SellerApiError) as caught:
            client.sync_orders(copy.load, copy.upsert, after_round=rounds.append).run()
        self.assertTrue(has_code(caught.exception, "INVALID_API_KEY"))
        self.assertEqual([300, 300, 300], clock.waits)
        self.assertEqual([False, True, False, True], [one.error is not None for one in rounds])
        self.assertEqual(rounds[1].since, rounds[2].since, "a round that failed is made up for")

    def test_running_counts_from_the_beginning_of_a_round(self) -> None:
        slow = {"status": 429, "headers": {"Retry-After": "60"}}
        _, clock, client = play(self, slow, NO_POSITIONS, EMPTY, WRONG_KEY)
        copy = Copy()
        with self.assertRaises(SellerApiError):
            client.sync_orders(copy.load, copy.upsert, every=120).run()
        self.assertEqual([60.25, 59.75], clock.waits)

    def test_a_round_ends_between_pages_when_it_is_stopped(self) -> None:
        page: Scripted = {"data": {"list": [], "next_cursor": "p-1", "after": "p-1"}}
        last: Scripted = {"data": {"list": [], "next_cursor": None, "after": "p-2"}}
        server, _, client = play(self, page, last)
        copy, stop = Copy(), threading.Event()

        def upsert(orders: List[Order], state: SyncState) -> None:
            copy.upsert(orders, state)
            stop.set()

        with self.assertRaises(UnansweredError):
            client.sync_orders(copy.load, upsert).round(stop)
        self.assertEqual(1, len(server.got))
        self.assertTrue(client.sync_orders(copy.load, copy.upsert).round().resumed)

    def test_running_ends_when_it_is_stopped(self) -> None:
        for answers in ([NO_POSITIONS, EMPTY], [NO_POSITIONS, FAILING]):
            server, clock, client = play(self, *answers)
            clock.stop_at = 1
            copy = Copy()
            client.sync_orders(copy.load, copy.upsert).run(threading.Event())
            self.assertEqual(2, len(server.got))

    # Where the server holds calls, the next round follows at once, but no two begin within five seconds. A failure does
    # not change how the next round follows, so that an outage costs seconds.
    def test_running_lets_calls_be_held(self) -> None:
        def after(position: str) -> Scripted:
            return {"data": {"list": [], "next_cursor": None, "after": position}}

        full: Scripted = {**after("p-2"), "headers": {"X-Wait": "0"}}
        server = Server(self, FAILING, after("p-1"), FAILING, full, FAILING, after("p-3"), WRONG_KEY)
        clock, copy = StandingClock(), Copy()
        with self.assertRaises(SellerApiError):
            client_of(server.url, clock, ONCE).sync_orders(copy.load, copy.upsert).run()
        self.assertEqual([5, 5, 5, 300, 300, 5], clock.waits)
        positions = ["beginning", "beginning", "p-1", "p-1", "p-2", "p-2", "p-3"]
        self.assertEqual([f"after={one}&limit=100&wait=25" for one in positions], [one.query for one in server.got])

    # A request in flight is completed before a run that can be stopped ends.
    def test_calls_are_held_no_longer_than_they_may(self) -> None:
        for timeout, stop, query in ((45, threading.Event(), "&wait=10"), (28, None, "&wait=8"), (20, None, "")):
            server, copy = Server(self, WRONG_KEY), Copy()
            client = Client(server.url, "vpk_test_secret", timeout=timeout)
            with self.assertRaises(SellerApiError):
                client.sync_orders(copy.load, copy.upsert).run(stop)
            self.assertEqual([f"after=beginning&limit=100{query}"], [one.query for one in server.got])

    def test_a_copy_that_cannot_be_written_ends_the_collecting(self) -> None:
        _, _, client = play(self, NO_POSITIONS, EMPTY)

        def full(orders: List[Order], state: SyncState) -> None:
            raise OSError("disk full")

        with self.assertRaisesRegex(OSError, "disk full"):
            client.sync_orders(lambda: {}, full).run()

    def test_claims_and_inquiries_are_collected_the_same_way(self) -> None:
        claims = {"data": {"list": [{"claim_no": "C-1"}], "next_cursor": None, "after": "p"}}
        inquiries = {"data": {"list": [{"qna_id": "q-1"}], "next_cursor": None}}
        server, _, client = play(self, claims, NO_POSITIONS, inquiries)
        got: List[str] = []
        load: Callable[[], SyncState] = lambda: {"collected_at": "2026-03-14T01:00:00Z"}
        client.sync_claims(load, lambda some, _: got.extend(one["claim_no"] for one in some)).round()
        client.sync_inquiries(
            load, lambda some, _: got.extend(one["qna_id"] for one in some), overlap=3600
        ).round()
        self.assertEqual(["C-1", "q-1"], got)
        self.assertEqual(
            [
                "/open/v1/claims?after=2026-03-14T00%3A50%3A00.000000Z&limit=100",
                "/open/v1/qna?after=2026-03-14T00%3A00%3A00.000000Z&limit=100",
                "/open/v1/qna?limit=100&updated_at_gte=2026-03-14T00%3A00%3A00.000000Z",
            ],
            [f"{one.path}?{one.query}" for one in server.got],
        )


class PagesTest(TestCase):
    """Iterating over pages."""

    def test_walking_follows_the_cursor_and_ends_with_its_error(self) -> None:
        empty: Scripted = {"data": {"list": [], "next_cursor": "e"}}
        first = {"data": {"list": [{"order_no": "A-2"}], "next_cursor": "c"}}
        server, _, client = play(self, empty, first, WRONG_KEY)
        got: List[str] = []
        with self.assertRaises(SellerApiError):
            for order in client.orders({"item_status": "paid"}):
                got.append(order["order_no"])
        self.assertEqual(["A-2"], got)
        self.assertEqual(["item_status=paid", "cursor=e&item_status=paid", "cursor=c&item_status=paid"], [one.query for one in server.got])

    def test_walking_from_a_position_goes_on_with_positions(self) -> None:
        first: Scripted = {"data": {"list": [{"order_no": "A-1"}], "next_cursor": "p", "after": "p"}}
        last: Scripted = {"data": {"list": [{"order_no": "A-2"}], "next_cursor": None, "after": "q"}}
        server, _, client = play(self, first, last)
        orders = client.orders({"after": "beginning"})
        self.assertEqual(["A-1", "A-2"], [order["order_no"] for order in orders])
        self.assertEqual(["after=beginning", "after=p"], [one.query for one in server.got])

    def test_claims_and_inquiries_have_pages_too(self) -> None:
        claim = {"data": {"list": [{"claim_no": "C-1"}], "next_cursor": None}}
        inquiry = {"data": {"list": [{"qna_id": "q-1"}], "next_cursor": None}}
        _, _, client = play(self, claim, inquiry)
        self.assertEqual(["C-1"], [one["claim_no"] for one in client.claims()])
        self.assertEqual(["q-1"], [one["qna_id"] for one in client.inquiries()])
