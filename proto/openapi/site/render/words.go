package render

import "sellerapi.dev/pkg/apierr"

var layoutWords = map[string]apierr.Phrase{
	"lead": {
		English: "Orders, claims and product inquiries of one seller, for order-management and ERP systems. JSON over HTTP, one key.",
		Korean:  "한 판매자의 주문, 클레임, 상품 문의를 ERP와 주문 관리 시스템에서 다루는 인터페이스입니다. HTTP와 JSON, 그리고 키 하나면 됩니다.",
	},
	"skip":     {English: "Skip to the content", Korean: "본문으로 건너뛰기"},
	"search":   {English: "Search", Korean: "검색"},
	"noMatch":  {English: "Nothing found.", Korean: "검색 결과가 없습니다."},
	"pages":    {English: "Pages", Korean: "페이지"},
	"contract": {English: "Contract (OpenAPI)", Korean: "계약 문서(OpenAPI)"},
	"table":    {English: "Table", Korean: "표"},
	"language": {English: "Language", Korean: "언어"},
	"happened": {English: "What happened", Korean: "무슨 일이 있었나"},
	"doing":    {English: "What to do", Korean: "어떻게 해야 하나"},
	"example":  {English: "Example", Korean: "예시"},
	"request":  {English: "Request", Korean: "요청"},
	"answer":   {English: "Answer", Korean: "응답"},
	"message":  {English: "Text", Korean: "문구"},
	"code":     {English: "Code", Korean: "코드"},
	"setting":  {English: "What", Korean: "항목"},
	"value":    {English: "Here", Korean: "이 시스템의 값"},
	"published": {
		English: "These are the published values. Those of this system are shown where scripts may run.",
		Korean:  "공개된 기본값입니다. 스크립트를 허용하면 이 시스템의 값이 표시됩니다.",
	},
	"statusLead": {English: "What the installation that serves this page is set to.", Korean: "이 페이지를 제공하는 시스템의 설정입니다."},
}

var words = struct {
	here, hereLead, inBatch, kept, onlyInBatch, programs, reference, schema, without apierr.Phrase
}{
	reference: apierr.Phrase{English: "Reference", Korean: "레퍼런스"},
	schema:    apierr.Phrase{English: "Schema", Korean: "스키마"},
	programs:  apierr.Phrase{English: "Language of the programs", Korean: "프로그램 언어"},
	here:      apierr.Phrase{English: "This system", Korean: "이 시스템"},
	hereLead: apierr.Phrase{
		English: "This is a development system. Everybody who reads this page may try calls with this key:",
		Korean:  "이 시스템은 개발 환경입니다. 이 페이지를 읽는 누구나 아래 키로 호출해 볼 수 있습니다.",
	},
	inBatch: apierr.Phrase{English: "also in failed[] of a batch", Korean: "일괄 발송의 failed[]에도 나타남"},
	without: apierr.Phrase{English: "no code (error_code is null)", Korean: "코드 없음(error_code는 null)"},
	kept: apierr.Phrase{
		English: "kept under its Idempotency-Key for 24 hours; a later attempt needs a new key",
		Korean:  "멱등키로 24시간 보관, 다시 시도할 때는 새 키 필요",
	},
	onlyInBatch: apierr.Phrase{
		English: "only in failed[] of a batch", Korean: "일괄 발송의 failed[]에만 나타남",
	},
}
