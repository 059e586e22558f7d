/** One operation of the API: its name, method and path. */
export interface Operation {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
}

/**
 * Puts an identifier into the path. It refuses identifiers that could become another path in the client, a proxy or the
 * server.
 */
export function addressOf(operation: Operation, identifier?: string): string {
  return operation.path.replace(/\{(\w+)\}/, (_, name: string) => {
    if (identifier === undefined || identifier === "" || identifier === "." || identifier === "..") {
      throw new TypeError(`${operation.name}: ${name} ${JSON.stringify(identifier)} cannot exist`);
    }
    return encodeURIComponent(identifier);
  });
}
