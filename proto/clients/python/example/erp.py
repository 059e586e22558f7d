"""Keeps an exact copy of a seller's orders, claims and inquiries in a SQLite file, as an ERP needs it:

    export SELLER_API_URL=https://open-api.example.com SELLER_API_KEY=vpk_live_…
    python3 erp.py erp.db    until Ctrl-C

Each page and the position after it are stored in one transaction. So the program goes on exactly
where it stopped, however it ended, and the copy is exact after every page.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, List

from sellerapi import Client, Sync, SyncState

LISTS = {"orders": "order_no", "claims": "claim_no", "inquiries": "qna_id"}
"""The lists, and the member that identifies a record of each."""

SCHEMA = """
create table if not exists records (list text, id text, record text, primary key (list, id));
create table if not exists positions (list text primary key, state text);
create view if not exists items_to_ship as
  select id as order_no, json_extract(item.value, '$.item_id') as item_id,
    json_extract(item.value, '$.quantity') as quantity
  from records, json_each(record, '$.items') as item
  where list = 'orders' and json_extract(item.value, '$.item_status') in ('paid', 'preparing')
    and not json_extract(item.value, '$.has_active_claim') and not json_extract(item.value, '$.is_exchange');
"""


def copy_of(client: Client, path: str, name: str) -> Sync[Any]:
    """Return what keeps the copy of one list, for use in one thread."""
    db = sqlite3.connect(path, timeout=60)

    def load() -> SyncState:
        row = db.execute("select state from positions where list = ?", [name]).fetchone()
        return json.loads(row[0]) if row else {}

    def upsert(records: List[Any], state: SyncState) -> None:
        rows = [(name, record[LISTS[name]], json.dumps(record, ensure_ascii=False)) for record in records]
        with db:  # one transaction: the page and the position after it, or neither
            db.executemany("replace into records (list, id, record) values (?, ?, ?)", rows)
            db.execute("replace into positions (list, state) values (?, ?)", [name, json.dumps(state)])

    return getattr(client, f"sync_{name}")(load, upsert)


def follow(client: Client, path: str, name: str, stop: threading.Event) -> None:
    """Keep the copy of one list up to date until the event is set."""
    copy_of(client, path, name).run(stop)


def main(path: str) -> None:
    """Follow all lists until Ctrl-C, or until one of them fails for good."""
    client = Client(os.environ["SELLER_API_URL"], os.environ["SELLER_API_KEY"], user_agent="erp/1.0")
    with sqlite3.connect(path, timeout=60) as db:
        db.executescript(SCHEMA)
    stop = threading.Event()
    with ThreadPoolExecutor(len(LISTS)) as pool:
        lists = [pool.submit(follow, client, path, name, stop) for name in LISTS]
        try:
            for ended in as_completed(lists):
                ended.result()  # raises what ended it
        finally:
            stop.set()


if __name__ == "__main__":
    main(sys.argv[1])
