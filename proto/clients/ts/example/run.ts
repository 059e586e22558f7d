import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Client, type ClientOptions, type Round } from "../src/index.js";
import { Mirror } from "./mirror.js";
import { readRows } from "./parcels.js";

/**
 * Runs the program with its arguments and environment, a function that prints its output, and a signal that ends it.
 * Fails if an item that was to be shipped is not, or the server doubts its number.
 */
export async function run(
  args: string[], environment: Record<string, string | undefined>, tell: (line: string) => void, signal: AbortSignal,
  options: ClientOptions = {},
): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { db: { type: "string", default: "orders.db" }, once: { type: "boolean", default: false }, ship: { type: "string" } },
  });
  const { SELLER_API_URL: url, SELLER_API_KEY: key } = environment;
  if (!url || !key) throw new Error("set SELLER_API_URL and SELLER_API_KEY");
  const report = ({ error, records }: Round) =>
    tell(error === undefined ? `collected ${records} orders` : `collecting failed after ${records} orders: ${String(error)}`);
  const mirror = new Mirror(values.db ?? "", new Client(url, key, { userAgent: "mirror/1.0", ...options }));
  try {
    if (values.ship !== undefined) await collectAndShip(mirror, values.ship, tell, report, signal);
    if (values.once) report(await mirror.collect(signal));
    else await mirror.follow(signal, report);
  } finally {
    mirror.close();
  }
}

async function collectAndShip(
  mirror: Mirror, path: string, tell: (line: string) => void, report: (round: Round) => void, signal: AbortSignal,
): Promise<void> {
  const rows = readRows(readFileSync(path));
  report(await mirror.collect(signal));
  let [refused, doubtful] = [0, 0];
  for await (const { what, orderNo, itemId, why } of mirror.ship(rows, signal)) {
    tell(`${what} ${orderNo} ${itemId} ${why}`);
    if (what === "refused") refused++;
    else if (what === "shipped" && why !== "") doubtful++;
  }
  if (refused + doubtful > 0) throw new Error(`${refused} items were refused, ${doubtful} have a doubtful number`);
}
