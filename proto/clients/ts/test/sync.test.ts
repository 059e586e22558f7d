import assert from "node:assert/strict";
import { test } from "node:test";
import { SellerApiError, hasCode, type Order, type Round, type SyncState } from "../src/index.js";
import { StandingClock, clientOf, load, play, requireRequests, type Expected, type Scripted } from "./script.js";

interface SyncScenario {
  name: string;
  state: SyncState;
  rounds: {
    answers: Scripted[];
    requests: Expected[];
    upserts?: { orders: string[]; state: SyncState }[];
    round?: { pages: number; records: number; resumed: boolean; since: string | null };
    error?: string;
  }[];
}

/** A copy of the orders, as a database would store it. */
class Copy {
  upserts: { orders: string[]; state: SyncState }[] = [];
  state: SyncState;

  constructor(state: SyncState = {}) {
    this.state = state;
  }

  load(): SyncState {
    return this.state;
  }

  upsert(orders: Order[], state: SyncState): void {
    this.upserts.push({ orders: orders.map((order) => order.order_no), state });
    this.state = JSON.parse(JSON.stringify(state)) as SyncState;
  }
}

/** The times of a state may be written with more or fewer zeros. */
function plain(state: SyncState): Record<string, string> {
  return Object.fromEntries(Object.entries(state).map(([name, value]: [string, string]) =>
    [name, name === "cursor" || name === "after" ? value : new Date(value).toISOString()]));
}

for (const scenario of load<SyncScenario>("sync.json")) {
  test(scenario.name, async (t) => {
    const copy = new Copy(scenario.state);
    for (const { answers, requests, upserts, round, error } of scenario.rounds) {
      const server = await play(t, ...answers);
      copy.upserts = [];
      let told: Round | undefined;
      const sync = clientOf(server.url, new StandingClock()).syncOrders(copy, { afterRound: (done) => (told = done) });
      const failure = await sync.round().then(() => undefined, (reason: unknown) => reason);
      assert.equal(failure instanceof SellerApiError ? failure.code : failure, error);
      requireRequests(requests, server.got);
      assert.equal(told?.error, failure);
      if (upserts) {
        assert.deepEqual(copy.upserts.map((one) => ({ ...one, state: plain(one.state) })),
          upserts.map((one) => ({ ...one, state: plain(one.state) })));
      }
      if (round) {
        const since = told?.since === undefined ? null : told.since.replace(".000Z", "Z");
        assert.deepEqual({ pages: told?.pages, records: told?.records, resumed: told?.resumed, since }, round);
      }
    }
  });
}

const noPositions: Scripted = {
  status: 422, error_code: "VALIDATION_ERROR", error_data: { request_id: "r-1", errors: [{ field: "query.after", code: "unknown" }] },
};
const emptyPage: Scripted = { data: { list: [], next_cursor: null } };
const failing: Scripted = { status: 500 };
const wrongKey: Scripted = { status: 401, error_code: "INVALID_API_KEY" };

test("running does a round every five minutes and passes over failures that may pass", async (t) => {
  const server = await play(t, noPositions, emptyPage, noPositions, failing, noPositions, emptyPage, wrongKey);
  const clock = new StandingClock();
  const rounds: Round[] = [];
  const sync = clientOf(server.url, clock, { retry: { attempts: 1 } }).syncOrders(new Copy(), { afterRound: (round) => rounds.push(round) });
  await assert.rejects(sync.run(), (error) => hasCode(error, "INVALID_API_KEY"));
  assert.deepEqual(clock.waits, [300, 300, 300]);
  assert.deepEqual(rounds.map((round) => round.error !== undefined), [false, true, false, true]);
  assert.equal(rounds[2]?.since, rounds[1]?.since, "a round that failed is made up for");
});

test("running counts from the beginning of a round", async (t) => {
  const server = await play(t, { status: 429, headers: { "Retry-After": "60" } }, noPositions, emptyPage, wrongKey);
  const clock = new StandingClock();
  await assert.rejects(clientOf(server.url, clock).syncOrders(new Copy(), { everyMs: 120_000 }).run());
  assert.deepEqual(clock.waits, [60.25, 59.75]);
});

test("running ends with its signal", async (t) => {
  const server = await play(t, noPositions, emptyPage);
  const clock = new StandingClock();
  const controller = new AbortController();
  clock.end = { at: 1, with: () => controller.abort() };
  await assert.rejects(clientOf(server.url, clock).syncOrders(new Copy()).run(controller.signal), { name: "AbortError" });
  assert.equal(server.got.length, 2);
});

test("where the server holds calls the next round follows at once, but no two begin within five seconds", async (t) => {
  const after = (position: string): Scripted => ({ data: { list: [], next_cursor: null, after: position } });
  const full: Scripted = { ...after("p-2"), headers: { "X-Wait": "0" } };
  const server = await play(t, failing, after("p-1"), failing, full, failing, after("p-3"), wrongKey); // a failure changes nothing
  const clock = new StandingClock();
  const sync = clientOf(server.url, clock, { retry: { attempts: 1 } }).syncOrders(new Copy());
  await assert.rejects(sync.run(), (error) => hasCode(error, "INVALID_API_KEY"));
  assert.deepEqual(clock.waits, [5, 5, 5, 300, 300, 5]);
  assert.deepEqual(server.got.map((request) => request.query), [
    "after=beginning&limit=100&wait=25", "after=beginning&limit=100&wait=25", "after=p-1&limit=100&wait=25",
    "after=p-1&limit=100&wait=25", "after=p-2&limit=100&wait=25", "after=p-2&limit=100&wait=25", "after=p-3&limit=100&wait=25",
  ]);
});

test("a call is held no longer than its answer can be waited for", async (t) => {
  for (const [timeoutMs, query] of [[30_000, "&wait=10"], [20_999, ""], [1_000, ""]] as const) {
    const server = await play(t, wrongKey);
    await assert.rejects(clientOf(server.url, new StandingClock(), { timeoutMs }).syncOrders(new Copy()).run());
    assert.deepEqual(server.got.map((request) => request.query), [`after=beginning&limit=100${query}`]);
  }
});

test("a copy that cannot be written ends the collecting and loses nothing", async (t) => {
  const server = await play(t, noPositions, emptyPage);
  const full = new Error("disk full");
  const copy = { load: () => ({}), upsert: () => Promise.reject(full) };
  await assert.rejects(clientOf(server.url, new StandingClock()).syncOrders(copy).run(), full);
});

test("claims and inquiries are collected the same way", async (t) => {
  const server = await play(t, { data: { list: [{ claim_no: "C-1" }], next_cursor: null, after: "p" } }, noPositions,
    { data: { list: [{ qna_id: "q-1" }], next_cursor: null } });
  const client = clientOf(server.url, new StandingClock());
  const got: string[] = [];
  const load = () => ({ collected_at: "2026-03-14T01:00:00Z" });
  await client.syncClaims({ load, upsert: (claims) => void got.push(...claims.map((claim) => claim.claim_no)) }).round();
  const upsert = (inquiries: { qna_id: string }[]) => void got.push(...inquiries.map((inquiry) => inquiry.qna_id));
  await client.syncInquiries({ load, upsert }, { overlapMs: 3_600_000 }).round();
  assert.deepEqual(got, ["C-1", "q-1"]);
  assert.deepEqual(server.got.map((request) => `${request.path}?${request.query}`), [
    "/open/v1/claims?after=2026-03-14T00%3A50%3A00.000000Z&limit=100",
    "/open/v1/qna?after=2026-03-14T00%3A00%3A00.000000Z&limit=100",
    "/open/v1/qna?limit=100&updated_at_gte=2026-03-14T00%3A00%3A00.000000Z",
  ]);
});

test("iterators follow the cursor, also of an empty page, and end with their error", async (t) => {
  const first = { data: { list: [{ order_no: "A-3" }, { order_no: "A-2" }], next_cursor: "c-1" } };
  const empty = { data: { list: [], next_cursor: "c-e" } };
  const second = { data: { list: [{ order_no: "A-1" }], next_cursor: "c-2" } };
  const server = await play(t, first, empty, second, { status: 422, error_code: "INVALID_CURSOR" }, first);
  const client = clientOf(server.url, new StandingClock());
  const numbers: string[] = [];
  await assert.rejects(async () => {
    for await (const order of client.orders({ item_status: "paid" })) numbers.push(order.order_no);
  }, (error) => hasCode(error, "INVALID_CURSOR"));
  assert.deepEqual(numbers, ["A-3", "A-2", "A-1"]);
  for await (const order of client.orders()) {
    assert.equal(order.order_no, "A-3");
    break;
  }
  assert.deepEqual(server.got.map((request) => request.query),
    ["item_status=paid", "cursor=c-1&item_status=paid", "cursor=c-e&item_status=paid", "cursor=c-2&item_status=paid", ""]);
});

test("iterators that begin at a position go on with positions", async (t) => {
  const first = { data: { list: [{ order_no: "A-1" }], next_cursor: "p-1", after: "p-1" } };
  const server = await play(t, first, { data: { list: [{ order_no: "A-2" }], next_cursor: null, after: "p-2" } });
  const numbers: string[] = [];
  for await (const order of clientOf(server.url, new StandingClock()).orders({ after: "beginning" })) numbers.push(order.order_no);
  assert.deepEqual(numbers, ["A-1", "A-2"]);
  assert.deepEqual(server.got.map((request) => request.query), ["after=beginning", "after=p-1"]);
});

test("iterators of claims and inquiries start at a cursor", async (t) => {
  const server = await play(t, { data: { list: [{ claim_no: "C-1" }], next_cursor: null } }, { data: { list: [{ qna_id: "q-1" }], next_cursor: null } });
  const client = clientOf(server.url, new StandingClock());
  for await (const claim of client.claims({ cursor: "c" })) assert.equal(claim.claim_no, "C-1");
  for await (const inquiry of client.inquiries({ cursor: "q" })) assert.equal(inquiry.qna_id, "q-1");
  assert.deepEqual(server.got.map((request) => request.query), ["cursor=c", "cursor=q"]);
});
