export { Client } from "./client.js";
export type { Clock } from "./clock.js";
export type * from "./contract.js";
export { AbortError, SellerApiError, UnansweredError, hasCode, isTemporary } from "./errors.js";
export type { RetryPolicy } from "./retry.js";
export { Sync, type Round, type SyncOptions, type SyncState, type SyncStore } from "./sync.js";
export { formatTime } from "./times.js";
export type { CallOptions, ClientOptions, Language, ProcessOptions, ResponseInfo } from "./transport.js";
export type * from "./values.js";
