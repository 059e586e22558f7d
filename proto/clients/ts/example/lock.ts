import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";

/**
 * Makes this process the only one that uses a file, and returns a function that releases it.
 *
 * This build of SQLite locks a file with a folder beside it, which a killed process leaves behind. Since only one process
 * at a time gets here, a folder that exists at this point is such a leftover.
 */
export function own(path: string): () => void {
  const mark = `${path}.owner`;
  for (;;) {
    try {
      const file = openSync(mark, "wx");
      writeSync(file, String(process.pid));
      closeSync(file);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const owner = Number(readFileSync(mark, "utf8"));
      if (isAlive(owner)) throw new Error(`process ${owner} works with ${path}; if that is not so, delete ${mark}`);
      rmSync(mark, { force: true });
    }
  }
  rmSync(`${path}.lock`, { recursive: true, force: true });
  return () => rmSync(mark, { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
