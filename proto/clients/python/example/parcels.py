"""The CSV file of parcels, and the batches in which they are sent."""

from __future__ import annotations

import csv
from typing import Dict, Iterator, List, NamedTuple, TextIO, Tuple, cast

from sellerapi.contract import BatchShipmentEntry, BatchShipmentRequest, Carrier

COLUMNS = ["order_no", "item_id", "carrier", "tracking_no"]
"""The first line of the file."""

PARCELS_PER_BATCH = 500
ITEMS_PER_PARCEL = 200
"""The maximum sizes of a batch."""


class Row(NamedTuple):
    """One line of the CSV file: an item and the parcel that it is shipped in."""

    order_no: str
    item_id: str
    carrier: str
    tracking_no: str


def read_rows(file: TextIO) -> List[Row]:
    """Read the CSV file: UTF-8, opened as utf-8-sig, with a first line that names the columns."""
    lines = [line for line in csv.reader(file, skipinitialspace=True, strict=True) if line]
    if not lines:
        raise ValueError("the file is empty")
    if lines[0] != COLUMNS:
        raise ValueError(f'the first line is "{",".join(lines[0])}", want "{",".join(COLUMNS)}"')
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(COLUMNS):
            raise ValueError(f"record {number} has {len(line)} fields, want {len(COLUMNS)}")
    return [Row(*line) for line in lines[1:]]


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
                carrier_name=cast(Carrier, row.carrier),  # the server checks the name
                tracking_no=row.tracking_no,
            )
            open_entries[parcel] = entry
            entries.append(entry)
        entry["item_ids"].append(row.item_id)
    for start in range(0, len(entries), PARCELS_PER_BATCH):
        yield {"items": entries[start : start + PARCELS_PER_BATCH]}
