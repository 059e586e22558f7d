// Keeps a seller's orders in a SQLite file and ships the open ones that a CSV file lists:
//
//   export SELLER_API_URL=https://open-api.example.com SELLER_API_KEY=vpk_live_…
//   node dist/example/main.js --db orders.db                           collects every 5 minutes, until Ctrl-C
//   node dist/example/main.js --db orders.db --once                    collects once
//   node dist/example/main.js --db orders.db --once --ship today.csv   collects, ships, collects again
//
// The file has the columns order_no, item_id, carrier and tracking_no, in UTF-8. A tracking number has digits, blanks and
// hyphens; a cell that is not certainly one costs its row. Running the same file again is harmless.

import { run } from "./run.js";

const controller = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => controller.abort());

run(process.argv.slice(2), process.env, (line) => console.log(line), controller.signal).catch((error: unknown) => {
  if (controller.signal.aborted) return;
  console.error(`mirror: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
