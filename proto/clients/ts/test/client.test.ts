import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { AbortError, Client, SellerApiError, UnansweredError, formatTime, hasCode, isTemporary } from "../src/index.js";
import { systemClock } from "../src/clock.js";
import { languages, type Language } from "../src/transport.js";
import { StandingClock, clientOf, play } from "./script.js";

test("addresses and keys that cannot work are refused at once", () => {
  for (const base of ["", "open-api.example.com", "ftp://open-api.example.com", "https://", "https://a/?b=c", "https://a/#b", "https://u:hidden@a"]) {
    assert.throws(() => new Client(base, "vpk_test_secret"), (error) => error instanceof TypeError && !error.message.includes("hidden"), base);
  }
  assert.throws(() => new Client("https://open-api.example.com", " "), TypeError);
  new Client("https://open-api.example.com/", "vpk_test_secret\n");
});

test("a language without messages is refused", () => {
  for (const language of ["kr", "ko-KR", "KO"]) {
    const options = { language: language as Language };
    assert.throws(() => new Client("https://open-api.example.com", "vpk_test_secret", options), /"(kr|ko-KR|KO)": the languages are en, ko/);
  }
  for (const language of languages) new Client("https://open-api.example.com", "vpk_test_secret", { language });
});

test("printing a client does not show the key", () => {
  const client = new Client("https://open-api.example.com", "vpk_test_secret");
  assert.ok(!(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).includes("secret"));
});

// HTTP clients and proxies normalize such paths, so that the request would reach another resource.
test("identifiers that would change the path are refused", async (t) => {
  const server = await play(t);
  const client = clientOf(server.url, new StandingClock());
  for (const id of ["", ".", ".."]) {
    await assert.rejects(client.getOrder(id), /order_no/);
    await assert.rejects(client.answerInquiry(id, { content: "네" }), /qna_id/);
  }
  assert.equal(server.got.length, 0);
});

test("keys are new UUIDs", async (t) => {
  const server = await play(t, {}, {});
  const client = new Client(server.url, "vpk_test_secret");
  await client.approveClaim("C-1");
  await client.approveClaim("C-1");
  const keys = server.got.map((request) => String(request.headers["idempotency-key"]));
  for (const key of keys) assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.notEqual(keys[0], keys[1]);
});

test("requests name the caller and the language", async (t) => {
  const server = await play(t, {}, {});
  await clientOf(server.url, new StandingClock(), { language: "ko", userAgent: "erp/7" }).getClaim("C-1", { requestId: "mine-1" });
  await clientOf(server.url, new StandingClock()).getClaim("C-1");
  const headers = server.got.map((request) => request.headers);
  assert.deepEqual([headers[0]?.["accept-language"], headers[0]?.["user-agent"], headers[0]?.["x-request-id"]], ["ko", "erp/7", "mine-1"]);
  assert.deepEqual([headers[1]?.["user-agent"], headers[1]?.["x-request-id"]], ["seller-open-api-ts/1.0.0", undefined]);
  assert.equal(headers[0]?.["idempotency-key"], undefined);
});

test("a signal ends a call in a pause", async (t) => {
  const server = await play(t, { status: 500 }, {});
  const clock = new StandingClock();
  const controller = new AbortController();
  clock.end = { at: 1, with: () => controller.abort() };
  const error = await clientOf(server.url, clock).approveClaim("C-1", { signal: controller.signal }).catch((reason: unknown) => reason);
  assert.ok(error instanceof UnansweredError && error.idempotencyKey === "key-1");
  assert.equal(error.name, "AbortError");
  assert.equal((error.cause as Error).name, "AbortError");
  assert.equal(isTemporary(error), false);
  assert.equal(server.got.length, 1);
});

test("a signal ends a call on its way", async () => {
  const controller = new AbortController();
  const never: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      controller.abort(new Error("closing time"));
    });
  const client = clientOf("https://open-api.example.com", new StandingClock(), { fetch: never });
  const error = await client.approveClaim("C-1", { signal: controller.signal, idempotencyKey: "mine" }).catch((reason: unknown) => reason);
  assert.ok(error instanceof AbortError);
  assert.deepEqual([error.operation, error.idempotencyKey, error.attempts, error.message],
    ["approve_claim", "mine", 1, "approve_claim: no answer (tries: 1): closing time"]);
});

// The outcome of a slow call is unknown; the next attempt, with the same key, gets it.
test("a try that takes too long is repeated", async () => {
  const keys: (string | null)[] = [];
  const slow: typeof fetch = (_, init) => {
    keys.push(new Headers(init?.headers).get("Idempotency-Key"));
    if (keys.length > 1) return Promise.resolve(Response.json({ meta: {}, data: { claim_no: "C-1" } }));
    return new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
  };
  const client = clientOf("https://open-api.example.com", new StandingClock(), { fetch: slow, timeoutMs: 20 });
  const alive = setInterval(() => undefined, 1000); // timeouts alone do not keep a process alive
  const claim = await client.approveClaim("C-1").finally(() => clearInterval(alive));
  assert.equal(claim.claim_no, "C-1");
  assert.deepEqual(keys, ["key-1", "key-1"]);
});

test("a certificate that is not trusted is not tried again", async () => {
  const distrust: typeof fetch = () =>
    Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }) }));
  const clock = new StandingClock();
  await assert.rejects(clientOf("https://open-api.example.com", clock, { fetch: distrust }).getOrder("A-1"),
    { name: "UnansweredError", attempts: 1, repeatable: false, message: /self-signed/ });
  assert.deepEqual(clock.waits, []);
});

test("a key that no header can carry is refused at once", async (t) => {
  const server = await play(t);
  await assert.rejects(clientOf(server.url, new StandingClock()).approveClaim("C-1", { idempotencyKey: "열쇠" }), TypeError);
  assert.equal(server.got.length, 0);
});

test("details of the future are kept", async (t) => {
  const server = await play(t, { status: 409, error_code: "CLAIM_NOT_APPROVABLE", error_data: { request_id: "r-1", depth: 12, reason: "frozen" } });
  const error = await clientOf(server.url, new StandingClock()).approveClaim("C-1").catch((reason: unknown) => reason);
  assert.ok(hasCode(error, "CLAIM_NOT_APPROVABLE"));
  assert.deepEqual(error.data, { request_id: "r-1", depth: 12, reason: "frozen" });
  assert.equal(error.message, "approve_claim: 409 CLAIM_NOT_APPROVABLE: a text (request r-1)");
  assert.equal(error.name, "SellerApiError");
});

test("policies bound the repetition", async (t) => {
  const server = await play(t, { status: 500 }, { status: 500 }, { status: 500 }, { status: 500 });
  const clock = new StandingClock();
  const retry = { attempts: 4, firstPauseMs: 2000, longestPauseMs: 5000 };
  await assert.rejects(clientOf(server.url, clock, { retry }).getOrder("A-1"), SellerApiError);
  assert.deepEqual(clock.waits, [1.5, 3, 3.75]);
});

test("ordinary errors have no code and do not pass", () => {
  assert.equal(hasCode(new Error("disk full"), "ORDER_NOT_FOUND"), false);
  assert.equal(isTemporary(new Error("disk full")), false);
  assert.equal(isTemporary(undefined), false);
});

test("times are written as the server writes them", () => {
  assert.equal(formatTime(new Date("2026-03-14T02:00:00.120Z")), "2026-03-14T02:00:00.120000Z");
  assert.equal(formatTime("2026-03-14T11:00:00.1234567+09:00"), "2026-03-14T02:00:00.123456Z");
  assert.equal(formatTime("2026-03-14T02:00:00Z"), "2026-03-14T02:00:00.000000Z");
  for (const other of ["yesterday", "2026-03-14", "2026-03-14T02:00:00", "2026-13-14T02:00:00Z"]) assert.equal(formatTime(other), other);
});

test("the clock of the system waits, and stops when it is told to", async () => {
  const before = systemClock.now();
  await systemClock.wait(5);
  assert.ok(systemClock.now() - before >= 4);
  const controller = new AbortController();
  const waiting = systemClock.wait(60_000, controller.signal);
  controller.abort(new Error("enough"));
  await assert.rejects(waiting, /enough/);
  await assert.rejects(systemClock.wait(60_000, controller.signal), /enough/);
});
