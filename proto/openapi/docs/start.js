// Shows the description of the interface. Everything comes from this host, and requests go to this host only.
"use strict";

// The page lets people try calls. Its forms are filled with the examples of the document: right for what a call must have,
// wrong for filters, which nobody wants all at once. So examples of what may be left out are switched off, and the key of
// process calls is a fresh one.
function prepare(document) {
  for (const parameter of Object.values(document.components.parameters)) {
    if (!parameter.required) {
      parameter.examples = { example: { value: parameter.example, "x-disabled": true } };
      delete parameter.example;
    }
  }
  if (window.crypto.randomUUID) {
    document.components.parameters.IdempotencyKey.example = window.crypto.randomUUID();
  }
  return document;
}

// The library writes a text of its own into the field of the key. It draws the field late, and again when something changes.
const keyPlaceholder = "vpk_test_…";

function namePlaceholders() {
  for (const field of document.querySelectorAll(".scalar-password-input")) {
    if (field.placeholder !== keyPlaceholder) field.placeholder = keyPlaceholder;
  }
}

// A table that scrolls is reached by keyboard.
function reachTables() {
  for (const table of document.querySelectorAll(".markdown table")) {
    if (table.tabIndex !== 0) table.tabIndex = 0;
  }
}

// What a call needs that exists: the first record of each list, and where the document has its examples of it.
const records = [
  { list: "/open/v1/orders?item_status=paid&limit=1", number: "order_no", parameter: "OrderNo" },
  { list: "/open/v1/claims?limit=1", number: "claim_no", parameter: "ClaimNo" },
  { list: "/open/v1/qna?status=waiting&limit=1", number: "qna_id", parameter: "QnaId" },
];

// Lists that the key may not read, or that are empty, leave the examples as they are.
async function first({ list }, key) {
  const answer = await fetch(list, { headers: { "X-Api-Key": key } });
  return answer.ok ? (await answer.json()).data?.list?.[0] : undefined;
}

// The examples of requests about an order name the line of the order that the forms name.
function nameLines(examples, order) {
  const ids = [order.items.find((item) => item.item_status === "paid").item_id];
  for (const name of ["items", "shipment", "shipment_with_forwarder"]) {
    examples[name].value.item_ids = ids;
  }
  Object.assign(examples.batch.value.items[0], { order_no: order.order_no, item_ids: ids });
  examples.batch.value.items.length = 1;
}

// Names records of the seller whose key was typed, so that a call succeeds as its form is filled. Returns another description: the page
// shows what differs from the one that it has. Undefined where there are none.
async function filled(description, key) {
  const found = await Promise.all(records.map((record) => first(record, key)));
  if (!found.some(Boolean)) return undefined;
  const { components, ...others } = description;
  const own = structuredClone(components);
  records.forEach(({ number, parameter }, i) => {
    if (found[i]) own.parameters[parameter].example = found[i][number];
  });
  if (found[0]) nameLines(own.examples, found[0]);
  return { ...others, components: own };
}

const wholeKey = /^vpk_(test|live)_[0-9A-Za-z_-]{30,}$/;

// An identifier in a table is not broken in the middle; a table that is too wide for it scrolls.
const identifiersWhole = `
  .markdown table { display: block !important; max-width: 100% !important; overflow-x: auto !important; }
  .markdown td code, .markdown td a { white-space: nowrap; overflow-wrap: normal; word-break: normal; }`;

async function start(place) {
  const answer = await fetch(place.dataset.document);
  if (!answer.ok) {
    throw new Error(`${place.dataset.document} answered ${answer.status}`);
  }
  const description = prepare(await answer.json());
  const configuration = {
    content: description,
    servers: [{ url: window.location.origin }],
    authentication: { preferredSecurityScheme: "ApiKey" },
    persistAuth: false, // a key stays in the memory of this page
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    documentDownloadType: "none",
    defaultOpenAllTags: true,
    modelsSectionLabel: "Schemas",
    customCss: identifiersWhole,
  };
  const reference = Scalar.createApiReference(place, configuration);
  let last = "";
  place.addEventListener("change", async ({ target }) => {
    const key = target.value?.trim();
    if (!target.matches(".scalar-password-input") || !wholeKey.test(key) || key === last) return;
    last = key;
    const content = await filled(description, key).catch(() => undefined);
    if (content) {
      const authentication = { ...configuration.authentication, securitySchemes: { ApiKey: { value: key } } };
      reference.updateConfiguration({ ...configuration, content, authentication });
    }
  });
}

const place = document.getElementById("reference");
let isDue = false; // once a frame: the library changes thousands of elements
new MutationObserver(() => {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    namePlaceholders();
    reachTables();
  });
}).observe(document.body, { childList: true, subtree: true, attributeFilter: ["placeholder"] });
start(place).catch((failure) => {
  place.textContent = `${place.dataset.failure} ${failure.message}`;
});
