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

// Texts of this page in the language of the reader.
const words = {
  en: { copy: "Copy", body: "Request body" },
  ko: { copy: "복사", body: "요청 본문" },
}[document.documentElement.lang];

// The library writes a text of its own into the field of the key.
const keyPlaceholder = "vpk_test_…";

// What people who use a keyboard or a screen reader need and the library leaves out, by the elements that lack it. The library draws
// them late, and again when something changes.
const mends = {
  ".scalar-password-input": (field) => setOnce(field, "placeholder", keyPlaceholder),
  ".markdown table, ul.endpoints": (scrolling) => setOnce(scrolling, "tabindex", "0"),
  ".code-input-lite__editor": (field) => {
    if (!field.hasAttribute("aria-label")) field.setAttribute("aria-label", field.dataset.placeholder);
    if (!field.hasAttribute("aria-expanded")) field.setAttribute("aria-expanded", "false");
  },
  ".cm-content": (editor) => setOnce(editor, "aria-label", words.body),
  "button[role=none]": (button) => button.removeAttribute("role"),
  "button:not([aria-label])": (button) => {
    if (button.className.includes("copy-button")) button.setAttribute("aria-label", words.copy);
  },
  // Its text is hidden, also from those who cannot see the picture that stands for it.
  "a:has(> svg):not([aria-label])": (link) => link.setAttribute("aria-label", link.textContent.trim()),
  // Landmarks have different names, so what occurs with every operation is none.
  ".response-card[role=region], section.contents, section[aria-live]": (part) => setOnce(part, "role", "group"),
};

function setOnce(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function mend() {
  for (const [selector, by] of Object.entries(mends)) {
    document.querySelectorAll(selector).forEach(by);
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

// An identifier or a word in a table is not broken in the middle; a table that is too wide for it scrolls. Colours have the contrast
// that AA asks for, on all backgrounds of the library, in both modes.
const style = `
  .markdown table { display: block !important; max-width: 100% !important; overflow-x: auto !important; }
  .markdown td, .markdown th { overflow-wrap: normal !important; word-break: keep-all !important; }
  .markdown td code, .markdown td a { white-space: nowrap; overflow-wrap: normal; word-break: normal; }
  .light-mode { --scalar-color-2: #595959; --scalar-color-3: #636363; --scalar-color-blue: #005fa3; --scalar-color-green: #006b43;
    --scalar-color-orange: #a83900; --scalar-color-red: #b3001e; --scalar-color-purple: #5b3da8; --scalar-color-yellow: #7a5a00; }
  .dark-mode { --scalar-color-3: #a0a0a0; }`;

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
    hideSearch: true, // it knows neither the guides nor the words of the trade; the head of the page leads to the search of the site
    showDeveloperTools: "never",
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    documentDownloadType: "none",
    defaultOpenAllTags: true,
    modelsSectionLabel: "Schemas",
    customCss: style,
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
    mend();
  });
}).observe(document.body, { childList: true, subtree: true, attributeFilter: ["placeholder"] });
start(place).catch((failure) => {
  place.textContent = `${place.dataset.failure} ${failure.message}`;
});
