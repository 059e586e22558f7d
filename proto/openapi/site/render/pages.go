package render

import (
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/proto/openapi/site"
)

type page struct {
	// slug is the end of the path, and the name of the file of a guide.
	slug string
	// made marks pages that are made from tables and not from a file.
	made bool
	// title and about are for the list of pages.
	title, about apierr.Phrase
}

// pages are the pages in the order of the list, without those of the codes.
var pages = []page{
	{
		slug: "start", title: apierr.Phrase{English: "Start", Korean: "시작하기"},
		about: apierr.Phrase{English: "Ten lines to the first call.", Korean: "열 줄로 첫 호출까지."},
	},
	{
		slug: "copy", title: apierr.Phrase{English: "Keep a copy", Korean: "사본 유지하기"},
		about: apierr.Phrase{English: "Collect orders, claims and inquiries every five minutes.", Korean: "주문, 클레임, 문의를 5분마다 수집합니다."},
	},
	{
		slug: "ship", title: apierr.Phrase{English: "Ship", Korean: "발송 처리"},
		about: apierr.Phrase{English: "One parcel, 500 with one call, several for one order.", Korean: "단건, 500건 일괄, 나누어 보내기."},
	},
	{
		slug: "claims", title: apierr.Phrase{English: "Claims", Korean: "클레임"},
		about: apierr.Phrase{English: "Cancel, return and exchange, from the request to the refund.", Korean: "취소, 반품, 교환: 요청부터 환불까지."},
	},
	{
		slug: "exchange", title: apierr.Phrase{English: "An exchange", Korean: "교환 따라가기"},
		about: apierr.Phrase{English: "A walk through one, call by call.", Korean: "호출 하나하나 따라가 봅니다."},
	},
	{
		slug: "inquiries", title: apierr.Phrase{English: "Inquiries", Korean: "상품 문의"},
		about: apierr.Phrase{English: "Find the ones that wait, and answer them.", Korean: "답변을 기다리는 문의를 찾아 답변합니다."},
	},
	{
		slug: "retries", title: apierr.Phrase{English: "Idempotency and retries", Korean: "멱등키와 재시도"},
		about: apierr.Phrase{English: "What to do with every answer, and with none.", Korean: "응답별, 그리고 응답이 없을 때의 처리 방법."},
	},
	{
		slug: "limits", title: apierr.Phrase{English: "Limits", Korean: "호출 한도"},
		about: apierr.Phrase{English: "And how to stay below them.", Korean: "한도와 지키는 방법."},
	},
	{
		slug: "live", title: apierr.Phrase{English: "Going live", Korean: "운영 전환"},
		about: apierr.Phrase{English: "What to look at before, which keys to issue.", Korean: "전환 전 점검과 키 발급."},
	},
	{
		slug: "marketplace", title: apierr.Phrase{English: "Marketplaces' backends", Korean: "마켓플레이스 백엔드"},
		about: apierr.Phrase{
			English: "Feed it with orders, claims and inquiries, and follow what sellers do.",
			Korean:  "주문, 클레임, 문의를 넣고 판매자의 처리를 따라갑니다.",
		},
	},
	{
		slug: "errors", made: true, title: apierr.Phrase{English: "Errors", Korean: "오류 코드"},
		about: apierr.Phrase{English: "A page for every code: what happened, what to do.", Korean: "코드별 페이지: 무슨 일이 있었고 어떻게 할지."},
	},
	{
		slug: "clients", title: apierr.Phrase{English: "Clients", Korean: "클라이언트"},
		about: apierr.Phrase{English: "Libraries that do all of this.", Korean: "이 모든 것을 대신하는 라이브러리."},
	},
	{
		slug: "changes", title: apierr.Phrase{English: "Changes", Korean: "변경 내역"},
		about: apierr.Phrase{English: "Versions, additions, deprecations.", Korean: "버전, 추가된 것, 지원 종료."},
	},
	{
		slug: "status", made: true, title: apierr.Phrase{English: "This interface", Korean: "인터페이스 현황"},
		about: apierr.Phrase{English: "Limits, periods and retention as this installation has them.", Korean: "이 시스템에 설정된 한도, 기간, 보관."},
	},
}

var languages = []apierr.Lang{apierr.English, apierr.Korean}

// at is the path of a page in a language. The front page has no slug.
func at(lang apierr.Lang, slug string) string {
	if slug == "" {
		return site.Base + "/" + lang.String()
	}
	return site.Base + "/" + lang.String() + "/" + slug
}
