import type { Time } from "./values.js";

const form = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * Formats a time as the server does: in UTC, with microseconds; finer digits are cut off. A string that is not a time
 * with an offset is left as it is, for the server to check.
 */
export function formatTime(at: Time): string {
  if (at instanceof Date) return at.toISOString().replace("Z", "000Z");
  const parts = form.exec(at);
  const second = parts ? new Date(`${parts[1]}${parts[3]}`) : undefined;
  if (!parts || !second || Number.isNaN(second.getTime())) return at;
  const fraction = (parts[2] ?? "").padEnd(6, "0").slice(0, 6);
  return `${second.toISOString().slice(0, 19)}.${fraction}Z`;
}
