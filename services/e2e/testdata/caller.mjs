// Calls the interface with the TypeScript client: a call a line in, what came of it a line out.
import { createInterface } from "node:readline";

const { Client, SellerApiError } = await import(process.argv[2]);
const client = new Client(process.env.SELLER_API_URL, process.env.SELLER_API_KEY);

/** What came of a call: its result, or the failure that the server told. */
async function call({ method, values }) {
  try {
    return { result: await client[method](...values) };
  } catch (error) {
    if (!(error instanceof SellerApiError)) throw error;
    return { status: error.status, code: error.code };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await call(JSON.parse(line)))}\n`);
}
