package render

import (
	"fmt"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/proto/openapi/site"
)

// shown are the rows of the page of settings.
var shown = []struct {
	// setting is its name in the settings of the site; empty for what no installation may change.
	setting string
	label   apierr.Phrase
	// windowed marks labels that end with the window.
	windowed bool
	// optional marks settings that an installation may not have.
	optional bool
	// value is that of a row without a setting.
	value func(apierr.Lang) string
}{
	{setting: "environment", label: apierr.Phrase{English: "Environment", Korean: "환경"}},
	{setting: "read", windowed: true, label: apierr.Phrase{English: "Read calls of a key (GET) in ", Korean: "키별 조회 호출(GET), "}},
	{setting: "process", windowed: true, label: apierr.Phrase{
		English: "Process calls of a key (POST) in ", Korean: "키별 처리 호출(POST), ",
	}},
	{setting: "rows", windowed: true, label: apierr.Phrase{English: "Rows of a key in ", Korean: "키별 행 수, "}},
	{setting: "refused", windowed: true, label: apierr.Phrase{
		English: "Calls of an address without a valid key in ", Korean: "유효한 키 없는 주소별 호출, ",
	}},
	{setting: "keys", label: apierr.Phrase{English: "Active keys of a seller", Korean: "판매자별 사용 중인 키"}},
	{setting: "key_rest", label: apierr.Phrase{
		English: "A key counts as active after its end for another", Korean: "폐기·만료된 키를 사용 중으로 세는 시간",
	}},
	{setting: "keys_daily", label: apierr.Phrase{English: "Keys issued to a seller in 24 hours", Korean: "판매자별 24시간 동안 발급하는 키"}},
	{value: bodies, label: apierr.Phrase{English: "Body of a request; of a batch", Korean: "요청 본문, 일괄 발송 본문"}},
	{value: entries, label: apierr.Phrase{English: "Entries of a batch", Korean: "일괄 발송 건수"}},
	{value: kept, label: apierr.Phrase{English: "Answers kept for a repeated Idempotency-Key", Korean: "멱등키별 응답 보관"}},
	{setting: "keys_kept", label: apierr.Phrase{English: "Used Idempotency-Keys remembered", Korean: "사용한 멱등키 기억"}},
	{setting: "confirm_after", optional: true, label: apierr.Phrase{
		English: "Automatic purchase confirmation after delivery", Korean: "배송 완료 후 자동 구매 확정",
	}},
	{setting: "confirm_after_claim", optional: true, label: apierr.Phrase{
		English: "Automatic purchase confirmation after a claim on the item, at the earliest",
		Korean:  "클레임 종료 후 자동 구매 확정까지 최소",
	}},
	{setting: "request", optional: true, label: apierr.Phrase{
		English: "A return or an exchange may be requested after delivery", Korean: "배송 완료 후 반품·교환 요청 기한",
	}},
	{setting: "inspection", optional: true, label: apierr.Phrase{
		English: "A collected return passes without inspection after", Korean: "수거 완료 후 미검수 반품 자동 통과",
	}},
	{setting: "payment", optional: true, label: apierr.Phrase{English: "A shortfall has to be paid within", Korean: "차액 결제 기한"}},
}

// fact is a row of the page as the layout shows it, with the published value.
type fact struct {
	Name, Setting, Value, Window string
	Optional                     bool
}

func facts(lang apierr.Lang) []fact {
	published := site.Defaults()
	texts := published.Texts(lang)
	list := make([]fact, 0, len(shown))
	for _, row := range shown {
		f := fact{Name: row.label.In(lang), Setting: row.setting, Value: texts[row.setting], Optional: row.optional}
		if row.windowed {
			f.Window = texts["window"]
		}
		if row.value != nil {
			f.Value = row.value(lang)
		}
		list = append(list, f)
	}
	return list
}

func bodies(apierr.Lang) string {
	return mebibytes(operation.BodyBytes) + "; " + mebibytes(operation.Named(operation.ShipOrders).MaxBodyBytes)
}

func mebibytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }

func entries(apierr.Lang) string {
	return site.Number(operation.Named(operation.ShipOrders).MaxEntries)
}

func kept(lang apierr.Lang) string { return site.Span(lang, 24*time.Hour) }
