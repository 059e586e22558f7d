import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { resolve } from "node:path";

/** The marks of this process. */
const marks = new Set<string>();

/**
 * Makes this process the only one that uses a file, and returns a function that releases it.
 *
 * This build of SQLite locks a file with a folder beside it, which a killed process leaves behind. Since only one process
 * at a time gets here, a folder that exists at this point is such a leftover.
 *
 * Processes are told apart by their ids, so that only those of one machine or container may share a file. A container gives
 * the program the same id after every start: a mark with the own id that this process has not made is a leftover too.
 */
export function own(path: string): () => void {
  const mark = `${resolve(path)}.owner`;
  for (;;) {
    try {
      const file = openSync(mark, "wx");
      writeSync(file, String(process.pid));
      closeSync(file);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const owner = Number(readFileSync(mark, "utf8"));
      const works = owner === process.pid ? marks.has(mark) : isAlive(owner);
      if (works) throw new Error(`process ${owner} works with ${path}; if that is not so, delete ${mark}`);
      rmSync(mark, { force: true });
    }
  }
  marks.add(mark);
  rmSync(`${path}.lock`, { recursive: true, force: true });
  return () => {
    rmSync(mark, { force: true });
    marks.delete(mark);
  };
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
