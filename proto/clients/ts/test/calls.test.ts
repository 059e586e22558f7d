import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, SellerApiError, UnansweredError, isTemporary, type ResponseInfo } from "../src/index.js";
import { StandingClock, clientOf, load, play, requireRequests, type Expected, type Scripted } from "./script.js";

interface CallScenario {
  name: string;
  call: { operation: string; id?: string; filter?: object; body?: unknown; key?: string; recover_expired?: boolean };
  answers: Scripted[];
  requests: Expected[];
  waits: number[];
  result?: unknown;
  error?: Record<string, unknown>;
  info?: Record<string, unknown>;
}

for (const scenario of load<CallScenario>("calls.json")) {
  test(scenario.name, async (t) => {
    const server = await play(t, ...scenario.answers);
    const clock = new StandingClock();
    let info: ResponseInfo | undefined;
    const outcome = await perform(clientOf(server.url, clock), scenario.call, (told) => (info = told)).then(
      (result) => ({ result, error: undefined }),
      (error: unknown) => ({ result: undefined, error }),
    );
    if (!scenario.error && outcome.error) throw outcome.error;
    requireRequests(scenario.requests, server.got);
    assert.deepEqual(clock.waits, scenario.waits);
    if (scenario.error) requireFailure(scenario.error, outcome.error);
    if (scenario.result !== undefined) assert.deepEqual(outcome.result, scenario.result);
    if (scenario.info) requireInfo(scenario.info, info);
  });
}

/** Calls the method that has the operation's name. */
function perform(client: Client, call: CallScenario["call"], onResponse: (info: ResponseInfo) => void): Promise<unknown> {
  const name = call.operation.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const method = (client as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>)[name];
  assert.ok(method, name);
  const given: unknown[] = call.id === undefined ? [] : [call.id];
  if (name.startsWith("list")) given.push(call.filter ?? {});
  if (call.body !== undefined) given.push(call.body);
  const { key, recover_expired } = call;
  given.push({ onResponse, ...(key && { idempotencyKey: key }), ...(recover_expired && { recoverExpired: true }) });
  return method.apply(client, given);
}

function requireFailure(want: Record<string, unknown>, error: unknown): void {
  const got: Record<string, unknown> = { temporary: isTemporary(error), text: error instanceof Error ? error.message : "" };
  if (error instanceof SellerApiError) {
    Object.assign(got, {
      kind: "refused", status: error.status, code: error.code ?? "", request_id: error.requestId, key: error.idempotencyKey,
      attempts: error.attempts, retry_after: error.retryAfterMs / 1000, items: error.data.items,
    });
    const { fields = {} } = want as { fields?: Record<string, string> };
    got["fields"] = Object.fromEntries(Object.keys(fields).map((name) => [name, error.field(name)?.code]));
    assert.equal(error.field("another"), undefined);
  }
  if (error instanceof UnansweredError) Object.assign(got, { kind: "unanswered", attempts: error.attempts, key: error.idempotencyKey });
  for (const [name, value] of Object.entries(want)) assert.deepEqual(got[name], value, `${name}: ${String(error)}`);
  assert.ok(!String(error).includes("vpk_test"), "the key is nobody's business");
}

function requireInfo(want: Record<string, unknown>, info: ResponseInfo | undefined): void {
  assert.ok(info);
  const { requestId: request_id, idempotencyKey: key, rowsLimit: rows_limit, ...same } = info;
  const got: Record<string, unknown> = { ...same, request_id, key, rows_limit };
  for (const [name, value] of Object.entries(want)) assert.deepEqual(got[name], value, name);
}
