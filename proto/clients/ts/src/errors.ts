import type { ErrorCode, ErrorData, FieldError, KnownErrorCode } from "./contract.js";

/** A response that refuses the call. */
export class SellerApiError extends Error {
  override readonly name = "SellerApiError";
  /** Name of the operation in the interface description, such as `ship_order`. */
  readonly operation: string;
  /** The HTTP status. */
  readonly status: number;
  /** The fixed code; null if the response has none. Unknown codes are passed through. */
  readonly code: ErrorCode;
  /** Identifies the request in the server's log. Quote it when you report a problem. */
  readonly requestId: string;
  /** The details of the code, including unknown members. */
  readonly data: ErrorData;
  /** How long the server asked to wait; 0 if it did not. */
  readonly retryAfterMs: number;
  /** The key of the process call; empty for reads. */
  readonly idempotencyKey: string;
  /** How many times the request was sent. */
  readonly attempts: number;

  /** @internal */
  constructor(facts: Omit<SellerApiError, keyof Error | "field">, text: string) {
    super(`${facts.operation}: ${facts.status} ${facts.code ?? "no code"}: ${text} (request ${facts.requestId})`);
    this.operation = facts.operation;
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.data = facts.data;
    this.retryAfterMs = facts.retryAfterMs;
    this.idempotencyKey = facts.idempotencyKey;
    this.attempts = facts.attempts;
  }

  /** The error of a field of the request, such as `items[3].tracking_no` or `query.limit`, after `VALIDATION_ERROR`. */
  field(name: string): FieldError | undefined {
    return this.data.errors?.find((problem) => problem.field === name);
  }
}

/**
 * There was no usable response: a broken connection, a timeout, an aborted signal; `cause` is the error of the last
 * attempt. A process call may have had its effect. Sending the same request again with the same key is safe.
 */
export class UnansweredError extends Error {
  override readonly name: string = "UnansweredError";
  readonly operation: string;
  /** The key of the process call; empty for reads. */
  readonly idempotencyKey: string;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** Whether a retry may lead to a response. */
  readonly repeatable: boolean;

  /** @internal */
  constructor(facts: { operation: string; idempotencyKey: string; attempts: number; repeatable: boolean; cause: unknown }) {
    super(`${facts.operation}: no answer (tries: ${facts.attempts}): ${textOf(facts.cause)}`, { cause: facts.cause });
    this.operation = facts.operation;
    this.idempotencyKey = facts.idempotencyKey;
    this.attempts = facts.attempts;
    this.repeatable = facts.repeatable;
  }
}

/**
 * The signal ended the call; `cause` is its reason. As with every call without a response, a process call may have had
 * its effect.
 */
export class AbortError extends UnansweredError {
  override readonly name = "AbortError";
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${textOf(error.cause)}`;
}

/** Reports whether an error is the refusal with this code. */
export function hasCode(error: unknown, code: KnownErrorCode | (string & {})): error is SellerApiError {
  return error instanceof SellerApiError && error.code === code;
}

const temporaryCodes: readonly ErrorCode[] = ["IDEMPOTENCY_IN_PROGRESS", "QNA_ANSWER_UNRESOLVED", "EXCHANGE_ITEM_SHIP_FAILED"];

/** Whether a status, whatever its code, means that the same request may succeed later. */
export function passingStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/**
 * Reports whether the same request, with the same key, may succeed later. A call that fails with such an error was
 * already retried for a while.
 */
export function isTemporary(error: unknown): boolean {
  if (error instanceof UnansweredError) return error.repeatable;
  return error instanceof SellerApiError && (passingStatus(error.status) || temporaryCodes.includes(error.code));
}
