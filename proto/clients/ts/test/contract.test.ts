import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "../src/operations.js";
import { contract, described } from "./contract.gen.js";
import { StandingClock, clientOf, play } from "./script.js";

// The types are compared when this file is compiled: see contract.mjs.
test("every schema and operation that is described has its counterpart", () => {
  contract();
  assert.deepEqual(described.map(({ name }) => name).sort(), Object.keys(operations).sort());
});

for (const { name, method, path, body } of described) {
  test(`${name} sends what is described to where it is described`, async (t) => {
    const server = await play(t, { data: {} });
    const client = clientOf(server.url, new StandingClock()) as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    const given = [...(path.includes("{") ? ["x"] : []), ...(body || name.startsWith("list") ? [{}] : [])];
    await client[name]?.(...given);
    const [request] = server.got;
    assert.deepEqual([request?.method, request?.path], [method, path.replace(/\{\w+\}/, "x")]);
    assert.equal(request?.headers["idempotency-key"] !== undefined, method === "POST");
    assert.equal(request?.body, body ? "{}" : "");
  });
}
