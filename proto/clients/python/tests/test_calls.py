"""Single calls: retries, keys, errors, escaping, recovery of an expired key."""

from __future__ import annotations

from typing import Any, Dict, List, Optional
from unittest import TestCase

from sellerapi import Client, Error, ResponseInfo, SellerApiError, UnansweredError, is_temporary

from .script import load, play, require_requests


class CallsTest(TestCase):
    """The scenarios of calls."""

    def test_calls_keep_their_promises(self) -> None:
        for scenario in load("calls.json"):
            with self.subTest(scenario["name"]):
                self.play_one(scenario)

    def play_one(self, scenario: Dict[str, Any]) -> None:
        server, clock, client = play(self, *scenario["answers"])
        told: List[ResponseInfo] = []
        result, failure = perform(client, scenario["call"], told)
        if "error" not in scenario and failure:
            raise failure
        require_requests(self, scenario["requests"], server.got)
        self.assertEqual(scenario["waits"], clock.waits)
        if "error" in scenario:
            self.require_failure(scenario["error"], failure)
        if "result" in scenario:
            self.assertEqual(scenario["result"], result)
        if "info" in scenario:
            self.require_info(scenario["info"], told[-1])

    def require_failure(self, want: Dict[str, Any], error: Optional[Error]) -> None:
        got: Dict[str, Any] = {"temporary": is_temporary(error), "text": str(error)}
        assert error is not None
        got.update(attempts=error.attempts, key=error.idempotency_key)
        if isinstance(error, SellerApiError):
            fields = {name: (error.field(name) or {}).get("code") for name in want.get("fields", {})}
            got.update(
                kind="refused",
                status=error.status,
                code=error.code or "",
                request_id=error.request_id,
                retry_after=error.retry_after,
                items=error.data.get("items"),
                fields=fields,
            )
            self.assertIsNone(error.field("another"))
        if isinstance(error, UnansweredError):
            got["kind"] = "unanswered"
        self.assertEqual(want, {name: got[name] for name in want}, str(error))
        self.assertNotIn("vpk_test", str(error) + repr(error.__dict__))

    def require_info(self, want: Dict[str, Any], info: ResponseInfo) -> None:
        got = {**vars(info), "key": info.idempotency_key}
        self.assertEqual(want, {name: got[name] for name in want})


def perform(client: Client, call: Dict[str, Any], told: List[ResponseInfo]) -> Any:
    """Call the method that has the operation's name; return its result or its failure."""
    options: Dict[str, Any] = {"on_response": told.append}
    if "key" in call:
        options["idempotency_key"] = call["key"]
    if "recover_expired" in call:
        options["recover_expired"] = call["recover_expired"]
    given = [call[name] for name in ("id", "filter", "body") if name in call]
    try:
        return getattr(client, call["operation"])(*given, **options), None
    except Error as error:
        return None, error
