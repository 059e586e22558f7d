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

async function start(place) {
  const answer = await fetch(place.dataset.document);
  if (!answer.ok) {
    throw new Error(`${place.dataset.document} answered ${answer.status}`);
  }
  Scalar.createApiReference(place, {
    content: prepare(await answer.json()),
    servers: [{ url: window.location.origin, description: "This host" }],
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
  });
}

const place = document.getElementById("reference");
new MutationObserver(namePlaceholders).observe(document.body, { childList: true, subtree: true, attributeFilter: ["placeholder"] });
start(place).catch((failure) => {
  place.textContent = `The description cannot be shown: ${failure.message}`;
});
