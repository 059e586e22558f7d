import { systemClock, type Clock } from "./clock.js";
import { AbortError, SellerApiError, UnansweredError } from "./errors.js";
import type { ErrorCode, ErrorData } from "./contract.js";
import { addressOf, type Operation } from "./operation.js";
import { defaultRetry, pauseAfter, type RetryPolicy } from "./retry.js";
import { checkTexts } from "./texts.js";
import { formatTime } from "./times.js";
import type { Time } from "./values.js";

/** The languages of messages. */
export const languages = ["en", "ko"] as const;

/** A language of messages. */
export type Language = (typeof languages)[number];

/** The options of a client; all have defaults. */
export interface ClientOptions {
  /** The limits of retries. */
  retry?: Partial<RetryPolicy>;
  /** The timeout of each attempt, in milliseconds; 45000 by default, since a batch may take 30 s. */
  timeoutMs?: number;
  /** Language of messages; English by default. */
  language?: Language;
  /** Identifies the calling program in the server's log. */
  userAgent?: string;
  /** Generates idempotency keys. Every key must be unique among all keys of the seller. */
  newKey?: () => string;
  /** Sends the requests. */
  fetch?: typeof globalThis.fetch;
  /** Replaces the clock, in tests. */
  clock?: Clock;
  /** Replaces the source of jitter, numbers from 0 to 1, in tests. */
  random?: () => number;
}

/** The options of one call. */
export interface CallOptions {
  /** Ends the call at any moment, also in pauses. */
  signal?: AbortSignal;
  /** Sent as X-Request-Id: 1 to 64 characters of A-Z a-z 0-9 . _ -. */
  requestId?: string;
  /** Called with the metadata of each response, also of failures. */
  onResponse?: (info: ResponseInfo) => void;
}

/** The options of one process call. */
export interface ProcessOptions extends CallOptions {
  /**
   * The Idempotency-Key: 1 to 200 characters, the same for every repetition of the same request, and a new one for every
   * other request. A new UUID if it is absent.
   */
  idempotencyKey?: string;
  /**
   * Recovers the call when its key has expired (410): the client reads the order or claim; if it is in the wanted state,
   * the call has succeeded, otherwise the client sends the request once more with a new key. A batch and an answer to an
   * inquiry are sent again without reading: what was done already counts as done there.
   */
  recoverExpired?: boolean;
}

/** The metadata of a response. Numbers are -1 if the response did not have them. */
export interface ResponseInfo {
  /** The HTTP status. */
  status: number;
  requestId: string;
  /** The key that was sent; empty for reads. */
  idempotencyKey: string;
  /** Whether this is the stored first response to the key. */
  replayed: boolean;
  /** How many times the request was sent. */
  attempts: number;
  /** How many calls of this kind the key has in 60 seconds, and how many are left. */
  limit: number;
  remaining: number;
  /** The same for the rows of reads. */
  rowsLimit: number;
  rowsRemaining: number;
  /** Whether the server did not hold a call with `wait`, because it holds as many as it can. */
  notHeld: boolean;
  /** The server's clock, in milliseconds since 1970; undefined when unknown. */
  date: number | undefined;
}

/** One request, sent once or several times. */
export interface Call {
  operation: Operation;
  identifier?: string;
  filter?: object;
  body?: unknown;
  key: string;
  options: CallOptions;
}

/** Sends calls until they have a final response. */
export class Transport {
  readonly clock: Clock;
  readonly newKey: () => string;
  readonly #base: string;
  readonly #key: string; // private to the engine, so that printing a client does not show it
  readonly #fetch: typeof globalThis.fetch;
  readonly #retry: RetryPolicy;
  readonly #random: () => number;
  readonly timeoutMs: number;
  readonly #headers: Record<string, string>;

  constructor(baseUrl: string, apiKey: string, options: ClientOptions) {
    const base = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
    if (!base || !/^https?:$/.test(base.protocol) || base.search || base.hash || base.username || base.password) {
      throw new TypeError("the base address must be like https://host");
    }
    if (!apiKey.trim()) throw new TypeError("the API key is empty");
    this.#base = baseUrl.replace(/\/+$/, "");
    this.#key = apiKey.trim();
    this.#fetch = options.fetch ?? globalThis.fetch;
    this.#retry = { ...defaultRetry, ...options.retry };
    this.#random = options.random ?? Math.random;
    this.timeoutMs = options.timeoutMs ?? 45_000;
    this.clock = options.clock ?? systemClock;
    this.newKey = options.newKey ?? (() => globalThis.crypto.randomUUID());
    this.#headers = { Accept: "application/json", "User-Agent": options.userAgent ?? "seller-open-api-ts/1.0.0" };
    if (options.language) {
      if (!languages.includes(options.language)) {
        throw new TypeError(`language "${options.language}": the languages are ${languages.join(", ")}`);
      }
      this.#headers["Accept-Language"] = options.language;
    }
  }

  /** Returns the data of the response. */
  async send<T>(call: Call): Promise<T> {
    checkTexts(call);
    const url = this.#base + addressOf(call.operation, call.identifier) + queryOf(call.filter);
    const request: RequestInit = { method: call.operation.method, headers: this.#headersOf(call), redirect: "manual" };
    if (call.body !== undefined) request.body = JSON.stringify(call.body);
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.#try(url, request, call, attempt)) as T;
      } catch (error) {
        const pause = pauseAfter(error, attempt, this.#retry, this.#random);
        if (pause === undefined || call.options.signal?.aborted) throw error;
        await this.clock.wait(pause, call.options.signal).catch((reason: unknown) => {
          throw unanswered(call, attempt, false, reason);
        });
      }
    }
  }

  /** Sends the call once. Redirects, which the API never makes, are not followed: they would send the key elsewhere. */
  async #try(url: string, request: RequestInit, call: Call, attempt: number): Promise<unknown> {
    const timeout = AbortSignal.timeout(this.timeoutMs);
    const signal = call.options.signal ? AbortSignal.any([timeout, call.options.signal]) : timeout;
    const broken = (error: unknown): never => {
      throw unanswered(call, attempt, !call.options.signal?.aborted && !distrusted(error), error);
    };
    const response = await this.#fetch(url, { ...request, signal }).catch(broken);
    call.options.onResponse?.(infoOf(response, call, attempt));
    const envelope = parse(await response.text().catch(broken));
    if (response.status !== 200) throw this.#refusal(response, envelope, call, attempt);
    if (envelope?.data === undefined || envelope.data === null) {
      throw unanswered(call, attempt, true, new Error("the answer is cut off or not the envelope"));
    }
    return envelope.data;
  }

  #refusal(response: Response, envelope: Envelope | undefined, call: Call, attempts: number): SellerApiError {
    const meta = envelope?.meta;
    const data = meta?.error_data ?? { request_id: response.headers.get("X-Request-Id") ?? "", doc_url: "" };
    return new SellerApiError(
      {
        operation: call.operation.name, status: response.status, code: meta?.error_code ?? null, requestId: data.request_id, data,
        retryAfterMs: retryAfterOf(response.headers.get("Retry-After"), this.clock.now()), idempotencyKey: call.key, attempts,
      },
      meta?.message ?? response.statusText,
    );
  }

  #headersOf(call: Call): Headers {
    const headers = new Headers({ ...this.#headers, "X-Api-Key": this.#key });
    if (call.options.requestId) headers.set("X-Request-Id", call.options.requestId);
    if (call.operation.method !== "GET") headers.set("Idempotency-Key", call.key);
    if (call.body !== undefined) headers.set("Content-Type", "application/json");
    return headers;
  }
}

interface Envelope {
  meta?: { message?: string; error_code?: ErrorCode; error_data?: ErrorData | null };
  data?: unknown;
}

/** Parses the envelope; undefined if the body is not one, for instance because a proxy wrote it. */
function parse(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function unanswered(call: Call, attempts: number, repeatable: boolean, cause: unknown): UnansweredError {
  const kind = call.options.signal?.aborted ? AbortError : UnansweredError;
  return new kind({ operation: call.operation.name, idempotencyKey: call.key, attempts, repeatable, cause });
}

/** Reports whether a certificate is not trusted, which a retry does not change. */
function distrusted(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code);
}

function infoOf(response: Response, call: Call, attempts: number): ResponseInfo {
  const number = (name: string) => Number.parseInt(response.headers.get(name) ?? "-1", 10);
  const date = Date.parse(response.headers.get("Date") ?? "");
  return {
    status: response.status, requestId: response.headers.get("X-Request-Id") ?? "", idempotencyKey: call.key,
    replayed: response.headers.get("Idempotent-Replayed") === "true", attempts,
    limit: number("X-RateLimit-Limit"), remaining: number("X-RateLimit-Remaining"),
    rowsLimit: number("X-RateLimit-Rows-Limit"), rowsRemaining: number("X-RateLimit-Rows-Remaining"),
    notHeld: response.headers.get("X-Wait") === "0", date: Number.isNaN(date) ? undefined : date,
  };
}

/** Parses Retry-After, which is in seconds, or a time if a proxy wrote it. */
function retryAfterOf(text: string | null, now: number): number {
  if (text === null) return 0;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(seconds, 0) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(at - now, 0);
}

/** Encodes a filter; a plus sign becomes %2B. Members that are undefined are not sent. */
function queryOf(filter?: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter ?? {}) as [string, Time | number | undefined][]) {
    if (value === undefined) continue;
    query.set(name, value instanceof Date || (typeof value === "string" && /_[gl]te$/.test(name)) ? formatTime(value) : String(value));
  }
  query.sort();
  const text = query.toString();
  return text && `?${text}`;
}
