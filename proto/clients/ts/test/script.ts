import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { Client, type ClientOptions, type Clock } from "../src/index.js";

/** A response of a script, see ../../scenarios/README.md. */
export interface Scripted {
  status?: number;
  data?: unknown;
  error_code?: string | null;
  error_data?: unknown;
  message?: string;
  headers?: Record<string, string | null>;
  text?: string;
  broken?: "reset" | "cut";
}

/** What a request must contain; absent members are not checked. */
export interface Expected {
  method?: string;
  path?: string;
  query?: string;
  key?: string | null;
  body?: unknown;
}

interface Received {
  method: string;
  path: string;
  query: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Returns scripted responses in turn and records the requests. */
export async function play(t: TestContext, ...answers: Scripted[]): Promise<{ url: string; got: Received[] }> {
  const left = [...answers];
  const got: Received[] = [];
  const server = createServer((request, response) => {
    const body: Buffer[] = [];
    request.on("data", (chunk: Buffer) => body.push(chunk));
    request.on("end", () => {
      const [path = "", query = ""] = (request.url ?? "").split("?");
      got.push({ method: request.method ?? "", path, query, headers: request.headers, body: Buffer.concat(body).toString() });
      write(response, left.shift() ?? { status: 418 }); // an unexpected request
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

function write(response: ServerResponse, answer: Scripted): void {
  if (answer.broken === "reset") {
    response.socket?.destroy();
    return;
  }
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    if (value !== null) response.setHeader(name, value);
    else if (name === "Date") response.sendDate = false;
  }
  const status = answer.status ?? 200;
  const { error_code = null, error_data = null } = answer;
  const data = answer.data === undefined && status === 200 ? {} : (answer.data ?? null);
  const text = answer.text ?? JSON.stringify({ meta: { code: status, message: answer.message ?? "a text", error_code, error_data }, data });
  response.statusCode = status;
  if (answer.broken === "cut") {
    response.setHeader("Content-Length", Buffer.byteLength(text) + 1);
    response.write(text, () => response.socket?.destroy());
    return;
  }
  response.end(text);
}

/** A clock that advances only by waiting. */
export class StandingClock implements Clock {
  readonly waits: number[] = [];
  /** Called instead of the wait with this number, counted from 1. */
  end: { at: number; with: () => void } | undefined;
  #now = Date.parse("2026-03-14T02:00:00Z");

  now(): number {
    return this.#now;
  }

  async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.waits.push(milliseconds / 1000);
    if (this.waits.length === this.end?.at) this.end.with();
    else this.#now += milliseconds;
    signal?.throwIfAborted();
  }
}

/** A client with the settings that the scenarios assume. */
export function clientOf(url: string, clock: Clock, options: ClientOptions = {}): Client {
  let keys = 0;
  return new Client(url, "vpk_test_secret", { clock, random: () => 0.5, newKey: () => `key-${++keys}`, ...options });
}

export function requireRequests(want: Expected[], got: Received[]): void {
  assert.equal(got.length, want.length, JSON.stringify(got));
  want.forEach((expected, i) => {
    const request = got[i] as Received;
    assert.equal(request.headers["x-api-key"], "vpk_test_secret");
    for (const name of ["method", "path", "query"] as const) {
      if (expected[name] !== undefined) assert.equal(request[name], expected[name]);
    }
    if (expected.key !== undefined) assert.equal(request.headers["idempotency-key"], expected.key ?? undefined);
    if (expected.body === null) assert.equal(request.body, "");
    else if (expected.body !== undefined) {
      assert.equal(request.headers["content-type"], "application/json");
      assert.deepEqual(JSON.parse(request.body), expected.body);
    }
  });
}

/** Reads one of the files of scenarios. */
export function load<T>(name: string): T[] {
  return JSON.parse(readFileSync(new URL(`../../../scenarios/${name}`, import.meta.url), "utf8")) as T[];
}
