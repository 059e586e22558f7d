// Lists orders with the clients of three generators, and prints the generator's name and the first order's number.
import createFetchClient from "openapi-fetch";

import { createClient, createConfig } from "./gen/hey-api/client/index.ts";
import { listOrders } from "./gen/hey-api/sdk.gen.ts";
import type { paths } from "./gen/openapi-typescript.ts";
import { Api, CarrierName } from "./gen/swagger-typescript-api/api.ts";

// Names that the contract defines for values that are not identifiers (x-enum-varnames). If a name changes or is no longer read,
// this does not compile.
export const carriers = [CarrierName.CarrierCJ, CarrierName.CarrierPost, CarrierName.CarrierHanjin, CarrierName.CarrierLotte, CarrierName.CarrierLogen];

const baseUrl = process.env.GATEWAY_URL ?? "";
const key = process.env.SELLER_KEY ?? "";
const headers = { "X-Api-Key": key };

const calls: Record<string, () => Promise<string | undefined>> = {
  "openapi-typescript": async () => {
    const { data } = await createFetchClient<paths>({ baseUrl, headers }).GET("/open/v1/orders", { params: { query: { limit: 1 } } });
    return data?.data.list[0]?.order_no;
  },
  "hey-api": async () => {
    const client = createClient(createConfig({ baseUrl, auth: key }));
    const { data } = await listOrders({ client, query: { limit: 1 } });
    return data?.data.list[0]?.order_no;
  },
  "swagger-typescript-api": async () => {
    const api = new Api({ baseUrl, baseApiParams: { headers, format: "json" } });
    const { data } = await api.open.listOrders({ limit: 1 });
    return data.data.list[0]?.order_no;
  },
};

for (const [generator, call] of Object.entries(calls)) {
  console.log(generator, await call());
}
