import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Client, isTemporary, type BatchShipmentRequest } from "../src/index.js";
import { Mirror, type Outcome } from "../example/mirror.js";
import { batches, readRows, type Row } from "../example/parcels.js";
import { run } from "../example/run.js";

const at = "2026-03-14T02:00:00.120000Z";
const signal = new AbortController().signal;

/** The codes of refusals; what comes from elsewhere has none. */
const codes: Record<number, string> = { 401: "INVALID_API_KEY", 403: "SCOPE_FORBIDDEN", 422: "VALIDATION_ERROR" };

/** A server that has some orders and ships items as requested. */
class Seller {
  orders: object[] = [];
  keys: string[] = [];
  requests: BatchShipmentRequest[] = [];
  /** For how many batches the connection breaks after they were received. */
  breaks = 0;
  /** The status that refuses batches. */
  status = 0;
  /** The orders that are not shipped, with the reason. */
  refuse: Record<string, string> = {};
  /** The tracking numbers that are doubted. */
  doubts: string[] = [];
  url = "";

  static async start(t: TestContext): Promise<Seller> {
    const seller = new Seller();
    const server = createServer((request, response) => void seller.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    seller.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    return seller;
  }

  /** Sets the orders: number, time of the change, then the status of each item. */
  has(...orders: [string, string, ...string[]][]): void {
    this.orders = orders.map(([order_no, updated_at, ...statuses]) => ({
      order_no, updated_at, order_status: "paid", paid_at: at, currency: "KRW", seller_items_amount: 1, seller_discount_amount: 2,
      seller_point_used_amount: 3, seller_paid_amount: 4, seller_shipping_fee_base: 5, seller_shipping_fee_paid: 6,
      orderer_name: null, recipient_name: "이서연", seller_order_status: "paid", member_of_the_future: { is: "ignored" },
      items: statuses.map((item_status, i) => ({
        item_id: `${order_no}-${i}`, item_code: `${order_no}-0${i}`, product_name: "순면 티셔츠", option_name: "", quantity: 1, list_price: 1,
        unit_price: 1, line_amount: 1, discount_amount: 0, line_paid_amount: 1, item_status, is_exchange: i === 1, has_active_claim: false,
        shipped_at: at,
      })),
    }));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, data: unknown) => {
      response.statusCode = status;
      response.end(JSON.stringify({ meta: { code: status, message: "a text", error_code: codes[status] ?? null, error_data: null }, data }));
    };
    if (request.method === "GET") return reply(200, { list: this.orders, next_cursor: null });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const batch = JSON.parse(Buffer.concat(chunks).toString()) as BatchShipmentRequest;
    this.keys.push(String(request.headers["idempotency-key"]));
    this.requests.push(batch);
    if (this.breaks > 0) {
      this.breaks--;
      response.socket?.destroy();
    } else if (this.status) reply(this.status, null);
    else {
      const parcels = new Map<string, string>(); // of the items that this batch ships
      const refusals = batch.items.map(({ order_no, item_ids, tracking_no }) => {
        const conflict = item_ids.some((id) => (parcels.get(id) ?? tracking_no) !== tracking_no);
        const code = this.refuse[order_no] ?? (conflict ? "SHIPMENT_STATE_CONFLICT" : undefined);
        if (code === undefined) for (const id of item_ids) parcels.set(id, tracking_no);
        return code;
      });
      reply(200, {
        succeeded: batch.items.flatMap(({ item_ids }, index) => (refusals[index] ? [] : item_ids)),
        failed: batch.items.flatMap(({ order_no, item_ids }, index) => {
          const error_code = refusals[index];
          if (error_code === undefined) return [];
          return [{ index, order_no, order_item_public_ids: error_code === "ORDER_NOT_FOUND" ? [] : item_ids, error_code, message: "a text" }];
        }),
        summary: { succeeded: 0, failed: 0 },
        warnings: batch.items.flatMap(({ tracking_no }, index) => (refusals[index] || !this.doubts.includes(tracking_no) ? []
          : [{ field: `items[${index}].tracking_no`, code: "TRACKING_NO_SUSPICIOUS", reason: "length", message: "a doubt" }])),
      });
    }
  }
}

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "mirror-"));
  t.after(() => rmSync(dir, { recursive: true }));
  return dir;
}

function open(t: TestContext, seller: Seller, path = join(folder(t), "orders.db")): Mirror {
  const mirror = new Mirror(path, new Client(seller.url, "vpk_test_secret", { retry: { attempts: 1 } }));
  t.after(() => mirror.db.isOpen && mirror.close());
  return mirror;
}

async function collected(t: TestContext, seller: Seller, ...orders: [string, string, ...string[]][]): Promise<Mirror> {
  const mirror = open(t, seller);
  seller.has(...orders);
  await mirror.collect(signal);
  return mirror;
}

async function all(outcomes: AsyncIterable<Outcome>): Promise<string[]> {
  const told: string[] = [];
  for await (const { what, orderNo, itemId, why } of outcomes) told.push(`${what} ${orderNo} ${itemId} ${why}`);
  return told;
}

const row = (orderNo: string, itemId: string, trackingNo: string): Row => ({ orderNo, itemId, carrier: "CJ대한통운", trackingNo, wrong: "" });
const outbox = (mirror: Mirror) => mirror.db.all("select * from outbox").length;

test("the mirror holds what the server has", async (t) => {
  const seller = await Seller.start(t);
  const mirror = await collected(t, seller, ["A-2", "2026-03-14T02:02:00.000000Z", "paid", "shipping"], ["A-1", "2026-03-14T02:01:00.000000Z", "paid"]);
  assert.deepEqual(mirror.db.all("select order_no, updated_at, recipient_name, orderer_name from orders order by order_no").map((one) => Object.values(one)), [
    ["A-1", "2026-03-14T02:01:00.000000Z", "이서연", null],
    ["A-2", "2026-03-14T02:02:00.000000Z", "이서연", null],
  ]);
  seller.has(["A-2", "2026-03-14T02:03:00.000000Z", "paid"], ["A-1", "2026-03-14T01:00:00.000000Z", "canceled"]);
  await mirror.collect(signal);
  assert.deepEqual(mirror.db.all("select item_id, item_status, is_exchange, shipped_at from order_items order by item_id").map((one) => Object.values(one)),
    [["A-1-0", "paid", 0, at], ["A-2-0", "paid", 0, at]], "a later form replaces items, an earlier one changes nothing");
  assert.match(String(mirror.db.get("select state from sync_state")?.["state"]), /collected_at/);
});

// What is shipped in the same parcel already is left; everything else that does not go out is a refusal.
test("only open items are shipped and each is told of", async (t) => {
  const seller = await Seller.start(t);
  const statuses = ["paid", "paid", "preparing", "shipping", "delivered", "shipping", "returned"];
  const mirror = await collected(t, seller, ["A-1", at, ...statuses], ["A-2", at, "paid"], ["A-3", at, "paid"]);
  mirror.db.exec("update order_items set carrier_name = 'CJ대한통운', tracking_no = '1' where item_status = 'shipping'");
  seller.refuse = { "A-2": "ORDER_NOT_FOUND", "A-3": "ORDER_ITEM_HAS_ACTIVE_CLAIM" };
  seller.doubts = ["1"];
  const rows: Row[] = [
    ...["0", "1", "2", "0", "3", "4"].map((i) => row("A-1", `A-1-${i}`, "1")), { ...row("A-1", "A-1-5", "1"), carrier: "우체국택배" },
    row("A-1", "A-1-6", "1"), row("A-2", "A-2-0", "2"), row("A-3", "A-3-0", "3"), row("A-9", "A-9-0", "4"),
    { ...row("A-1", "A-1-0", "9"), wrong: "row 9: a reason" },
  ];
  assert.deepEqual(await all(mirror.ship(rows, signal)), [
    "refused A-1 A-1-1 the replacement of an exchange goes out with reship of its claim",
    "left A-1 A-1-3 shipping",
    "refused A-1 A-1-4 delivered in another parcel",
    "refused A-1 A-1-5 shipping in another parcel",
    "refused A-1 A-1-6 returned",
    "refused A-9 A-9-0 not in the mirror",
    "refused A-1 A-1-0 row 9: a reason",
    "shipped A-1 A-1-0 TRACKING_NO_SUSPICIOUS: a doubt",
    "shipped A-1 A-1-2 TRACKING_NO_SUSPICIOUS: a doubt",
    "refused A-2 A-2-0 ORDER_NOT_FOUND: a text",
    "refused A-3 A-3-0 ORDER_ITEM_HAS_ACTIVE_CLAIM: a text",
  ]);
  const parcel = (order_no: string, item_ids: string[], tracking_no: string) => ({ order_no, item_ids, carrier_name: "CJ대한통운", tracking_no });
  assert.deepEqual(seller.requests, [{ items: [parcel("A-1", ["A-1-0", "A-1-2"], "1"), parcel("A-2", ["A-2-0"], "2"), parcel("A-3", ["A-3-0"], "3")] }]);
  assert.equal(outbox(mirror), 0);
});

// Of two parcels with one item, the first is shipped and the second refused.
test("each parcel reports its own outcome, of two with one item too", async (t) => {
  const seller = await Seller.start(t);
  const mirror = await collected(t, seller, ["A-1", at, "paid"]);
  assert.deepEqual(await all(mirror.ship([row("A-1", "A-1-0", "1"), row("A-1", "A-1-0", "2")], signal)), [
    "shipped A-1 A-1-0 ",
    "refused A-1 A-1-0 SHIPMENT_STATE_CONFLICT: a text",
  ]);
});

// The parcels may have been registered: only the same request with the same key is safe.
test("a batch without answer goes out again under its key", async (t) => {
  const seller = await Seller.start(t);
  const mirror = await collected(t, seller, ["A-1", at, "paid"]);
  seller.breaks = 1;
  await assert.rejects(all(mirror.ship([row("A-1", "A-1-0", "1")], signal)), isTemporary);
  assert.equal(outbox(mirror), 1);
  assert.deepEqual(await all(mirror.ship([row("A-1", "A-1-0", "1")], signal)), ["shipped A-1 A-1-0 "]);
  assert.equal(seller.keys.length, 2);
  assert.equal(seller.keys[0], seller.keys[1]);
  assert.equal(outbox(mirror), 0);
});

test("a batch that is refused is forgotten unless the key is wrong", async (t) => {
  const seller = await Seller.start(t);
  const mirror = await collected(t, seller, ["A-1", at, "paid"]);
  for (const status of [401, 403, 302]) {
    seller.status = status;
    await assert.rejects(all(mirror.ship([row("A-1", "A-1-0", "1")], signal)));
    assert.equal(outbox(mirror), 1);
    mirror.db.exec("delete from outbox");
  }
  seller.status = 422;
  const told = await all(mirror.ship([row("A-1", "A-1-0", "1")], signal));
  assert.match(told.join(), /^refused A-1 A-1-0 .*VALIDATION_ERROR/);
  assert.equal(outbox(mirror), 0);
});

test("a long list is split as the interface takes it", () => {
  const rows = Array.from({ length: 801 }, (_, i) => row("A-1", `i-${i}`, i > 200 ? String(i) : "1"));
  const sizes = batches(rows).map(({ items }) => items.map((entry) => entry.item_ids.length));
  assert.deepEqual(sizes.map((parcels) => parcels.length), [500, 102]);
  assert.deepEqual(sizes[0]?.slice(0, 3), [200, 1, 1]);
});

const head = "order_no,item_id,carrier,tracking_no\n";
const read = (text: string) => readRows(new TextEncoder().encode(text));

test("files are read as spreadsheets write them", () => {
  assert.deepEqual(read(`\uFEFF${head}"A-1",i-1, CJ대한통운,6123-4567 8904\r\n\r\n`), [row("A-1", "i-1", "612345678904")]);
  for (const [text, want] of [
    ["", /no rows/], [head, /no rows/], ["order_no,item_id,carrier\nA,b,c\n", /the first line is/], ["a,b,c,d\nA,b,c,d\n", /the first line is/],
    [`${head}A-1,i-1\n`, /row 2 has 2 fields/], [`${head}A-1,i-1,"c,t\n`, /line 2, column 9/],
    [`${head}A-1,"국산" 쌀,CJ대한통운,1\n`, /line 2, column 5/], [`${head}A-1,국산 "쌀",CJ대한통운,1\n`, /line 2, column 5/],
    [`${head}A-1,i-1,CJ대한통운,="6012"\n`, /line 2, column 16/], [`${head}A-1,"국산 ""쌀""",CJ대한통운,1\n`, /row 2 has a quotation mark in a cell/],
  ] as const) {
    assert.throws(() => read(text), want, text);
  }
  assert.throws(() => readRows(Buffer.concat([Buffer.from(head), Buffer.from("A-1,i-1,\xb4\xeb\xc7\xd1,1\n", "latin1")])), /not UTF-8/);
});

// A cell that is not certainly what its column says costs its row, not the others.
test("cells that are not certain are refused", () => {
  for (const [line, want] of [
    ["A-1,i-1,CJ대한통운,6.12345678901E11", "tracking_no is '6.12345678901E11', want one number of digits"],
    ["A-1,i-1,CJ대한통운,6.12346E+11", "want one number"], ["A-1,i-1,CJ대한통운,'612345678904", "want one number"],
    ['A-1,i-1,CJ대한통운,"612345678904, 61234567"', "want one number"], ['A-1,i-1,CJ대한통운,"612345678904\n61234567"', "want one number"],
    ["A-1,i-1,CJ대한통운,612345678904.0", "want one number"], ["A-1,i-1,CJ대한통운,６１２３", "want one number"],
    ["A-1,i-1,CJ대한통운,", "want one number"], ["A-1,i-1,CJ대한통운,612346000000", "looks rounded"],
    ["A-1,i-1,FEDEX,612345678904", "carrier is 'FEDEX', want one of CJ대한통운, "],
    [",i-1,CJ대한통운,612345678904", "empty"], ["A-1,,CJ대한통운,612345678904", "empty"],
  ] as const) {
    const [wrong, right] = read(`${head}${line}\nA-2,i-2,CJ대한통운,612345678904\n`);
    assert.ok(wrong?.wrong.startsWith("row 2: ") && wrong.wrong.includes(want), wrong?.wrong);
    assert.equal(right?.wrong, "");
  }
});

test("a killed process leaves a file that can be opened, a running one does not", async (t) => {
  const seller = await Seller.start(t);
  const path = join(folder(t), "orders.db");
  // In a container, the program may have the same process id after every start.
  for (const killed of [0, process.pid]) {
    writeFileSync(`${path}.owner`, String(killed));
    mkdirSync(`${path}.lock`, { recursive: true });
    open(t, seller, path).close();
  }
  const mirror = open(t, seller, path);
  await mirror.collect(signal);
  assert.throws(() => open(t, seller, path), new RegExp(`process ${process.pid} works with`));
  mirror.close();
  assert.equal(existsSync(`${path}.owner`), false);
  open(t, seller, path);
});

test("the schema is the same in every language", () => {
  const text = (folder: string) => readFileSync(new URL(`../../${folder}/schema.sql`, import.meta.url), "utf8");
  assert.equal(text("example"), text("../cli/example/mirror"));
});

test("the program collects, ships and tells", async (t) => {
  const seller = await Seller.start(t);
  const dir = folder(t);
  seller.has(["A-1", at, "paid"]);
  writeFileSync(join(dir, "today.csv"), "order_no,item_id,carrier,tracking_no\nA-1,A-1-0,CJ대한통운,1\n");
  const environment = { SELLER_API_URL: seller.url, SELLER_API_KEY: "vpk_test_secret" };
  const start = async (args: string[], until = signal) => {
    const lines: string[] = [];
    const error = await run(["--db", join(dir, "orders.db"), ...args], environment, (line) => lines.push(line), until).then(
      () => undefined, (reason: unknown) => reason);
    return { lines, error };
  };
  const both = ["--once", "--ship", join(dir, "today.csv")];
  assert.deepEqual(await start(both), { lines: ["collected 1 orders", "shipped A-1 A-1-0 ", "collected 1 orders"], error: undefined });
  seller.doubts = ["1"];
  const doubted = await start(both);
  assert.match(String(doubted.error), /0 items were refused, 1 have a doubtful number/);
  assert.deepEqual(doubted.lines.at(-1), "shipped A-1 A-1-0 TRACKING_NO_SUSPICIOUS: a doubt");
  seller.refuse = { "A-1": "ORDER_ITEM_NOT_SHIPPABLE" };
  const refused = await start(both);
  assert.match(String(refused.error), /1 items were refused, 0 have a doubtful number/);
  assert.deepEqual(refused.lines, ["collected 1 orders", "refused A-1 A-1-0 ORDER_ITEM_NOT_SHIPPABLE: a text"]);
  assert.equal(((await start([], AbortSignal.abort())).error as Error).name, "AbortError");
  await assert.rejects(run([], {}, () => undefined, signal), /SELLER_API_URL/);
});
