import { passingStatus, SellerApiError, UnansweredError } from "./errors.js";

/** Limits the retries of calls. Times are in milliseconds. */
export interface RetryPolicy {
  /** The maximum number of times a request is sent; 8 by default, 1 means no retries. */
  attempts: number;
  /** The pause after the first failure without Retry-After, 500 by default; each further one is twice as long. */
  firstPauseMs: number;
  /** The longest pause, 30000 by default. Jitter reduces a pause by up to a half. */
  longestPauseMs: number;
  /** The longest Retry-After that the client waits for, 120000 by default; a longer one is returned as an error. */
  longestRetryAfterMs: number;
}

export const defaultRetry: RetryPolicy = { attempts: 8, firstPauseMs: 500, longestPauseMs: 30_000, longestRetryAfterMs: 120_000 };

/** The maximum that is added to Retry-After, so that clients that were refused together do not retry together. */
const retryAfterJitterMs = 500;

/** How long to wait after a failed attempt, counted from 1, before the next one; undefined for no retry. */
export function pauseAfter(error: unknown, attempt: number, policy: RetryPolicy, random: () => number): number | undefined {
  if (attempt >= policy.attempts || !passes(error)) return undefined;
  if (error instanceof SellerApiError && error.retryAfterMs > 0) {
    if (error.retryAfterMs > policy.longestRetryAfterMs) return undefined;
    return error.retryAfterMs + random() * retryAfterJitterMs;
  }
  const longest = Math.min(policy.firstPauseMs * 2 ** (attempt - 1), policy.longestPauseMs);
  return longest - (random() * longest) / 2;
}

/** Whether a failure is retried automatically: nothing was processed, or the outcome is unknown. */
function passes(error: unknown): boolean {
  if (error instanceof UnansweredError) return error.repeatable;
  return error instanceof SellerApiError && (error.code === "IDEMPOTENCY_IN_PROGRESS" || passingStatus(error.status));
}
