"""Keeps a seller's orders in a SQLite file and ships the open ones that a CSV file lists:

    export SELLER_API_URL=https://open-api.example.com SELLER_API_KEY=vpk_live_…
    python3 main.py --db orders.db                          collects what changes, until Ctrl-C
    python3 main.py --db orders.db --once                   collects once
    python3 main.py --db orders.db --once --ship today.csv  collects, ships, collects again

The file has the columns order_no, item_id, carrier and tracking_no, in UTF-8. A tracking number has
digits, blanks and hyphens; a cell that is not certainly one costs its row. Running the same file
again is harmless.
"""

from __future__ import annotations

import argparse
import os
import signal
import sqlite3
import sys
import threading
from contextlib import closing
from typing import Callable, List, Mapping

from mirror import Mirror
from parcels import read_rows
from sellerapi import Client, Error, Round

Tell = Callable[[str], None]


def run(arguments: List[str], environment: Mapping[str, str], tell: Tell, stop: threading.Event) -> None:
    """Run the program with these arguments.

    Fails if the server refuses to ship an item, or the event is set before everything is done.
    """
    parser = argparse.ArgumentParser("mirror", description="a copy of a seller's orders")
    parser.add_argument("--db", default="orders.db", help="SQLite file")
    parser.add_argument("--once", action="store_true", help="stop when everything is done")
    parser.add_argument("--ship", help="CSV file of items to ship")
    given = parser.parse_args(arguments)
    url, key = environment.get("SELLER_API_URL"), environment.get("SELLER_API_KEY")
    if not url or not key:
        raise ValueError("set SELLER_API_URL and SELLER_API_KEY")
    with closing(Mirror(given.db, Client(url, key, user_agent="mirror/1.0"))) as mirror:
        if given.ship is not None:
            ship(mirror, given.ship, tell, stop)
        if given.once:
            report(mirror.collect(stop), tell)
        else:
            mirror.follow(stop, lambda done: report(done, tell))


def ship(mirror: Mirror, path: str, tell: Tell, stop: threading.Event) -> None:
    """Collect, then ship what the file lists."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = read_rows(file)
    report(mirror.collect(stop), tell)
    refused = doubtful = 0
    for outcome in mirror.ship(rows, stop):
        tell(f"{outcome.what} {outcome.order_no} {outcome.item_id} {outcome.why}")
        refused += outcome.what == "refused"
        doubtful += outcome.what == "shipped" and outcome.why != ""
    if refused + doubtful:
        problem = f"{refused} items were refused, {doubtful} have a doubtful number"
        raise ValueError(problem)


def report(done: Round, tell: Tell) -> None:
    """Report the result of a round."""
    if done.error is None:
        tell(f"collected {done.records} orders")
    else:
        tell(f"collecting failed after {done.records} orders: {done.error}")


def main() -> int:
    """Run the program until Ctrl-C."""
    stop = threading.Event()

    def end(number: int, frame: object) -> None:
        stop.set()

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, end)
    try:
        run(sys.argv[1:], os.environ, lambda line: print(line, flush=True), stop)
    except (Error, OSError, ValueError, sqlite3.Error) as error:
        print(f"mirror: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
