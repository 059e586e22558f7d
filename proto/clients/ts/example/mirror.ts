import { readFileSync } from "node:fs";
import sqlite from "node-sqlite3-wasm";
import {
  SellerApiError, isTemporary, type BatchShipmentRequest, type BatchShipmentResult, type Client, type Order, type Round, type SyncState,
} from "../src/index.js";
import { own } from "./lock.js";
import { batches, type Row } from "./parcels.js";

const schema = readFileSync(new URL("../../example/schema.sql", import.meta.url), "utf8");

/** The outcome of an item. */
export interface Outcome {
  orderNo: string;
  itemId: string;
  /** `left`: it was shipped in this parcel before. */
  what: "shipped" | "refused" | "left";
  /**
   * The reason of a refusal, the status of an item that was left, or the server's doubts about the number of an item that was
   * shipped.
   */
  why: string;
}

/**
 * A copy of one seller's orders in a SQLite file. The file stores what has to survive a crash: the progress of the
 * synchronization, in the same transaction as the orders, and the key of every batch, before the batch is sent.
 */
export class Mirror {
  readonly db: sqlite.Database;
  readonly #client: Client;
  readonly #columns: Record<"orders" | "order_items", string[]>;
  readonly #release: () => void;

  /** Opens a file, and creates it if it does not exist. */
  constructor(path: string, client: Client) {
    this.#release = own(path);
    this.db = new sqlite.Database(path);
    this.db.exec("pragma busy_timeout = 60000"); // what locks the file for less than a minute is waited for
    this.db.exec(schema);
    this.#client = client;
    this.#columns = { orders: this.#columnsOf("orders"), order_items: this.#columnsOf("order_items") };
  }

  close(): void {
    this.db.close();
    this.#release();
  }

  /** Does one round: everything the first time, only changes afterwards. */
  collect(signal: AbortSignal): Promise<Round> {
    return this.#orders().round(signal);
  }

  /** Collects what changes until the signal is aborted or a permanent error occurs. */
  follow(signal: AbortSignal, afterRound: (round: Round) => void): Promise<never> {
    return this.#orders(afterRound).run(signal);
  }

  #orders(afterRound: (round: Round) => void = () => undefined) {
    const load = () => {
      const row = this.db.get("select state from sync_state where list = 'orders'");
      return row ? (JSON.parse(String(row["state"])) as SyncState) : {};
    };
    return this.#client.syncOrders({ load, upsert: (orders, state) => this.#upsert(orders, state) }, { afterRound });
  }

  /** Stores a page and the progress of the synchronization in one transaction. */
  #upsert(orders: Order[], state: SyncState): void {
    this.db.exec("begin immediate");
    try {
      for (const order of orders) this.#put(order);
      this.db.run(
        "insert into sync_state (list, state) values ('orders', ?) on conflict (list) do update set state = excluded.state",
        [JSON.stringify(state)],
      );
      this.db.exec("commit");
    } catch (error) {
      this.db.exec("rollback");
      throw error;
    }
  }

  /** Overwrites an order and its items, unless a later version is already stored. A status may move backwards;
   * `updated_at` never does. */
  #put(order: Order): void {
    const sets = this.#columns.orders.map((column) => `${column} = excluded.${column}`).join(", ");
    const suffix = `on conflict (order_no) do update set ${sets} where excluded.updated_at >= orders.updated_at`;
    if (this.#insert("orders", order, suffix) === 0) return;
    this.db.run("delete from order_items where order_no = ?", [order.order_no]);
    for (const item of order.items) this.#insert("order_items", { ...item, order_no: order.order_no });
  }

  /** Stores the members that have a column; unknown members have none. */
  #insert(table: "orders" | "order_items", record: object, suffix = ""): number {
    const columns = this.#columns[table];
    const members = record as Record<string, string | number | boolean | null | undefined>;
    const values = columns.map((column) => members[column] ?? null);
    const places = columns.map(() => "?").join(", ");
    return this.db.run(`insert into ${table} (${columns.join(", ")}) values (${places}) ${suffix}`, values).changes;
  }

  #columnsOf(table: string): string[] {
    return this.db.all("select name from pragma_table_info(?)", [table]).map((row) => String(row["name"]));
  }

  /**
   * Ships the items of these rows that are open according to the mirror, and yields the outcome of each row. Before that
   * it resends the batches that an earlier run left without a response, with the same keys. Bring the mirror up to date
   * first.
   */
  async *ship(rows: Row[], signal: AbortSignal): AsyncGenerator<Outcome, void, undefined> {
    const sent = new Set<string>(); // in batches that the earlier run left
    for await (const outcome of this.#flush(signal)) {
      sent.add(outcome.itemId);
      yield outcome;
    }
    const open: Row[] = [];
    for (const row of rows.filter(({ itemId }) => !sent.has(itemId))) {
      const [what, why] = this.#decide(row);
      if (what === "send") open.push(row);
      else yield { orderNo: row.orderNo, itemId: row.itemId, what, why };
    }
    for (const batch of batches(open)) {
      this.db.run("insert into outbox (idempotency_key, request) values (?, ?)", [crypto.randomUUID(), JSON.stringify(batch)]);
    }
    yield* this.#flush(signal);
  }

  /** What becomes of a row according to the mirror, and why. */
  #decide({ wrong, carrier, trackingNo, itemId, orderNo }: Row): [what: "send" | "left" | "refused", why: string] {
    if (wrong) return ["refused", wrong];
    const item = this.db.get(
      `select item_status, is_exchange, carrier_name is ? and tracking_no is ? as same
         from order_items where item_id = ? and order_no = ?`, [carrier, trackingNo, itemId, orderNo]);
    if (!item) return ["refused", "not in the mirror"];
    const status = String(item["item_status"]);
    if (["paid", "preparing"].includes(status)) {
      return item["is_exchange"] ? ["refused", "the replacement of an exchange goes out with reship of its claim"] : ["send", ""];
    }
    if (!["shipping", "delivered", "confirmed"].includes(status)) return ["refused", status];
    return item["same"] ? ["left", status] : ["refused", `${status} in another parcel`];
  }

  /**
   * Sends the batches of the outbox. A batch is removed when it has a final response; if its outcome is unknown it remains
   * there for the next run.
   */
  async *#flush(signal: AbortSignal): AsyncGenerator<Outcome, void, undefined> {
    const next = () => this.db.get("select idempotency_key, request from outbox order by rowid limit 1");
    for (let row = next(); row; row = next()) {
      const idempotencyKey = String(row["idempotency_key"]);
      const batch = JSON.parse(String(row["request"])) as BatchShipmentRequest;
      const forget = () => this.db.run("delete from outbox where idempotency_key = ?", [idempotencyKey]);
      let result: BatchShipmentResult;
      try {
        result = await this.#client.shipOrders(batch, { idempotencyKey, recoverExpired: true, signal });
      } catch (error) {
        if (!isFinal(error)) throw error;
        forget();
        for (const { order_no: orderNo, item_ids } of batch.items) {
          for (const itemId of item_ids) yield { orderNo, itemId, what: "refused", why: error.message };
        }
        continue;
      }
      forget();
      yield* told(batch, result);
    }
  }
}

/** Whether a failed batch must not be resent unchanged: the server has refused it, with a code, and not because of the API key. */
function isFinal(error: unknown): error is SellerApiError {
  return error instanceof SellerApiError && error.code !== null && !isTemporary(error) && error.status !== 401 && error.status !== 403;
}

/**
 * The outcome of every item of a batch. The same item may be in several entries, so a failure applies only to the entry that
 * it refers to.
 */
function* told(
  batch: BatchShipmentRequest, { succeeded, failed, warnings = [] }: BatchShipmentResult,
): Generator<Outcome, void, undefined> {
  const refused = new Map(failed.map((failure) => [failure.index, failure]));
  const doubts = new Map(warnings.map(({ field, code, message }) => [field, `${code}: ${message}`]));
  for (const [index, { order_no: orderNo, item_ids }] of batch.items.entries()) {
    const failure = refused.get(index);
    const doubt = doubts.get(`items[${index}].tracking_no`) ?? "";
    for (const itemId of item_ids) {
      if (failure) yield { orderNo, itemId, what: "refused", why: `${failure.error_code}: ${failure.message}` };
      else if (succeeded.includes(itemId)) yield { orderNo, itemId, what: "shipped", why: doubt };
      else yield { orderNo, itemId, what: "refused", why: "not in the answer" };
    }
  }
}
