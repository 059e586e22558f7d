"""The CSV file of parcels, and the batches in which they are sent."""

from __future__ import annotations

import csv
import re
from typing import Dict, Iterator, List, NamedTuple, TextIO, Tuple, cast, get_args

from sellerapi.contract import BatchShipmentEntry, BatchShipmentRequest, Carrier

COLUMNS = ["order_no", "item_id", "carrier", "tracking_no"]
"""The first line of the file."""

PARCELS_PER_BATCH = 500
ITEMS_PER_PARCEL = 200
"""The maximum sizes of a batch."""


CARRIERS = get_args(Carrier)
"""The allowed carriers."""

DIGITS = re.compile(r"[0-9]+([ -][0-9]+)*")
ROUNDED = re.compile(r"0{5}$")
"""What a tracking number looks like in a cell.

A shipment cannot be corrected, so that what a spreadsheet has made of a number, such as 6.12E+11,
="6123" or 612346000000, is refused instead of repaired.
"""


class Row(NamedTuple):
    """One line of the CSV file: an item and the parcel that it is shipped in."""

    order_no: str
    item_id: str
    carrier: str
    tracking_no: str
    """Digits only, as the server stores it."""
    wrong: str = ""
    """Why the row must not be sent; empty if nothing is wrong."""


def read_rows(file: TextIO) -> List[Row]:
    """Read the CSV file: UTF-8, opened as utf-8-sig, with a first line that names the columns.

    A file that is not certainly such CSV is refused as a whole; a row whose cells are not what
    their columns say is marked as wrong.
    """
    reader = csv.reader(file, skipinitialspace=True, strict=True)
    try:
        lines = [line for line in reader if line]
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: {error}") from None
    except UnicodeDecodeError:
        raise ValueError("the file is not UTF-8") from None
    for number, line in enumerate(lines, 1):
        if len(line) != len(COLUMNS):
            raise ValueError(f"row {number} has {len(line)} fields, want {len(COLUMNS)}")
        if '"' in "".join(line):
            raise ValueError(f"row {number} has a quotation mark in a cell")
    if len(lines) < 2:
        raise ValueError("the file has no rows")
    if lines[0] != COLUMNS:
        raise ValueError(f'the first line is "{",".join(lines[0])}", want "{",".join(COLUMNS)}"')
    return [_row(number, line) for number, line in enumerate(lines[1:], 2)]


def _row(number: int, line: List[str]) -> Row:
    order_no, item_id, carrier, tracking_no = line
    wrong = _wrong(order_no, item_id, carrier, tracking_no)
    digits = tracking_no.replace(" ", "").replace("-", "")
    return Row(order_no, item_id, carrier, digits, f"row {number}: {wrong}" if wrong else "")


def _wrong(order_no: str, item_id: str, carrier: str, tracking_no: str) -> str:
    """Return why a row must not be sent, or an empty text."""
    if not order_no or not item_id:
        return "order_no or item_id is empty"
    if carrier not in CARRIERS:
        return f"carrier is '{carrier}', want one of {', '.join(CARRIERS)}"
    if not DIGITS.fullmatch(tracking_no):
        return f"tracking_no is '{tracking_no}', want one number of digits"
    if ROUNDED.search(tracking_no):
        return f"tracking_no is '{tracking_no}', which looks rounded"
    return ""


def batches(rows: List[Row]) -> Iterator[BatchShipmentRequest]:
    """Combine items of the same order and parcel; one listed twice for a parcel is sent once."""
    entries: List[BatchShipmentEntry] = []
    open_entries: Dict[Tuple[str, str, str], BatchShipmentEntry] = {}
    for row in rows:
        parcel = (row.order_no, row.carrier, row.tracking_no)
        entry = open_entries.get(parcel)
        if entry and row.item_id in entry["item_ids"]:
            continue
        if entry is None or len(entry["item_ids"]) == ITEMS_PER_PARCEL:
            entry = BatchShipmentEntry(
                order_no=row.order_no,
                item_ids=[],
                carrier_name=cast(Carrier, row.carrier),  # it was checked
                tracking_no=row.tracking_no,
            )
            open_entries[parcel] = entry
            entries.append(entry)
        entry["item_ids"].append(row.item_id)
    for start in range(0, len(entries), PARCELS_PER_BATCH):
        yield {"items": entries[start : start + PARCELS_PER_BATCH]}
