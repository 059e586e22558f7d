import type { BatchShipmentEntry, BatchShipmentRequest, Carrier } from "../src/index.js";

/** One line of the CSV file: an item and the parcel that it is shipped in. */
export interface Row {
  orderNo: string;
  itemId: string;
  carrier: string;
  trackingNo: string;
}

/** The first line of the file. */
const columns = ["order_no", "item_id", "carrier", "tracking_no"];

/** Reads the CSV file: UTF-8, with a first line that names the columns. */
export function readRows(text: string): Row[] {
  const [first, ...lines] = readCsv(text.replace(/^\uFEFF/, "")); // spreadsheets write a byte order mark
  if (!first) throw new Error("the file is empty");
  if (first.join() !== columns.join()) throw new Error(`the first line is "${first.join()}", want "${columns.join()}"`);
  return lines.map((line, i) => {
    const [orderNo, itemId, carrier, trackingNo] = line;
    if (line.length !== columns.length || orderNo === undefined || itemId === undefined || carrier === undefined || trackingNo === undefined) {
      throw new Error(`record ${i + 2} has ${line.length} fields, want ${columns.length}`);
    }
    return { orderNo, itemId, carrier, trackingNo };
  });
}

/** Parses CSV: fields in quotes may contain commas, line ends and doubled quotes. Empty lines are skipped. */
function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const field = /[^\S\r\n]*"((?:[^"]|"")*)"[^\S\r\n]*(,|\r?\n|$)|(?![^\S\r\n]*")([^,\r\n]*)(,|\r?\n|$)/gy;
  for (let match = field.exec(text); match && field.lastIndex <= text.length; match = field.exec(text)) {
    record.push(match[1] === undefined ? (match[3] ?? "").trimStart() : match[1].replaceAll('""', '"'));
    const end = match[2] ?? match[4];
    if (end === ",") continue;
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
    if (end === "") return records;
  }
  throw new Error("a quotation mark is not closed");
}

/** The maximum sizes of a batch. */
const parcelsPerBatch = 500;
const itemsPerParcel = 200;

/** Combines items of the same order and parcel into entries. An item that is listed twice for a parcel is sent once. */
export function batches(rows: Row[]): BatchShipmentRequest[] {
  const entries: BatchShipmentEntry[] = [];
  const open = new Map<string, BatchShipmentEntry>();
  for (const { orderNo, itemId, carrier, trackingNo } of rows) {
    const parcel = JSON.stringify([orderNo, carrier, trackingNo]);
    let entry = open.get(parcel);
    if (entry?.item_ids.includes(itemId)) continue;
    if (!entry || entry.item_ids.length === itemsPerParcel) {
      // The server checks the name of the carrier.
      entry = { order_no: orderNo, item_ids: [], carrier_name: carrier as Carrier, tracking_no: trackingNo };
      open.set(parcel, entry);
      entries.push(entry);
    }
    entry.item_ids.push(itemId);
  }
  const all: BatchShipmentRequest[] = [];
  for (let i = 0; i < entries.length; i += parcelsPerBatch) all.push({ items: entries.slice(i, i + parcelsPerBatch) });
  return all;
}
