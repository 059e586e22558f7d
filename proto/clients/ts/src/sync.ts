import type { Clock } from "./clock.js";
import { hasCode, isTemporary } from "./errors.js";
import type { CallOptions } from "./transport.js";
import type { Page, Timestamp } from "./values.js";

/**
 * How far collecting has come. Store it as JSON; its members are this package's own business. The empty object stands for
 * a copy that is still empty.
 */
export interface SyncState {
  /** When the last complete round began, by the server's clock where it tells. */
  collected_at?: Timestamp;
  /** The others belong to a round that is not complete. */
  started_at?: Timestamp;
  since?: Timestamp;
  cursor?: string;
}

/** Where a copy is kept. */
export interface SyncStore<T> {
  /** Returns the state of the last upsert, the empty one before the first. */
  load(): Promise<SyncState> | SyncState;
  /** Stores a page, which may be empty, together with the state behind it: best in one transaction. */
  upsert(records: T[], state: SyncState): Promise<void> | void;
}

/** When and how far back rounds ask. Times are milliseconds. */
export interface SyncOptions {
  /** From the beginning of a round to the next; 5 minutes by default. */
  everyMs?: number;
  /** How far each round reaches back behind the one before, 10 minutes by default: it makes up for clocks that differ. */
  overlapMs?: number;
  /** Is told of every round, also of one that failed. */
  afterRound?: (round: Round) => void;
}

/** What one round did. */
export interface Round {
  /** The least `updated_at` that was asked for; undefined for everything. */
  since: Timestamp | undefined;
  /** How much was stored. */
  pages: number;
  records: number;
  /** The round went on where an interrupted one had stopped. */
  resumed: boolean;
  /** Why the round is not complete; undefined when it is. */
  error: unknown;
}

type PageReader<T> = (filter: { updated_at_gte?: string; limit: number; cursor?: string }, options: CallOptions) => Promise<Page<T>>;

/** The largest page, because calls are limited as well as rows. */
const pageSize = 100;

/** How often a round starts again because the server does not take its cursor. */
const restartsPerRound = 3;

/**
 * Keeps a copy of a list up to date. Each round asks for what changed since the one before began, minus an overlap, and
 * hands the pages over to be stored by identifier, overwriting. The same record can arrive twice, and its state may have
 * moved backwards: store it as it is. A round that was interrupted goes on where it stopped.
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
   * Does round after round until the signal is aborted, the store fails, or an answer refuses for good, and is rejected
   * with that. After failures that may pass, the next round comes in its time.
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

  /** Reads the next page and returns it with the state behind it. */
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
