import type { Clock } from "./clock.js";
import { hasCode, isTemporary } from "./errors.js";
import type { CallOptions } from "./transport.js";
import type { Page, Timestamp } from "./values.js";

/**
 * The progress of a synchronization. Store it as JSON; its members are internal to this package. The empty object stands
 * for an empty copy.
 */
export interface SyncState {
  /** When the last complete round began, by the server's clock if known. */
  collected_at?: Timestamp;
  /** The others describe a round that is not complete. */
  started_at?: Timestamp;
  since?: Timestamp;
  cursor?: string;
}

/** The storage of a copy. */
export interface SyncStore<T> {
  /** Returns the state of the last upsert, the empty one before the first. */
  load(): Promise<SyncState> | SyncState;
  /** Stores a page, which may be empty, together with the state after it, preferably in one transaction. */
  upsert(records: T[], state: SyncState): Promise<void> | void;
}

/** The interval and the overlap of rounds. Times are in milliseconds. */
export interface SyncOptions {
  /** The interval between the beginnings of two rounds; 5 minutes by default. */
  everyMs?: number;
  /** How far each round reaches back before the previous one, 10 minutes by default, to compensate for clock differences. */
  overlapMs?: number;
  /** Called after every round, also a failed one. */
  afterRound?: (round: Round) => void;
}

/** The result of one round. */
export interface Round {
  /** The lower bound of `updated_at` that was requested; undefined for everything. */
  since: Timestamp | undefined;
  /** How many pages and records were stored. */
  pages: number;
  records: number;
  /** Whether the round continued an interrupted one. */
  resumed: boolean;
  /** Why the round is not complete; undefined if it is. */
  error: unknown;
}

type PageReader<T> = (filter: { updated_at_gte?: string; limit: number; cursor?: string }, options: CallOptions) => Promise<Page<T>>;

/** The maximum page size, because calls are limited as well as rows. */
const pageSize = 100;

/** How often a round restarts because the server refuses its cursor. */
const restartsPerRound = 3;

/**
 * Keeps a copy of a list up to date. Each round requests what has changed since the previous one began, minus an overlap,
 * and passes the pages to the store, which stores records by identifier, overwriting. The same record can arrive twice,
 * and its state may have moved backwards: store it as received. A round that was interrupted continues where it stopped.
 */
export class Sync<T> {
  readonly #read: PageReader<T>;
  readonly #store: SyncStore<T>;
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #overlapMs: number;
  readonly #afterRound: ((round: Round) => void) | undefined;

  /** @internal Made by the client. */
  constructor(read: PageReader<T>, store: SyncStore<T>, clock: Clock, options: SyncOptions) {
    this.#read = read;
    this.#store = store;
    this.#clock = clock;
    this.#everyMs = options.everyMs ?? 5 * 60_000;
    this.#overlapMs = options.overlapMs ?? 10 * 60_000;
    this.#afterRound = options.afterRound;
  }

  /**
   * Does rounds until the signal is aborted, the store fails, or a response is a permanent refusal, and is rejected with
   * the reason. After a temporary failure, the next round follows at its regular time.
   */
  async run(signal?: AbortSignal): Promise<never> {
    for (;;) {
      const begun = this.#clock.now();
      try {
        await this.round(signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (!isTemporary(error)) throw error;
      }
      signal?.throwIfAborted();
      await this.#clock.wait(Math.max(this.#everyMs - (this.#clock.now() - begun), 0), signal);
    }
  }

  /** Does one round. */
  async round(signal?: AbortSignal): Promise<Round> {
    const round: Round = { since: undefined, pages: 0, records: 0, resumed: false, error: undefined };
    try {
      await this.#collect(round, signal);
      return round;
    } catch (error) {
      round.error = error;
      throw error;
    } finally {
      this.#afterRound?.(round);
    }
  }

  async #collect(round: Round, signal: AbortSignal | undefined): Promise<void> {
    let state = await this.#store.load();
    round.resumed = state.cursor !== undefined;
    if (!round.resumed) state = this.#begin(state);
    round.since = state.since;
    for (let restarts = 0; ; ) {
      let page: Page<T>;
      try {
        [state, page] = await this.#step(state, signal);
      } catch (error) {
        if (!hasCode(error, "INVALID_CURSOR") || state.cursor === undefined || restarts === restartsPerRound) throw error;
        restarts++;
        state = this.#begin(state);
        continue;
      }
      await this.#store.upsert(page.list, state);
      round.pages++;
      round.records += page.list.length;
      if (page.next_cursor === null) return;
    }
  }

  /** The state before the first page of a round. */
  #begin({ collected_at }: SyncState): SyncState {
    if (collected_at === undefined) return {};
    return { collected_at, since: new Date(Date.parse(collected_at) - this.#overlapMs).toISOString() };
  }

  /** Reads the next page and returns it with the state after it. */
  async #step(state: SyncState, signal: AbortSignal | undefined): Promise<[SyncState, Page<T>]> {
    let now = this.#clock.now();
    const page = await this.#read(
      { limit: pageSize, ...(state.since && { updated_at_gte: state.since }), ...(state.cursor && { cursor: state.cursor }) },
      { ...(signal && { signal }), onResponse: (info) => (now = (info.status === 200 && info.date) || now) },
    );
    const started_at = state.started_at ?? new Date(now).toISOString();
    if (page.next_cursor === null) return [{ collected_at: started_at }, page];
    return [{ ...state, started_at, cursor: page.next_cursor }, page];
  }
}
