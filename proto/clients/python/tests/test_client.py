"""Behaviour of a client that the scenarios do not cover."""

from __future__ import annotations

import re
import ssl
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from typing import Any, Dict
from unittest import TestCase, mock

from sellerapi import (
    Client,
    RetryPolicy,
    SellerApiError,
    UnansweredError,
    format_time,
    has_code,
    is_temporary,
    parse_time,
)
from sellerapi.clock import SystemClock

from .script import Server, StandingClock, client_of, play


class ClientTest(TestCase):
    """Creating a client, and what it sends."""

    def test_addresses_and_keys_that_cannot_work_are_refused(self) -> None:
        for base in (
            "",
            "open-api.example.com",
            "ftp://open-api.example.com",
            "https://",
            "https://a/?b=c",
            "https://a/#b",
            "https://u:hidden@a",
        ):
            with self.assertRaises(ValueError) as caught:
                Client(base, "vpk_test_secret")
            self.assertNotIn("hidden", str(caught.exception))
        for key in (" ", "vpk\n1", "열쇠"):
            with self.assertRaises(ValueError):
                Client("https://open-api.example.com", key)
        Client("https://open-api.example.com/", "vpk_test_secret\n")

    def test_options_that_do_not_exist_are_refused(self) -> None:
        wrong: Dict[str, Any] = {"timeuot": 3}
        with self.assertRaisesRegex(TypeError, "timeuot; the options are retry, timeout, language, "):
            Client("https://open-api.example.com", "vpk_test_secret", **wrong)
        client = Client("https://open-api.example.com", "vpk_test_secret")
        with self.assertRaisesRegex(TypeError, "timeuot"):
            client.get_order("A-1", **wrong)

    def test_a_language_without_messages_is_refused(self) -> None:
        for language in ("kr", "ko-KR", "KO"):
            with self.assertRaisesRegex(ValueError, f"'{language}': the languages are en, ko"):
                Client("https://open-api.example.com", "vpk_test_secret", language=language)
        for language in ("", "en", "ko"):
            Client("https://open-api.example.com", "vpk_test_secret", language=language)

    def test_printing_a_client_does_not_show_the_key(self) -> None:
        client = Client("https://open-api.example.com", "vpk_test_secret")
        transport: Dict[str, Any] = getattr(client, "_transport").__dict__
        for shown in (repr(client), str(client.__dict__), str(transport)):
            self.assertNotIn("secret", shown)

    # HTTP clients and proxies normalize such paths, and the request would reach another resource.
    def test_identifiers_that_would_change_the_path_are_refused(self) -> None:
        server, _, client = play(self)
        for one in ("", ".", ".."):
            with self.assertRaisesRegex(ValueError, "order_no"):
                client.get_order(one)
            with self.assertRaisesRegex(ValueError, "qna_id"):
                client.answer_inquiry(one, {"content": "네"})
        self.assertEqual([], server.got)

    def test_keys_are_new_uuids(self) -> None:
        server = Server(self, {}, {})
        client = Client(server.url, "vpk_test_secret")
        client.approve_claim("C-1")
        client.approve_claim("C-1")
        first, second = (one.headers["idempotency-key"] for one in server.got)
        form = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
        self.assertTrue(form.fullmatch(first) and form.fullmatch(second) and first != second)

    def test_a_key_that_no_header_can_carry_is_refused(self) -> None:
        server, _, client = play(self)
        for key in ("열쇠", "a\nb"):
            with self.assertRaises(ValueError):
                client.approve_claim("C-1", idempotency_key=key)
        self.assertEqual([], server.got)

    def test_requests_name_the_caller_and_the_language(self) -> None:
        server = Server(self, {}, {})
        named = Client(server.url, "vpk_test_secret", language="ko", user_agent="erp/7")
        named.get_claim("C-1", request_id="mine-1")
        Client(server.url, "vpk_test_secret").get_claim("C-1")
        names = ("accept-language", "user-agent", "x-request-id", "idempotency-key")
        self.assertEqual(["ko", "erp/7", "mine-1", None], [server.got[0].headers.get(n) for n in names])
        self.assertEqual(
            [None, "sellerapi-python/1.0.0", None, None], [server.got[1].headers.get(n) for n in names]
        )

    def test_many_threads_share_a_client(self) -> None:
        server = Server(self, *[{"data": {"claim_no": "C-1"}}] * 40)
        client = Client(server.url, "vpk_test_secret")

        def approve(_: int) -> str:
            return client.approve_claim("C-1")["claim_no"]

        with ThreadPoolExecutor(8) as threads:
            done = list(threads.map(approve, range(40)))
        self.assertEqual(["C-1"] * 40, done)
        self.assertEqual(40, len({one.headers["idempotency-key"] for one in server.got}))


class FailureTest(TestCase):
    """Calls that fail."""

    def test_a_call_that_is_stopped_is_not_sent(self) -> None:
        server, _, client = play(self)
        stop = threading.Event()
        stop.set()
        with self.assertRaises(UnansweredError) as caught:
            client.approve_claim("C-1", stop=stop)
        self.assertFalse(is_temporary(caught.exception))
        self.assertEqual([], server.got)

    def test_a_call_is_stopped_in_a_pause(self) -> None:
        server, clock, client = play(self, {"status": 500}, {})
        clock.stop_at = 1
        with self.assertRaises(UnansweredError) as caught:
            client.approve_claim("C-1", stop=threading.Event())
        self.assertEqual("key-1", caught.exception.idempotency_key)
        self.assertIsInstance(caught.exception.__cause__, SellerApiError)
        self.assertFalse(is_temporary(caught.exception))
        self.assertEqual(1, len(server.got))

    # The outcome of a slow call is unknown; the next attempt, with the same key, gets it.
    def test_a_try_that_takes_too_long_is_repeated(self) -> None:
        released = threading.Event()
        server = Server(self, {}, {"data": {"claim_no": "C-1"}})
        answer = server.next

        def slow(request: Any) -> Any:
            answered = answer(request)
            if len(server.got) == 1:
                released.wait(30)
                return {"broken": "reset"}
            return answered

        keys = iter(["key-1"])
        with mock.patch.object(server, "next", slow):
            client = Client(
                server.url, "vpk_test_secret", timeout=1, clock=StandingClock(), new_key=lambda: next(keys)
            )
            self.assertEqual("C-1", client.approve_claim("C-1")["claim_no"])
            released.set()
        self.assertEqual(["key-1"] * 2, [one.headers["idempotency-key"] for one in server.got])

    def test_a_certificate_that_is_not_trusted_is_not_tried_again(self) -> None:
        clock = StandingClock()
        distrust = urllib.error.URLError(ssl.SSLCertVerificationError("self-signed certificate"))
        with mock.patch.object(urllib.request.OpenerDirector, "open", side_effect=distrust):
            with self.assertRaisesRegex(UnansweredError, "self-signed") as caught:
                client_of("https://open-api.example.com", clock).get_order("A-1")
        self.assertEqual((1, False), (caught.exception.attempts, caught.exception.repeatable))
        self.assertEqual([], clock.waits)

    def test_details_of_the_future_are_kept(self) -> None:
        data = {"request_id": "r-1", "depth": 12, "reason": "frozen"}
        refusal = {"status": 409, "error_code": "CLAIM_NOT_APPROVABLE", "error_data": data}
        _, _, client = play(self, refusal)
        with self.assertRaises(SellerApiError) as caught:
            client.approve_claim("C-1")
        error = caught.exception
        self.assertTrue(has_code(error, "CLAIM_NOT_APPROVABLE"))
        self.assertEqual(data, error.data)
        self.assertEqual(
            "approve_claim: 409 CLAIM_NOT_APPROVABLE: a text (request r-1)", str(error)
        )

    def test_policies_bound_the_repetition(self) -> None:
        server, clock = Server(self, *[{"status": 500}] * 4), StandingClock()
        retry = RetryPolicy(attempts=4, first_pause=2, longest_pause=5)
        with self.assertRaises(SellerApiError):
            client_of(server.url, clock, retry).get_order("A-1")
        self.assertEqual([1.5, 3, 3.75], clock.waits)

    def test_ordinary_errors_have_no_code_and_do_not_pass(self) -> None:
        self.assertFalse(has_code(OSError("disk full"), "ORDER_NOT_FOUND"))
        self.assertFalse(is_temporary(OSError("disk full")))
        self.assertFalse(is_temporary(None))


class TimesTest(TestCase):
    """Times, and the clock."""

    def test_times_are_written_as_the_server_writes_them(self) -> None:
        seoul = timezone(timedelta(hours=9))
        for at, want in (
            (datetime(2026, 3, 14, 11, 0, 0, 120000, seoul), "2026-03-14T02:00:00.120000Z"),
            ("2026-03-14T11:00:00.1234567+09:00", "2026-03-14T02:00:00.123456Z"),
            ("2026-03-13T20:30:00-05:30", "2026-03-14T02:00:00.000000Z"),
            ("2026-03-14T02:00:00Z", "2026-03-14T02:00:00.000000Z"),
        ):
            self.assertEqual(want, format_time(at))
        for text in ("yesterday", "2026-03-14", "2026-03-14T02:00:00", "2026-13-14T02:00:00Z"):
            self.assertEqual(text, format_time(text), "the server checks")
        with self.assertRaises(ValueError):
            format_time(datetime(2026, 3, 14))

    def test_times_are_read_to_the_microsecond(self) -> None:
        at = parse_time("2026-03-14T02:11:09.482913Z")
        self.assertEqual(datetime(2026, 3, 14, 2, 11, 9, 482913, timezone.utc), at)

    def test_the_clock_of_the_system_waits_until_it_is_told_to_stop(self) -> None:
        clock, stop = SystemClock(), threading.Event()
        before = clock.now()
        self.assertFalse(clock.wait(0.005, None))
        self.assertGreaterEqual(clock.now() - before, timedelta(seconds=0.004))
        stop.set()
        self.assertTrue(clock.wait(60, stop))
