import type { Clock } from "./clock.js";
import { hasCode, isTemporary } from "./errors.js";
import { formatTime } from "./times.js";
import type { CallOptions, ResponseInfo } from "./transport.js";
import type { Page, Timestamp } from "./values.js";

/**
 * The progress of a synchronization. Store it as JSON; its members are internal to this package. The empty object stands
 * for an empty copy.
 */
export interface SyncState {
  /** A time up to which the copy is complete, by the server's clock if known. */
  collected_at?: Timestamp;
  /** The position after the last page. */
  after?: string;
  /** The others describe an incomplete round on a server without positions. */
  started_at?: Timestamp;
  since?: Timestamp;
  cursor?: string;
}

/** The storage of a copy. */
export interface SyncStore<T> {
  /** Returns the state of the last upsert, the empty one before the first. */
  load(): Promise<SyncState> | SyncState;
  /** Stores a page, which may be empty, together with the state after it, in one transaction. */
  upsert(records: T[], state: SyncState): Promise<void> | void;
}

/** The interval and the overlap of rounds. Times are in milliseconds. */
export interface SyncOptions {
  /**
   * The interval between the beginnings of two rounds where the server cannot hold a call until something changes; 5
   * minutes by default.
   */
  everyMs?: number;
  /**
   * How far a round without a position reaches back before the time up to which the copy is complete, 10 minutes by
   * default, to compensate for clock differences.
   */
  overlapMs?: number;
  /** Called after every round, also a failed one. */
  afterRound?: (round: Round) => void;
}

/** The result of one round. */
export interface Round {
  /** The lower bound of `updated_at` that was requested; undefined for everything, and for what is after a position. */
  since: Timestamp | undefined;
  /** How many pages and records were stored. */
  pages: number;
  records: number;
  /** Whether the round continued at the position or cursor that was stored. */
  resumed: boolean;
  /** Why the round is not complete; undefined if it is. */
  error: unknown;
}

/** Selects a page: the one after a position, or the one at a cursor of what has changed since a time. */
interface Query { after?: string; wait?: number; updated_at_gte?: string; cursor?: string; limit: number }

type PageReader<T> = (query: Query, options: CallOptions) => Promise<Page<T>>;

/** The maximum page size, because calls are limited as well as rows. */
const pageSize = 100;

/** How often a round restarts because the server refuses its position or cursor. */
const restartsPerRound = 3;

/** For how many seconds the server may hold a call, and what must remain of the timeout for its answer. */
const longestWait = 25;
const answerMargin = 20;

/** The least time between the beginnings of two rounds whose calls are held: frequent changes must not use up the limits. */
const heldIntervalMs = 5_000;

/** Means that the server is an older one, which refuses or ignores the parameter after. */
class NoPositions extends Error {}

/** A page, the state after it, and whether the server holds calls. */
interface Step<T> { page: Page<T>; state: SyncState; held: boolean }

/**
 * Keeps a copy of a list up to date. It reads the list forwards: each round requests what has changed after the position
 * of the previous page, and passes the pages to the store, which stores records by identifier, overwriting, together with
 * the position. So the copy is exact after every page, wherever the program stops. A state may move backwards: store it as
 * received.
 *
 * An older installation, which has no positions, is read in rounds that overlap: each requests what has changed since the
 * previous one began, minus the overlap. The same record can arrive twice then. A copy that was made in this way is
 * continued with positions as soon as the server has them.
 */
export class Sync<T> {
  readonly #read: PageReader<T>;
  readonly #store: SyncStore<T>;
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #overlapMs: number;
  readonly #afterRound: ((round: Round) => void) | undefined;
  readonly #wait: number;

  /** @internal Made by the client. */
  constructor(read: PageReader<T>, store: SyncStore<T>, { clock, timeoutMs }: { clock: Clock; timeoutMs: number }, options: SyncOptions) {
    this.#read = read;
    this.#store = store;
    this.#clock = clock;
    this.#everyMs = options.everyMs ?? 5 * 60_000;
    this.#overlapMs = options.overlapMs ?? 10 * 60_000;
    this.#afterRound = options.afterRound;
    this.#wait = Math.max(0, Math.min(longestWait, Math.floor(timeoutMs / 1000) - answerMargin));
  }

  /**
   * Does rounds until the signal is aborted, the store fails, or a response is a permanent refusal, and is rejected with
   * the reason. The server holds the call of a round until something changes, for 25 seconds at most; where it does not,
   * the next round follows at its regular time. After a temporary failure it follows as it did after the last round that
   * succeeded.
   */
  async run(signal?: AbortSignal): Promise<never> {
    let held = this.#wait > 0;
    for (;;) {
      const begun = this.#clock.now();
      try {
        ({ held } = await this.#round(this.#wait, signal));
      } catch (error) {
        signal?.throwIfAborted();
        if (!isTemporary(error)) throw error;
      }
      signal?.throwIfAborted();
      const interval = held ? Math.min(this.#everyMs, heldIntervalMs) : this.#everyMs;
      await this.#clock.wait(Math.max(interval - (this.#clock.now() - begun), 0), signal);
    }
  }

  /** Does one round. */
  async round(signal?: AbortSignal): Promise<Round> {
    return (await this.#round(0, signal)).round;
  }

  async #round(wait: number, signal: AbortSignal | undefined): Promise<{ round: Round; held: boolean }> {
    const round: Round = { since: undefined, pages: 0, records: 0, resumed: false, error: undefined };
    try {
      return { round, held: await this.#collect(round, wait, signal) };
    } catch (error) {
      round.error = error;
      throw error;
    } finally {
      this.#afterRound?.(round);
    }
  }

  /** Stores all pages and returns whether the server holds calls. */
  async #collect(round: Round, wait: number, signal: AbortSignal | undefined): Promise<boolean> {
    let state = await this.#store.load();
    round.resumed = isPlaced(state);
    round.since = round.resumed ? state.since : this.#since(state);
    let forwards = true;
    for (let restarts = 0; ; ) {
      let step: Step<T>;
      try {
        step = await (forwards ? this.#forwards(state, wait, signal) : this.#backwards(state, signal));
      } catch (error) {
        if (error instanceof NoPositions) {
          forwards = false;
          continue;
        }
        if (!hasCode(error, "INVALID_CURSOR") || !isPlaced(state) || restarts === restartsPerRound) throw error;
        restarts++;
        state = { ...(state.collected_at && { collected_at: state.collected_at }) };
        continue;
      }
      await this.#store.upsert(step.page.list, step.state);
      round.pages++;
      round.records += step.page.list.length;
      if (step.page.next_cursor === null) return step.held;
      state = step.state;
    }
  }

  /** The time from which a round without a position has to read. */
  #since({ collected_at }: SyncState): Timestamp | undefined {
    return collected_at && new Date(Date.parse(collected_at) - this.#overlapMs).toISOString();
  }

  /** Reads the page after the position of a state. */
  async #forwards(state: SyncState, wait: number, signal: AbortSignal | undefined): Promise<Step<T>> {
    const since = this.#since(state);
    const after = state.after ?? (since ? formatTime(since) : "beginning");
    const { page, now, info } = await this.#page({ after, limit: pageSize, ...(wait > 0 && { wait }) }, signal).catch((error: unknown) => {
      throw refusesAfter(error) ? new NoPositions() : error;
    });
    if (page.after === undefined) throw new NoPositions();
    const collected_at = page.next_cursor === null ? now : state.collected_at;
    return { page, state: { ...(collected_at && { collected_at }), after: page.after }, held: wait > 0 && !info?.notHeld };
  }

  /** Reads the next page of an overlapping round. */
  async #backwards(state: SyncState, signal: AbortSignal | undefined): Promise<Step<T>> {
    const { collected_at, cursor } = state;
    const since = cursor === undefined ? this.#since(state) : state.since;
    const { page, now } = await this.#page(
      { limit: pageSize, ...(since && { updated_at_gte: since }), ...(cursor !== undefined && { cursor }) }, signal);
    const started_at = (cursor !== undefined && state.started_at) || now;
    if (page.next_cursor === null) return { page, state: { collected_at: started_at }, held: false };
    return {
      page, held: false,
      state: { ...(collected_at && { collected_at }), ...(since && { since }), started_at, cursor: page.next_cursor },
    };
  }

  /** Reads a page, and returns it with the server's time, or that before the call if the server does not tell it. */
  async #page(query: Query, signal: AbortSignal | undefined): Promise<{ page: Page<T>; now: Timestamp; info: ResponseInfo | undefined }> {
    const before = this.#clock.now();
    const told: ResponseInfo[] = [];
    const page = await this.#read(query, { ...(signal && { signal }), onResponse: (info) => told.push(info) });
    const info = told.at(-1);
    return { page, info, now: new Date(info?.date ?? before).toISOString() };
  }
}

function isPlaced(state: SyncState): boolean {
  return state.after !== undefined || state.cursor !== undefined;
}

function refusesAfter(error: unknown): boolean {
  return hasCode(error, "VALIDATION_ERROR") && error.field("query.after") !== undefined;
}
