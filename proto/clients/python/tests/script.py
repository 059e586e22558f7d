"""Runs the scenarios that all clients share, see ../../scenarios/README.md."""

from __future__ import annotations

import json
import threading
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, cast
from unittest import TestCase

from sellerapi import Client, RetryPolicy

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"

Scripted = Dict[str, Any]
"""A response of a script."""


def load(name: str) -> List[Dict[str, Any]]:
    """Read one of the files of scenarios."""
    return json.loads((SCENARIOS / name).read_text("utf-8"))


class Received(NamedTuple):
    """A request as received."""

    method: str
    path: str
    query: str
    headers: Dict[str, str]
    body: str


class Server(ThreadingHTTPServer):
    """Returns scripted responses in turn and records the requests."""

    daemon_threads = True

    def __init__(self, test: TestCase, *answers: Scripted) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = list(answers)
        self.got: List[Received] = []
        self.lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_port}"
        thread = threading.Thread(target=self.serve_forever, args=(0.01,))
        thread.start()
        test.addCleanup(thread.join)
        test.addCleanup(self.server_close)
        test.addCleanup(self.shutdown)

    def next(self, request: Received) -> Scripted:
        """Record a request and return its response; an unexpected request gets status 418."""
        with self.lock:
            self.got.append(request)
            return self.answers.pop(0) if self.answers else {"status": 418}


class Handler(BaseHTTPRequestHandler):
    """Responds as the script says."""

    def do_GET(self) -> None:
        """Answer a request."""
        length = int(self.headers.get("Content-Length", "0"))
        body = self.rfile.read(length).decode()
        path, _, query = self.path.partition("?")
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Received(self.command, path, query, headers, body)
        self._write(cast(Server, self.server).next(request))

    do_POST = do_GET

    def _write(self, answer: Scripted) -> None:
        if answer.get("broken") == "reset":
            return
        status = answer.get("status", 200)
        given: Dict[str, Optional[str]] = answer.get("headers", {})
        text = text_of(answer, status).encode()
        length = len(text) + (answer.get("broken") == "cut")
        usual = {"Date": self.date_time_string(), "Content-Length": str(length)}
        self.send_response_only(status)
        for name, value in {**usual, **given}.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


def text_of(answer: Scripted, status: int) -> str:
    """Return the body of a response."""
    if "text" in answer:
        return answer["text"]
    meta = {
        "code": status,
        "message": answer.get("message", "a text"),
        "error_code": answer.get("error_code"),
        "error_data": answer.get("error_data"),
    }
    return json.dumps({"meta": meta, "data": answer.get("data", {} if status == 200 else None)})


class StandingClock:
    """A clock that advances only by waiting."""

    def __init__(self) -> None:
        self.waits: List[float] = []
        self.stop_at = 0
        self._now = datetime(2026, 3, 14, 2, tzinfo=timezone.utc)

    def now(self) -> datetime:
        return self._now

    def wait(self, seconds: float, stop: Optional[threading.Event]) -> bool:
        self.waits.append(seconds)
        if stop is not None and len(self.waits) == self.stop_at:
            stop.set()
        else:
            self._now += timedelta(seconds=seconds)
        return stop is not None and stop.is_set()


def client_of(url: str, clock: StandingClock, retry: Optional[RetryPolicy] = None) -> Client:
    """Return a client with the settings that the scenarios assume."""
    keys = iter(f"key-{number}" for number in range(1, 100))
    return Client(
        url,
        "vpk_test_secret",
        clock=clock,
        jitter=lambda: 0.5,
        new_key=lambda: next(keys),
        retry=retry or RetryPolicy(),
    )


def play(test: TestCase, *answers: Scripted) -> Tuple[Server, StandingClock, Client]:
    """Return a server with scripted responses, a clock and a client."""
    server, clock = Server(test, *answers), StandingClock()
    return server, clock, client_of(server.url, clock)


def require_requests(test: TestCase, want: List[Dict[str, Any]], got: List[Received]) -> None:
    """Compare the received requests with the expected ones; absent members are not checked."""
    test.assertEqual(len(want), len(got), got)
    for expected, request in zip(want, got):
        test.assertEqual("vpk_test_secret", request.headers["x-api-key"])
        for name in ("method", "path", "query"):
            test.assertEqual(expected.get(name, getattr(request, name)), getattr(request, name))
        key = request.headers.get("idempotency-key")
        test.assertEqual(expected.get("key", key), key)
        if "body" in expected and expected["body"] is None:
            test.assertEqual("", request.body)
        elif "body" in expected:
            test.assertEqual("application/json", request.headers["content-type"])
            test.assertEqual(expected["body"], json.loads(request.body))
