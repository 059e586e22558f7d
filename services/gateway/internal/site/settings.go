package site

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
)

// Settings are what the installation is set to, as far as developers have to know it.
type Settings struct {
	Environment string
	// Key returns a key that everybody may try calls with, empty for none. It is asked for when the first reader comes.
	Key                 func() string
	Window              time.Duration
	Read, Process, Rows int
	// Refused is how many calls without a good key an address may make in a window; 0: any number.
	Refused int
	// Keys is how many active keys a seller may hold, KeysDaily how many it may be issued in 24 hours, and KeyRest how long a key
	// counts as active after its end.
	Keys, KeysDaily int
	KeyRest         time.Duration
	// ConfirmAfter, ConfirmAfterClaim, Request, Inspection and Payment are the periods of orders and claims; 0 where the gateway
	// was not told.
	ConfirmAfter, ConfirmAfterClaim, Request, Inspection, Payment time.Duration
	// KeysKept is how long used keys are remembered; 0: for good.
	KeysKept time.Duration
}

type fact struct{ Name, Value string }

func (s *Settings) facts(lang apierr.Lang) []fact {
	say := func(english, korean string) string { return apierr.Phrase{English: english, Korean: korean}.In(lang) }
	window := span(lang, s.Window)
	batch := operation.Named(operation.ShipOrders)
	list := []fact{
		{say("Environment", "환경"), s.environment(lang)},
		{say("Read calls of a key (GET) in ", "키별 조회 호출(GET), ") + window, number(s.Read)},
		{say("Process calls of a key (POST) in ", "키별 처리 호출(POST), ") + window, number(s.Process)},
		{say("Rows of a key in ", "키별 행 수, ") + window, number(s.Rows)},
		{
			say("Calls of an address without a valid key in ", "유효한 키 없는 주소별 호출, ") + window,
			orElse(s.Refused == 0, say("no limit", "제한 없음"), number(s.Refused)),
		},
		{say("Active keys of a seller", "판매자별 사용 중인 키"), number(s.Keys)},
		{say("A key counts as active after its end for another", "폐기·만료된 키를 사용 중으로 세는 시간"), span(lang, s.KeyRest)},
		{say("Keys issued to a seller in 24 hours", "판매자별 24시간 동안 발급하는 키"), number(s.KeysDaily)},
		{
			say("Body of a request; of a batch", "요청 본문, 일괄 발송 본문"),
			mebibytes(operation.BodyBytes) + "; " + mebibytes(batch.MaxBodyBytes),
		},
		{say("Entries of a batch", "일괄 발송 건수"), number(batch.MaxEntries)},
		{say("Answers kept for a repeated Idempotency-Key", "멱등키별 응답 보관"), span(lang, 24*time.Hour)},
		{say("Used Idempotency-Keys remembered", "사용한 멱등키 기억"), orElse(s.KeysKept == 0, say("for good", "계속"), span(lang, s.KeysKept))},
	}
	for _, period := range []struct {
		name  string
		value time.Duration
	}{
		{say("Automatic purchase confirmation after delivery", "배송 완료 후 자동 구매 확정"), s.ConfirmAfter},
		{
			say("Automatic purchase confirmation after a claim on the item, at the earliest", "클레임 종료 후 자동 구매 확정까지 최소"),
			s.ConfirmAfterClaim,
		},
		{say("A return or an exchange may be requested after delivery", "배송 완료 후 반품·교환 요청 기한"), s.Request},
		{say("A collected return passes without inspection after", "수거 완료 후 미검수 반품 자동 통과"), s.Inspection},
		{say("A shortfall has to be paid within", "차액 결제 기한"), s.Payment},
	} {
		if period.value > 0 {
			list = append(list, fact{period.name, span(lang, period.value)})
		}
	}
	return list
}

func (s *Settings) environment(lang apierr.Lang) string {
	if s.Environment == "test" {
		return apierr.Phrase{English: "development (vpk_test_)", Korean: "개발(vpk_test_)"}.In(lang)
	}
	return apierr.Phrase{English: "live (vpk_live_)", Korean: "운영(vpk_live_)"}.In(lang)
}

// span is a duration in the largest unit that fits.
func span(lang apierr.Lang, length time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   apierr.Phrase
	}{
		{24 * time.Hour, apierr.Phrase{English: "%d days", Korean: "%d일"}},
		{time.Hour, apierr.Phrase{English: "%d hours", Korean: "%d시간"}},
		{time.Minute, apierr.Phrase{English: "%d minutes", Korean: "%d분"}},
	} {
		if length >= 2*unit.length && length%unit.length == 0 {
			return unit.name.With(int64(length / unit.length)).In(lang)
		}
	}
	return apierr.Phrase{English: "%g seconds", Korean: "%g초"}.With(length.Seconds()).In(lang)
}

func number(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func mebibytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }

func orElse(condition bool, text, other string) string {
	return map[bool]string{true: text, false: strings.TrimSpace(other)}[condition]
}
