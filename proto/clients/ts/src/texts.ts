import type { Call } from "./transport.js";

/**
 * Refuses a call with a text that cannot be written as UTF-8, and names its field. Such a text has lone surrogates, because it
 * was cut or not understood; servers put replacement characters, which nothing turns back.
 */
export function checkTexts({ operation, identifier, filter, body }: Call): void {
  const query = Object.entries(filter ?? {}).map(([name, value]) => [`query.${name}`, value] as const);
  for (const [name, text] of [["the path", identifier] as const, ...query, ...texts("", body)]) {
    if (typeof text === "string" && /\p{Surrogate}/u.test(text)) throw new TypeError(`${operation.name}: ${name} is not UTF-8`);
  }
}

/** The texts in a value, with names such as `items[3].tracking_no`. */
function* texts(name: string, value: unknown): Generator<readonly [string, string], void, undefined> {
  if (typeof value === "string") yield [name, value];
  else if (Array.isArray(value)) for (const [i, element] of value.entries()) yield* texts(`${name}[${i}]`, element);
  else if (typeof value === "object" && value !== null) {
    for (const [member, inner] of Object.entries(value)) yield* texts(name ? `${name}.${member}` : member, inner);
  }
}
