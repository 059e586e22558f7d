import type { BatchShipmentEntry, BatchShipmentRequest, Carrier } from "../src/index.js";

/** One line of the CSV file: an item and the parcel that it is shipped in. */
export interface Row {
  orderNo: string;
  itemId: string;
  carrier: Carrier;
  /** Digits only, as the server stores it. */
  trackingNo: string;
  /** Why the row must not be sent; empty if nothing is wrong. */
  wrong: string;
}

/** The first line of the file. */
const columns = ["order_no", "item_id", "carrier", "tracking_no"];

/** The allowed carriers. */
const carriers: string[] = ["CJ대한통운", "우체국택배", "한진택배", "롯데택배", "로젠택배"] satisfies Carrier[];

// What a tracking number looks like in a cell. A shipment cannot be corrected, so that what a spreadsheet has made of a number,
// such as 6.12E+11, ="6123" or 612346000000, is refused instead of repaired.
const digits = /^[0-9]+([ -][0-9]+)*$/;
const rounded = /0{5}$/;

/**
 * Reads the CSV file: UTF-8, with a first line that names the columns. A file that is not certainly such CSV is refused as a
 * whole; a row whose cells are not what their columns say is marked as wrong.
 */
export function readRows(file: Uint8Array): Row[] {
  const [first, ...lines] = readCsv(decoded(file));
  if (first && first.join() !== columns.join()) throw new Error(`the first line is "${first.join()}", want "${columns.join()}"`);
  if (lines.length === 0) throw new Error("the file has no rows");
  return lines.map((line, i) => {
    const [orderNo = "", itemId = "", carrier = "", trackingNo = ""] = line;
    if (line.length !== columns.length) throw new Error(`row ${i + 2} has ${line.length} fields, want ${columns.length}`);
    if (line.join("").includes('"')) throw new Error(`row ${i + 2} has a quotation mark in a cell`);
    const what = wrongIn(orderNo, itemId, carrier, trackingNo);
    const wrong = what && `row ${i + 2}: ${what}`;
    return { orderNo, itemId, carrier: carrier as Carrier, trackingNo: trackingNo.replace(/[ -]/g, ""), wrong };
  });
}

/** Why a row must not be sent, or an empty text. */
function wrongIn(orderNo: string, itemId: string, carrier: string, trackingNo: string): string {
  if (!orderNo || !itemId) return "order_no or item_id is empty";
  if (!carriers.includes(carrier)) return `carrier is '${carrier}', want one of ${carriers.join(", ")}`;
  if (!digits.test(trackingNo)) return `tracking_no is '${trackingNo}', want one number of digits`;
  return rounded.test(trackingNo) ? `tracking_no is '${trackingNo}', which looks rounded` : "";
}

/** Decodes UTF-8; a byte order mark, which spreadsheets write, is dropped. */
function decoded(file: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch {
    throw new Error("the file is not UTF-8");
  }
}

/** Parses CSV: fields in quotes may contain commas, line ends and doubled quotes, others no quotes. Empty lines are skipped. */
function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  const field = /[^\S\r\n]*"((?:[^"]|"")*)"(,|\r?\n|$)|([^",\r\n]*)(,|\r?\n|$)/gy;
  for (let match = field.exec(text); match; match = field.exec(text)) {
    at = field.lastIndex;
    record.push(match[1] === undefined ? (match[3] ?? "").trimStart() : match[1].replaceAll('""', '"'));
    const end = match[2] ?? match[4];
    if (end === ",") continue;
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
    if (end === "") return records;
  }
  const before = text.slice(0, at).split("\n");
  const column = (before.at(-1) ?? "").length + 1;
  throw new Error(`line ${before.length}, column ${column}: a quotation mark that is not closed, or in a field without`);
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
      entry = { order_no: orderNo, item_ids: [], carrier_name: carrier, tracking_no: trackingNo };
      open.set(parcel, entry);
      entries.push(entry);
    }
    entry.item_ids.push(itemId);
  }
  const all: BatchShipmentRequest[] = [];
  for (let i = 0; i < entries.length; i += parcelsPerBatch) all.push({ items: entries.slice(i, i + parcelsPerBatch) });
  return all;
}
