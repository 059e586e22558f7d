// What the types of the contract are made of: lists of values, times and pages.

/** A known value, or one that was added later: lists of values grow within version 1. */
export type Open<Known extends string> = Known | (string & {});

/** A point in time: UTC, six fractional digits, `2026-03-14T02:11:09.482913Z`. Such texts sort by time. */
export type Timestamp = string;

/** One page of a list. */
export interface Page<T> {
  list: T[];
  /** The cursor of the next page; null on the last one. */
  next_cursor: string | null;
  /** The position after a page that was read with `after`. */
  after?: string;
}

/** A time in a filter. Strings keep their microseconds; a Date has none. */
export type Time = Date | string;
