"""Texts that cannot be sent."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple, cast
from unittest import TestCase

from sellerapi import operations
from sellerapi.operation import Operation

from .script import play

BROKEN = "\udcb0\udca1"
"""Bytes that were not understood, as `surrogateescape` keeps them."""

PARCEL = {"carrier_name": "CJ대한통운", "tracking_no": "1", "logistics_company": "가"}
BODIES: Dict[str, Dict[str, Any]] = {
    "prepare_order": {"item_ids": ["i-1", "i-2"]},
    "deliver_order": {"item_ids": ["i-1", "i-2"]},
    "ship_order": {"item_ids": ["i-1", "i-2"], **PARCEL},
    "correct_shipment": {"item_ids": ["i-1", "i-2"], **PARCEL},
    "ship_orders": {"items": [{"order_no": "A-1", "item_ids": ["i-1"], **PARCEL}] * 2},
    "check_shipments": {"items": [{"order_no": "A-1", "item_ids": ["i-1"], **PARCEL}] * 2},
    "approve_claim": {},
    "collect_done_claim": {},
    "reject_claim": {"memo": "가"},
    "pickup_claim": PARCEL,
    "inspect_claim": {"result": "fail", "memo": "가"},
    "reship_claim": PARCEL,
    "answer_inquiry": {"content": "가"},
}
"""The bodies of all operations that process; an empty one is not sent."""


def broken(value: Any, name: str = "") -> List[Tuple[str, Any]]:
    """Return the value with each of its texts broken in turn, and the name of that text."""
    if isinstance(value, str):
        return [(name, BROKEN)]
    made: List[Tuple[str, Any]] = []
    if isinstance(value, dict):
        members = cast(Dict[str, Any], value)
        for key, inner in members.items():
            for found, other in broken(inner, f"{name}.{key}".lstrip(".")):
                made.append((found, {**members, key: other}))
        return made
    elements = cast(List[Any], value)
    for at, inner in enumerate(elements):
        for found, other in broken(inner, f"{name}[{at}]"):
            made.append((found, [*elements[:at], other, *elements[at + 1 :]]))
    return made


class TextsTest(TestCase):
    """Texts that are not UTF-8 would be sent with replacement characters."""

    def test_every_operation_names_the_field(self) -> None:
        server, _, client = play(self)
        every = [one for one in vars(operations).values() if isinstance(one, Operation)]
        self.assertEqual(21, len(every))
        for one in every:
            method = getattr(client, one.name)
            takes_id, body = "{" in one.path, BODIES.get(one.name, {})
            calls: List[Tuple[str, List[Any]]] = []
            if takes_id:
                calls.append(("the path", [BROKEN, *([body] if body else [])]))
            elif one.method == "GET":
                calls.append(("query.cursor", [{"cursor": BROKEN}]))
            else:
                self.assertIn(one.name, BODIES)
            calls += [(name, [*(["A-1"] if takes_id else []), value]) for name, value in broken(body)]
            self.assertTrue(calls, one.name)
            for name, arguments in calls:
                with self.assertRaises(ValueError) as caught:
                    method(*arguments)
                self.assertEqual(f"{one.name}: {name} is not UTF-8", str(caught.exception))
        self.assertEqual([], server.got)
