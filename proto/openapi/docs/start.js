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

// The labels of the library in Korean, as far as this page shows them; it has others in English.
const koreanLabels = {
  common: { description: "설명", httpMethod: "HTTP 메서드", path: "경로", copyDefault: "기본값 복사", copyExample: "예시 값 복사" },
  navigation: {
    introduction: "소개", closeGroup: "그룹 접기", closeMenu: "메뉴 닫기", openGroup: "그룹 펼치기", openMenu: "메뉴 열기", operations: "기능",
    endpoints: "{name} 기능", showAllEndpoints: "{name} 기능 모두 보기", sidebarFor: "{name} 사이드바", mainContent: "{name} API 문서", collapsed: "접힘",
  },
  server: { label: "서버", select: "서버 선택" },
  clientLibraries: { heading: "예제 언어", more: "더 보기", selectAll: "모든 언어에서 선택" },
  operation: {
    codeSampleUnavailable: "이 예시에는 코드가 없습니다.", body: "본문", cookies: "쿠키", headers: "헤더", pathParameters: "경로 파라미터",
    queryParameters: "쿼리 파라미터", requestBody: "요청 본문", responses: "응답", testRequest: "호출해 보기", selectedContentType: "선택한 콘텐츠 형식",
  },
  response: { exampleResponses: "응답 예시", noBody: "본문 없음", showSchema: "스키마 보기", status: "상태" },
  schema: {
    example: "예시", examples: "예시", default: "기본값", schema: "스키마", emptyObject: "빈 객체", showAdditionalProperties: "추가 항목 보기", forName: "{name}",
    showSchemaDetails: "스키마 자세히 보기", oneOf: "다음 중 하나", anyOf: "다음 중 하나 이상", allOf: "다음 모두", not: "다음이 아님", unknownType: "알 수 없는 형식",
    propertyCount: "항목: {count}", headerCount: "헤더: {count}", recursiveReference: "{name} 재귀 참조", recursive: "재귀", additionalProperties: "추가 항목",
    const: "고정값", deprecated: "지원 종료 예정", discriminator: "구분 항목", enum: "허용 값", format: "형식", greaterThan: "초과", keys: "키", lessThan: "미만",
    max: "최대", min: "최소", maxLength: "최대 길이", minLength: "최소 길이", multipleOf: "배수", nullable: "null 가능", propertyNames: "항목 이름", pattern: "패턴",
    copyPattern: "패턴 복사", readOnly: "읽기 전용", required: "필수", hideValues: "값 숨기기", showAllValues: "값 모두 보기", type: "형식", unique: "중복 없음",
    values: "값", writeOnly: "쓰기 전용",
  },
  models: { label: "스키마" },
  actions: {
    copyAsMarkdown: "Markdown으로 복사", copied: "복사됨", copyMarkdownFailed: "복사하지 못했습니다", copyLink: "링크 복사", copyLinkTo: "{name} 링크 복사",
    copyToClipboard: "클립보드에 복사", copyEndpointUrl: "주소 복사", showMore: "더 보기",
  },
  authentication: {
    detailsRequired: "인증 필요", detailsOptional: "인증 선택", apiKey: "API 키", apiKeyHeader: "API 키를 “{name}” 헤더로 보냅니다.", title: "인증",
    authentication: "인증", optional: "인증 선택", required: "인증 필요", requires: "필요:", oneOf: "다음 중 하나:", allOf: "다음 모두:", accepts: "사용 가능:",
  },
  apiClient: {
    requestBlock: {
      authentication: "인증", variables: "경로 파라미터", cookies: "쿠키", headers: "헤더", queryParameters: "쿼리 파라미터", requestBody: "요청 본문",
      requestName: "요청 이름", label: "요청: {name}",
    },
    responseBlock: { response: "응답", requestHeaders: "요청 헤더", responseHeaders: "응답 헤더", body: "본문" },
    codeInput: { required: "필수" },
    codeInputLite: { required: "필수" },
    dataTableInput: { clearValue: "값 지우기", showPassword: "키 보기", hidePassword: "키 숨기기" },
    dataTableInputSelect: { value: "값", addValue: "값 추가" },
    collapsibleSection: { collapsed: "(접힘)", item: "개", items: "개" },
    modalClientContainer: { label: "호출해 보기" },
    header: { closeClient: "닫기" },
    requestBody: { noBody: "본문 없음", delete: "삭제", other: "기타", none: "없음" },
    requestBodyStructured: { body: "본문" },
    requestBodyViewToggle: { form: "양식", raw: "원문" },
    requestCodeSnippet: { unavailable: "이 예시에는 코드가 없습니다.", codeSnippet: "코드" },
    requestTable: { enabled: "사용", key: "이름", value: "값" },
    requestTableRow: {
      key: "이름", value: "값", delete: "삭제", include: "{name} 보내기", keyLabel: "{name} 이름", valueLabel: "{name} 값", deleteRow: "{name} 삭제", row: "행",
    },
    requestTableTooltip: { min: "최소:", max: "최대:", default: "기본값:", invalid: "올바르지 않은 값입니다", moreInformation: "자세히" },
    headers: { headerKey: "헤더 이름", headerValue: "헤더 값", noHeaders: "헤더 없음" },
    responseBodyToggle: { preview: "미리 보기", raw: "원문" },
    responseBodyVirtual: { body: "본문" },
    responseCookies: { cookies: "쿠키", noCookies: "쿠키 없음" },
    responseEmpty: { sendRequest: "보내기" },
    responseLoadingOverlay: { cancel: "취소" },
    addressBar: { path: "경로", copyUrl: "주소 복사", send: "보내기", sendRequest: "{method} 요청 보내기: {url}" },
    addressBarHistory: { requestHistory: "보낸 요청" },
    requestAuthTab: { name: "이름", value: "값", cancel: "취소" },
    sectionFilter: { all: "전체", auth: "인증", variables: "경로", cookies: "쿠키", headers: "헤더", query: "쿼리", body: "본문" },
    requestParams: { clearAll: "{title} 모두 지우기", clear: "지우기", clearOptionalParameters: "선택 파라미터 지우기" },
    responseBodyDownload: { download: "응답 본문 내려받기", label: "내려받기", body: "응답 본문" },
    responseMetaInformation: { duration: "응답 정보, 시간:", size: ", 크기:", status: ", 상태:" },
    authSelector: { selectedType: "선택한 인증: {type}", selectType: "인증 선택", optional: "선택", required: "필수", requiredGroup: "필요한 인증" },
    operationBlock: { pathParametersRequired: "경로 파라미터에 값이 필요합니다." },
  },
};

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
    modelsSectionLabel: "Schemas", // in Korean too: links to schemas are made of it
    ...(document.documentElement.lang === "ko" && { localization: { locale: "ko", translations: koreanLabels } }),
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
