// Ships an item with the TypeScript client as a registry has it, from a CommonJS module.
const { Client } = require("seller-open-api");

const client = new Client(process.env.SELLER_API_URL, process.env.SELLER_API_KEY);
const [order, item] = process.argv.slice(2);
client
  .shipOrder(order, { item_ids: [item], carrier_name: "CJ대한통운", tracking_no: "6123-4567-8904" })
  .then(({ items }) => console.log(items[0].item_status));
