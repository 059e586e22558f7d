"""A copy of one seller's orders in a SQLite file.

What has to survive a crash is in the file: the progress of the synchronization, stored in the
transaction of the orders, and the key of every batch, stored before the batch is sent.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import uuid
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple

from parcels import Row, batches
from sellerapi import Client, Round, SellerApiError, Sync, SyncState, is_temporary
from sellerapi.contract import BatchShipmentRequest, BatchShipmentResult, Order

SCHEMA = (Path(__file__).parent / "schema.sql").read_text("utf-8")


class Outcome(NamedTuple):
    """The outcome of an item."""

    order_no: str
    item_id: str
    what: str
    """`shipped`, `refused`, or `left` if it was shipped in this parcel before."""
    why: str
    """The reason of a refusal, the status of an item that was left, or the server's doubts about
    the number of an item that was shipped.
    """


class Mirror:
    """The copy. Only one program at a time may use a file, from one thread."""

    def __init__(self, path: str, client: Client) -> None:
        """Open a file, and create it if it does not exist."""
        # What locks the file for less than a minute is waited for.
        self.db = sqlite3.connect(path, timeout=60, isolation_level=None)
        self.db.executescript(SCHEMA)
        self._client = client
        self._columns = {table: self._columns_of(table) for table in ("orders", "order_items")}

    def close(self) -> None:
        """Close the file."""
        self.db.close()

    def collect(self, stop: Optional[threading.Event] = None) -> Round:
        """Do one round: everything the first time, only changes afterwards.

        Once the event is set, it ends before the next page with an error, and the next round
        continues there.
        """
        return self._sync().round(stop)

    def follow(self, stop: threading.Event, after_round: Callable[[Round], None]) -> None:
        """Collect what changes until the event is set or a permanent error occurs."""
        self._sync(after_round).run(stop)

    def _sync(self, after_round: Optional[Callable[[Round], None]] = None) -> Sync[Order]:
        return self._client.sync_orders(
            self._load, self._upsert, after_round=after_round or say_nothing
        )

    def _load(self) -> SyncState:
        row = self.db.execute("select state from sync_state where list = 'orders'").fetchone()
        return json.loads(row[0]) if row else {}

    def _upsert(self, orders: List[Order], state: SyncState) -> None:
        """Store a page and the progress of the synchronization in one transaction."""
        self.db.execute("begin immediate")
        try:
            for order in orders:
                self._put(order)
            self.db.execute(
                "insert into sync_state (list, state) values ('orders', ?)"
                " on conflict (list) do update set state = excluded.state",
                [json.dumps(state)],
            )
        except BaseException:
            self.db.execute("rollback")
            raise
        self.db.execute("commit")

    def _put(self, order: Order) -> None:
        """Overwrite an order and its items, unless a later version is already stored.

        A status may move backwards; `updated_at` never does.
        """
        sets = ", ".join(f"{column} = excluded.{column}" for column in self._columns["orders"])
        suffix = (
            f"on conflict (order_no) do update set {sets}"
            " where excluded.updated_at >= orders.updated_at"
        )
        if self._insert("orders", order, suffix) == 0:
            return
        self.db.execute("delete from order_items where order_no = ?", [order["order_no"]])
        for item in order["items"]:
            self._insert("order_items", {**item, "order_no": order["order_no"]})

    def _insert(self, table: str, record: Mapping[str, Any], suffix: str = "") -> int:
        """Store the members that have a column; members added to the API later have none."""
        columns = self._columns[table]
        places = ", ".join("?" for _ in columns)
        statement = f"insert into {table} ({', '.join(columns)}) values ({places}) {suffix}"
        return self.db.execute(statement, [record.get(column) for column in columns]).rowcount

    def _columns_of(self, table: str) -> List[str]:
        rows = self.db.execute("select name from pragma_table_info(?)", [table])
        return [name for (name,) in rows]

    def ship(self, rows: List[Row], stop: Optional[threading.Event] = None) -> Iterator[Outcome]:
        """Ship the items of these rows that are open according to the mirror; yield their outcomes.

        Before that it resends the batches that an earlier run left without a response, with the
        same keys. Bring the mirror up to date first. Once the event is set, it ends before the next
        batch with an error.
        """
        sent: Dict[str, Outcome] = {}
        for outcome in self._flush(stop):
            sent[outcome.item_id] = outcome
            yield outcome
        to_send: List[Row] = []
        for row in rows:
            if row.item_id in sent:
                continue  # it was in a batch that an earlier run left
            what, why = self._decide(row)
            if what == "send":
                to_send.append(row)
            else:
                yield Outcome(row.order_no, row.item_id, what, why)
        for batch in batches(to_send):
            self.db.execute(
                "insert into outbox (idempotency_key, request) values (?, ?)",
                [str(uuid.uuid4()), json.dumps(batch, ensure_ascii=False)],
            )
        yield from self._flush(stop)

    def _decide(self, row: Row) -> Tuple[str, str]:
        """Return what becomes of a row according to the mirror, and why."""
        if row.wrong:
            return "refused", row.wrong
        found = self.db.execute(
            "select item_status, is_exchange, carrier_name is ? and tracking_no is ?"
            " from order_items where item_id = ? and order_no = ?",
            [row.carrier, row.tracking_no, row.item_id, row.order_no],
        ).fetchone()
        if found is None:
            return "refused", "not in the mirror"
        status, is_exchange, same = found
        if status in ("paid", "preparing"):
            if is_exchange:
                return "refused", "the replacement of an exchange goes out with reship of its claim"
            return "send", ""
        if status in ("shipping", "delivered", "confirmed"):
            return ("left", status) if same else ("refused", f"{status} in another parcel")
        return "refused", status

    def _flush(self, stop: Optional[threading.Event]) -> Iterator[Outcome]:
        """Send the batches of the outbox.

        A batch is removed when it has a final response; if its outcome is unknown it remains there
        for the next run.
        """
        while True:
            row = self.db.execute(
                "select idempotency_key, request from outbox order by rowid limit 1"
            ).fetchone()
            if row is None:
                return
            key, batch = row[0], json.loads(row[1])
            try:
                result = self._client.ship_orders(
                    batch, idempotency_key=key, recover_expired=True, stop=stop
                )
            except SellerApiError as error:
                if not is_final(error):
                    raise
                self._forget(key)
                for entry in batch["items"]:
                    for item_id in entry["item_ids"]:
                        yield Outcome(entry["order_no"], item_id, "refused", str(error))
                continue
            self._forget(key)
            yield from told(batch, result)

    def _forget(self, key: str) -> None:
        self.db.execute("delete from outbox where idempotency_key = ?", [key])


def say_nothing(done: Round) -> None:
    """Ignore the result of a round."""


def is_final(error: SellerApiError) -> bool:
    """Return whether a failed batch must not be resent unchanged.

    The server has refused it, with a code, and not because of the API key.
    """
    return bool(error.code) and not is_temporary(error) and error.status not in (401, 403)


def told(batch: BatchShipmentRequest, result: BatchShipmentResult) -> Iterator[Outcome]:
    """Return the outcome of every item of a batch.

    The same item may be in several entries, so a failure applies only to the entry that it refers to.
    """
    refused = {failed["index"]: failed for failed in result["failed"]}
    doubts = {one["field"]: f"{one['code']}: {one['message']}" for one in result.get("warnings", [])}
    for index, entry in enumerate(batch["items"]):
        failed = refused.get(index)
        for item_id in entry["item_ids"]:
            if failed:
                why = f"{failed['error_code']}: {failed['message']}"
                yield Outcome(entry["order_no"], item_id, "refused", why)
            elif item_id in result["succeeded"]:
                why = doubts.get(f"items[{index}].tracking_no", "")
                yield Outcome(entry["order_no"], item_id, "shipped", why)
            else:
                yield Outcome(entry["order_no"], item_id, "refused", "not in the answer")
