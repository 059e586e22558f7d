// Ships an item with the TypeScript client as a registry has it, from an ES module.
import { Client } from "seller-open-api";

const client = new Client(process.env.SELLER_API_URL, process.env.SELLER_API_KEY);
const [order, item] = process.argv.slice(2);
const { items } = await client.shipOrder(order, { item_ids: [item], carrier_name: "CJ대한통운", tracking_no: "6123-4567-8904" });
console.log(items[0].item_status);
