import { passingStatus, SellerApiError, UnansweredError } from "./errors.js";

/** Bounds the repetition of calls. Times are milliseconds. */
export interface RetryPolicy {
  /** How many times a request is sent at most; 8 by default, 1 never repeats. */
  attempts: number;
  /** The pause after the first failure without Retry-After, 500 by default; each further one is twice as long. */
  firstPauseMs: number;
  /** The longest pause, 30000 by default. Jitter takes up to a half of a pause away. */
  longestPauseMs: number;
  /** The longest Retry-After that is waited for, 120000 by default; a longer one is handed to the caller. */
  longestRetryAfterMs: number;
}

export const defaultRetry: RetryPolicy = { attempts: 8, firstPauseMs: 500, longestPauseMs: 30_000, longestRetryAfterMs: 120_000 };

/** Added at most to Retry-After, so that clients that were refused together do not return together. */
const retryAfterJitterMs = 500;

/** How long to wait after a failed try, counted from 1, before sending again; undefined for not again. */
export function pauseAfter(error: unknown, attempt: number, policy: RetryPolicy, random: () => number): number | undefined {
  if (attempt >= policy.attempts || !passes(error)) return undefined;
  if (error instanceof SellerApiError && error.retryAfterMs > 0) {
    if (error.retryAfterMs > policy.longestRetryAfterMs) return undefined;
    return error.retryAfterMs + random() * retryAfterJitterMs;
  }
  const longest = Math.min(policy.firstPauseMs * 2 ** (attempt - 1), policy.longestPauseMs);
  return longest - (random() * longest) / 2;
}

/** The failures that are repeated without asking: nothing was processed, or the outcome is open. */
function passes(error: unknown): boolean {
  if (error instanceof UnansweredError) return error.repeatable;
  return error instanceof SellerApiError && (error.code === "IDEMPOTENCY_IN_PROGRESS" || passingStatus(error.status));
}
