/** One row of the interface: its name there, and how it is reached. */
export interface Operation {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
}

/**
 * Puts an identifier into the path. Those that would become another path, whatever stands between client and server, are
 * refused here.
 */
export function addressOf(operation: Operation, identifier?: string): string {
  return operation.path.replace(/\{(\w+)\}/, (_, name: string) => {
    if (identifier === undefined || identifier === "" || identifier === "." || identifier === "..") {
      throw new TypeError(`${operation.name}: ${name} ${JSON.stringify(identifier)} cannot exist`);
    }
    return encodeURIComponent(identifier);
  });
}
