import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "../src/operations.js";
import { StandingClock, clientOf, play } from "./script.js";

/** Half of an emoji: a text that was cut. */
const broken = "\ud83d";

const parcel = { carrier_name: "CJ대한통운", tracking_no: "1", logistics_company: "가" };
const entry = { order_no: "A-1", item_ids: ["i-1"], ...parcel };

/** The bodies of all operations that process; undefined for none. */
const bodies: Record<string, object | undefined> = {
  prepareOrder: { item_ids: ["i-1", "i-2"] }, deliverOrder: { item_ids: ["i-1", "i-2"] }, shipOrder: { item_ids: ["i-1", "i-2"], ...parcel },
  shipOrders: { items: [entry, entry] }, checkShipments: { items: [entry, entry] },
  correctShipment: { item_ids: ["i-1", "i-2"], ...parcel },
  approveClaim: undefined, collectDoneClaim: undefined, rejectClaim: { memo: "가" }, pickupClaim: parcel,
  inspectClaim: { result: "fail", memo: "가" }, reshipClaim: parcel, answerInquiry: { content: "가" },
};

/** The value with each of its texts broken in turn, and the name of that text. */
function brokenIn(value: unknown, name = ""): [string, unknown][] {
  if (typeof value === "string") return [[name, broken]];
  return Object.entries(value ?? {}).flatMap(([key, inner]) => {
    const path = Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`.replace(/^\./, "");
    return brokenIn(inner, path).map(([found, other]): [string, unknown] =>
      [found, Array.isArray(value) ? value.with(Number(key), other) : { ...(value as object), [key]: other }]);
  });
}

// A text that is not UTF-8 would be sent with replacement characters.
test("every operation names the field of a text that is not UTF-8", async (t) => {
  const server = await play(t);
  const client = clientOf(server.url, new StandingClock()) as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  for (const [method, { name, path, method: verb }] of Object.entries(operations)) {
    const identifier = path.includes("{") ? ["A-1"] : [];
    const calls: [string, unknown[]][] = brokenIn(bodies[method]).map(([field, body]) => [field, [...identifier, body]]);
    if (identifier.length > 0) calls.push(["the path", [broken, bodies[method]].filter((one) => one !== undefined)]);
    if (identifier.length === 0 && verb === "GET") calls.push(["query.cursor", [{ cursor: broken }]]);
    assert.ok(calls.length > 0 && (verb === "GET" || method in bodies), method);
    for (const [field, args] of calls) {
      await assert.rejects(Promise.resolve(client[method]?.(...args)), { name: "TypeError", message: `${name}: ${field} is not UTF-8` });
    }
  }
  assert.deepEqual(server.got, []);
});
