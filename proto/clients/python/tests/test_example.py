"""The example program: what a program has to keep across a crash."""

from __future__ import annotations

import json
import re
import sqlite3
import tempfile
import threading
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, Dict, List, Set
from unittest import TestCase

import erp
from main import run
from mirror import Mirror, Outcome
from parcels import Row, batches, read_rows
from sellerapi import SellerApiError, UnansweredError, is_temporary

from .script import Received, Scripted, Server, StandingClock, client_of, play

AT = "2026-03-14T02:00:00.120000Z"
MEMBERS: Dict[str, Any] = {
    "order_status": "paid", "paid_at": AT, "currency": "KRW", "seller_items_amount": 1,
    "seller_discount_amount": 2, "seller_point_used_amount": 3, "seller_paid_amount": 4,
    "seller_shipping_fee_base": 5, "seller_shipping_fee_paid": 6, "recipient_name": "이서연",
    "seller_order_status": "paid", "member_of_the_future": {"is": "ignored"},
}  # fmt: skip
ITEM: Dict[str, Any] = {
    "item_code": "code", "product_name": "순면 티셔츠", "option_name": "", "quantity": 1, "list_price": 1,
    "unit_price": 1, "line_amount": 1, "discount_amount": 0, "line_paid_amount": 1,
    "is_exchange": False, "has_active_claim": False, "shipped_at": AT,
}  # fmt: skip


class Seller(Server):
    """A server that has some orders and ships the items that it is asked to ship."""

    def __init__(self, test: TestCase) -> None:
        self.orders: List[Dict[str, Any]] = []
        self.keys: List[str] = []
        self.requests: List[Dict[str, Any]] = []
        self.breaks = 0
        self.status = 0
        self.refuse: Dict[str, str] = {}
        self.doubts: Set[str] = set()
        self.pages = 1
        self.reads = 0
        self.stop = threading.Event()
        self.stop_in = ""
        super().__init__(test)

    def has(self, *orders: List[str]) -> None:
        """Set the orders: number, time of the change, then the status of each item."""
        self.orders = []
        for number, at, *statuses in orders:
            items = [
                {**ITEM, "item_id": f"{number}-{at}", "item_status": status}
                for at, status in enumerate(statuses)
            ]
            self.orders.append({**MEMBERS, "order_no": number, "updated_at": at, "items": items})

    def next(self, request: Received) -> Scripted:
        """Return the response to a request."""
        if request.method == self.stop_in:
            self.stop.set()
        if request.method == "GET":
            self.reads += 1
            more = f"c-{self.reads}" if self.reads < self.pages else None
            return {"data": {"list": self.orders, "next_cursor": more}}
        self.keys.append(request.headers["idempotency-key"])
        batch = json.loads(request.body)
        self.requests.append(batch)
        if self.breaks:
            self.breaks -= 1
            return {"broken": "reset"}
        if self.status:
            codes = {401: "INVALID_API_KEY", 403: "SCOPE_FORBIDDEN", 422: "VALIDATION_ERROR"}
            return {"status": self.status, "error_code": codes.get(self.status)}
        return {"data": self.shipped(batch["items"])}

    def shipped(self, entries: List[Dict[str, Any]]) -> Dict[str, Any]:
        """Return the result of a batch."""
        done: List[str] = []
        failed: List[Dict[str, Any]] = []
        parcels: Dict[str, str] = {}
        for index, one in enumerate(entries):
            code, ids, number = self.refuse.get(one["order_no"]), one["item_ids"], one["tracking_no"]
            if any(parcels.get(id, number) != number for id in ids):
                code = "SHIPMENT_STATE_CONFLICT"
            if code is None:
                done += ids
                parcels.update({id: number for id in ids})
                continue
            named: List[str] = [] if code == "ORDER_NOT_FOUND" else ids
            entry = {"index": index, "order_no": one["order_no"], "order_item_public_ids": named}
            failed.append({**entry, "error_code": code, "message": "a text"})
        warnings = [
            {"field": f"items[{at}].tracking_no", "code": "TRACKING_NO_SUSPICIOUS", "message": "a doubt"}
            for at, one in enumerate(entries)
            if one["tracking_no"] in self.doubts and one["order_no"] not in self.refuse
        ]
        told = {"warnings": warnings} if warnings else {}
        return {"succeeded": done, "failed": failed, "summary": {"succeeded": 0, "failed": 0}, **told}


class MirrorTest(TestCase):
    """The copy of the orders."""

    def setUp(self) -> None:
        """Create a seller and a folder."""
        self.seller = Seller(self)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def mirror(self, *orders: List[str]) -> Mirror:
        """Return a mirror that holds these orders."""
        made = Mirror(str(self.folder / "orders.db"), client_of(self.seller.url, StandingClock()))
        self.addCleanup(made.close)
        self.seller.has(*orders)
        made.collect()
        return made

    def test_the_mirror_holds_what_the_server_has(self) -> None:
        mirror = self.mirror(["A-2", "2026-03-14T02:02:00.000000Z", "paid", "shipping"], ["A-1", AT, "paid"])
        self.seller.has(
            ["A-2", "2026-03-14T02:03:00.000000Z", "paid"],
            ["A-1", "2026-03-14T01:00:00.000000Z", "canceled"],
        )
        mirror.collect()
        rows = mirror.db.execute("select item_id, item_status, is_exchange from order_items order by 1")
        self.assertEqual(
            [("A-1-0", "paid", 0), ("A-2-0", "paid", 0)],
            rows.fetchall(),
            "a later form replaces items, an earlier one changes nothing",
        )

    # What is shipped in the same parcel already is left; everything else that does not go out is a refusal.
    def test_only_open_items_are_shipped_and_each_is_told_of(self) -> None:
        statuses = ["paid", "paid", "preparing", "shipping", "delivered", "shipping", "returned"]
        mirror = self.mirror(["A-1", AT, *statuses], ["A-2", AT, "paid"], ["A-3", AT, "paid"])
        mirror.db.execute(
            "update order_items set carrier_name = 'CJ대한통운', tracking_no = '1' where item_status = 'shipping'"
        )
        mirror.db.execute("update order_items set is_exchange = 1 where item_id = 'A-1-1'")
        self.seller.refuse = {"A-2": "ORDER_NOT_FOUND", "A-3": "ORDER_ITEM_HAS_ACTIVE_CLAIM"}
        self.seller.doubts = {"1"}
        numbers = [("A-1", at) for at in (0, 1, 2, 0, 3, 4)] + [("A-2", 0), ("A-3", 0), ("A-9", 0)]
        rows = [Row(number, f"{number}-{at}", "CJ대한통운", "1") for number, at in numbers]
        rows += [Row("A-1", "A-1-5", "우체국택배", "1"), Row("A-1", "A-1-6", "CJ대한통운", "1")]
        rows.append(Row("A-1", "A-1-0", "CJ대한통운", "9", "row 9: a reason"))
        self.assertEqual(
            [
                Outcome("A-1", "A-1-1", "refused", "the replacement of an exchange goes out with reship of its claim"),
                Outcome("A-1", "A-1-3", "left", "shipping"),
                Outcome("A-1", "A-1-4", "refused", "delivered in another parcel"),
                Outcome("A-9", "A-9-0", "refused", "not in the mirror"),
                Outcome("A-1", "A-1-5", "refused", "shipping in another parcel"),
                Outcome("A-1", "A-1-6", "refused", "returned"),
                Outcome("A-1", "A-1-0", "refused", "row 9: a reason"),
                Outcome("A-1", "A-1-0", "shipped", "TRACKING_NO_SUSPICIOUS: a doubt"),
                Outcome("A-1", "A-1-2", "shipped", "TRACKING_NO_SUSPICIOUS: a doubt"),
                Outcome("A-2", "A-2-0", "refused", "ORDER_NOT_FOUND: a text"),
                Outcome("A-3", "A-3-0", "refused", "ORDER_ITEM_HAS_ACTIVE_CLAIM: a text"),
            ],
            list(mirror.ship(rows)),
        )
        self.assertEqual(["A-1-0", "A-1-2"], self.seller.requests[0]["items"][0]["item_ids"])

    # Of two parcels with one item, the first is shipped and the second refused.
    def test_each_parcel_reports_its_own_outcome(self) -> None:
        mirror = self.mirror(["A-1", AT, "paid"])
        rows = [Row("A-1", "A-1-0", "CJ대한통운", number) for number in ("1", "2")]
        self.assertEqual(
            [
                Outcome("A-1", "A-1-0", "shipped", ""),
                Outcome("A-1", "A-1-0", "refused", "SHIPMENT_STATE_CONFLICT: a text"),
            ],
            list(mirror.ship(rows)),
        )

    # The parcels may have been registered: only the same request with the same key is safe.
    def test_a_batch_without_answer_goes_out_again_under_its_key(self) -> None:
        mirror = self.mirror(["A-1", AT, "paid"])
        rows = [Row("A-1", "A-1-0", "CJ대한통운", "1")]
        self.seller.breaks = 8
        with self.assertRaises(UnansweredError) as caught:
            list(mirror.ship(rows))
        self.assertTrue(is_temporary(caught.exception))
        self.assertEqual([Outcome("A-1", "A-1-0", "shipped", "")], list(mirror.ship(rows)))
        self.assertEqual(1, len(set(self.seller.keys)))

    def test_a_batch_that_was_refused_is_forgotten_unless_the_key_was_wrong(self) -> None:
        mirror = self.mirror(["A-1", AT, "paid"])
        rows = [Row("A-1", "A-1-0", "CJ대한통운", "1")]
        for status in (401, 403, 302):
            self.seller.status = status
            with self.assertRaises(SellerApiError):
                list(mirror.ship(rows))
            kept = mirror.db.execute("select count(*) from outbox").fetchone()[0]
            self.assertEqual(1, kept, status)
            mirror.db.execute("delete from outbox")
        self.seller.status = 422
        [refused] = mirror.ship(rows)
        self.assertEqual("refused", refused.what)
        self.assertIn("VALIDATION_ERROR", refused.why)
        self.assertEqual(0, mirror.db.execute("select count(*) from outbox").fetchone()[0])

    # A program that reads the file is waited for.
    def test_a_file_that_is_locked_is_waited_for(self) -> None:
        mirror = self.mirror()
        other = sqlite3.connect(str(self.folder / "orders.db"), isolation_level=None, check_same_thread=False)
        self.addCleanup(other.close)
        other.execute("begin")
        other.execute("select * from orders").fetchall()
        self.seller.has(["A-1", AT, "paid"])
        ends = threading.Timer(0.2, other.execute, ["rollback"])
        ends.start()
        self.addCleanup(ends.join)
        mirror.collect()
        self.assertEqual([("A-1",)], mirror.db.execute("select order_no from orders").fetchall())

    def test_the_program_collects_ships_and_tells(self) -> None:
        self.seller.has(["A-1", AT, "paid"])
        (self.folder / "today.csv").write_text(
            "\ufefforder_no,item_id,carrier,tracking_no\nA-1,A-1-0,CJ대한통운,1\n", "utf-8"
        )
        environment = {"SELLER_API_URL": self.seller.url, "SELLER_API_KEY": "vpk_test_secret"}
        arguments = ["--db", str(self.folder / "orders.db"), "--ship", str(self.folder / "today.csv")]
        said: List[str] = []
        stop = threading.Event()
        run([*arguments, "--once"], environment, said.append, stop)
        self.assertEqual(["collected 1 orders", "shipped A-1 A-1-0 ", "collected 1 orders"], said)
        self.seller.doubts = {"1"}
        with self.assertRaisesRegex(ValueError, "0 items were refused, 1 have a doubtful number"):
            run([*arguments, "--once"], environment, said.append, stop)
        self.assertEqual("shipped A-1 A-1-0 TRACKING_NO_SUSPICIOUS: a doubt", said[-1])
        self.seller.refuse["A-1"] = "ORDER_ITEM_NOT_SHIPPABLE"
        with self.assertRaisesRegex(ValueError, "1 items were refused, 0 have a doubtful number"):
            run([*arguments, "--once"], environment, said.append, stop)
        stop.set()
        run(arguments[:2], environment, said.append, stop)
        with self.assertRaisesRegex(ValueError, "SELLER_API_KEY"):
            run([], {}, said.append, stop)

    # A second run continues: the file has the pages that were collected and the batches that were not sent.
    def test_the_program_ends_between_pages_and_batches(self) -> None:
        statuses = ["paid"] * 501
        self.seller.has(["A-1", AT, *statuses])
        lines = [f"A-1,A-1-{at},CJ대한통운,1{at:04}\n" for at in range(len(statuses))]
        (self.folder / "today.csv").write_text("order_no,item_id,carrier,tracking_no\n" + "".join(lines), "utf-8")
        environment = {"SELLER_API_URL": self.seller.url, "SELLER_API_KEY": "vpk_test_secret"}
        arguments = ["--once", "--db", str(self.folder / "orders.db"), "--ship", str(self.folder / "today.csv")]
        said: List[str] = []
        self.seller.stop_in = "GET"
        with self.assertRaises(UnansweredError):
            run(arguments, environment, said.append, self.seller.stop)
        self.assertEqual((1, 0), (self.seller.reads, len(self.seller.requests)))
        self.seller.stop_in = "POST"
        self.seller.stop.clear()
        with self.assertRaises(UnansweredError):
            run(arguments, environment, said.append, self.seller.stop)
        self.assertEqual([500], [len(one["items"]) for one in self.seller.requests])
        self.seller.stop_in = ""
        self.seller.stop.clear()
        run(arguments, environment, said.append, self.seller.stop)
        self.assertEqual([500, 1], [len(one["items"]) for one in self.seller.requests][:2])

    def test_one_round_ends_between_pages(self) -> None:
        self.seller.has(["A-1", AT, "paid"])
        self.seller.pages, self.seller.stop_in = 2, "GET"
        said: List[str] = []
        environment = {"SELLER_API_URL": self.seller.url, "SELLER_API_KEY": "vpk_test_secret"}
        with self.assertRaises(UnansweredError):
            run(["--once", "--db", str(self.folder / "orders.db")], environment, said.append, self.seller.stop)
        self.assertEqual(1, self.seller.reads)


class ErpTest(TestCase):
    """The copy for ERP systems."""

    # What cannot be stored as a whole is not stored in part: neither a page without its position nor the other way round.
    def test_page_and_position_are_stored_together(self) -> None:
        page: Scripted = {"data": {"list": [{"order_no": "A-1"}], "next_cursor": None, "after": "p-1"}}
        for refused in ("records", "positions", ""):
            with tempfile.TemporaryDirectory() as folder:
                file = str(Path(folder) / "erp.db")
                _, clock, client = play(self, page)
                clock.stop_at = 1
                db = sqlite3.connect(file)
                self.addCleanup(db.close)
                db.executescript(erp.SCHEMA)
                if refused:
                    trigger = f"create trigger full before insert on {refused} begin select raise(abort, 'full'); end"
                    db.execute(trigger)
                    with self.assertRaisesRegex(sqlite3.IntegrityError, "full"):
                        erp.follow(client, file, "orders", threading.Event())
                else:
                    erp.follow(client, file, "orders", threading.Event())
                stored = [db.execute(f"select count(*) from {table}").fetchone()[0] for table in ("records", "positions")]
                self.assertEqual([0, 0] if refused else [1, 1], stored)


HEAD = "order_no,item_id,carrier,tracking_no\n"


def read(text: str) -> List[Row]:
    """Read rows below the first line."""
    return read_rows(StringIO(HEAD + text, newline=""))


class ParcelsTest(TestCase):
    """Files and batches."""

    def test_files_are_read_as_spreadsheets_write_them(self) -> None:
        row = Row("A-1", "i-1", "CJ대한통운", "612345678904")
        self.assertEqual([row], read('"A-1",i-1, CJ대한통운,6123-4567 8904\r\n\r\n'))
        for wrong, want in (
            ("A-1,i-1\n", "row 2 has 2 fields"),
            ('A-1,i-1,"c,t\n', "line 2: unexpected end of data"),
            ('A-1,"국산" 쌀,CJ대한통운,1\n', "line 2: ',' expected after"),
            ('A-1,국산 "쌀",CJ대한통운,1\n', "row 2 has a quotation mark in a cell"),
            ('A-1,i-1,CJ대한통운,="6012"\n', "row 2 has a quotation mark in a cell"),
            ("", "no rows"),
        ):
            with self.assertRaisesRegex(ValueError, re.escape(want)):
                read(wrong)
        for wrong in ("", "order_no,item_id,carrier\nA,b,c\n", "a,b,c,d\nA,b,c,d\n"):
            with self.assertRaises(ValueError):
                read_rows(StringIO(wrong))
        file = TextIOWrapper(BytesIO(HEAD.encode() + "A-1,i-1,대한통운,1\n".encode("cp949")), "utf-8-sig")
        with self.assertRaisesRegex(ValueError, "not UTF-8"):
            read_rows(file)

    # A cell that is not certainly what its column says costs its row, not the others.
    def test_cells_that_are_not_certain_are_refused(self) -> None:
        for line, want in (
            ("A-1,i-1,CJ대한통운,6.12345678901E11", "tracking_no is '6.12345678901E11', want one number of digits"),
            ("A-1,i-1,CJ대한통운,6.12346E+11", "want one number"),
            ("A-1,i-1,CJ대한통운,'612345678904", "want one number"),
            ('A-1,i-1,CJ대한통운,"612345678904, 61234567"', "want one number"),
            ('A-1,i-1,CJ대한통운,"612345678904\n61234567"', "want one number"),
            ("A-1,i-1,CJ대한통운,612345678904.0", "want one number"),
            ("A-1,i-1,CJ대한통운,６１２３", "want one number"),
            ("A-1,i-1,CJ대한통운,", "want one number"),
            ("A-1,i-1,CJ대한통운,612346000000", "looks rounded"),
            ("A-1,i-1,FEDEX,612345678904", "carrier is 'FEDEX', want one of CJ대한통운, "),
            (",i-1,CJ대한통운,612345678904", "empty"),
            ("A-1,,CJ대한통운,612345678904", "empty"),
        ):
            wrong, right = read(f"{line}\nA-2,i-2,CJ대한통운,612345678904\n")
            self.assertTrue(wrong.wrong.startswith("row 2: "), wrong.wrong)
            self.assertIn(want, wrong.wrong)
            self.assertEqual("", right.wrong)

    def test_a_long_list_is_split_as_the_interface_takes_it(self) -> None:
        rows = [Row("A-1", f"i-{at}", "CJ대한통운", "1" if at <= 200 else f"T{at}") for at in range(801)]
        first, second = batches(rows)
        self.assertEqual((500, 102), (len(first["items"]), len(second["items"])))
        self.assertEqual([200, 1], [len(one["item_ids"]) for one in first["items"][:2]])
