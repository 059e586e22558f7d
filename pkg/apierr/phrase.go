package apierr

import (
	"fmt"
	"strings"
)

// Phrase is a text for people in every language of the table. It may contain verbs
// of package fmt for values.
type Phrase struct{ English, Korean string }

// With formats the phrase with the values. Both languages have the same verbs in
// the same order.
func (p Phrase) With(values ...any) Phrase {
	return Phrase{English: fmt.Sprintf(p.English, values...), Korean: fmt.Sprintf(p.Korean, values...)}
}

// In returns the text in a language.
func (p Phrase) In(lang Lang) string {
	if lang == Korean {
		return p.Korean
	}
	return p.English
}

// Problems of a field. Every English phrase continues a sentence that begins with the name
// of the field; a Korean one follows the name and a colon.
var (
	IsMissing       = Phrase{"is missing", "필수 항목입니다. 값을 보내 주세요"}
	IsMissingMeant  = Phrase{"is missing (%[1]s was sent; the name is %[2]s)", "필수 항목입니다(보낸 이름: %[1]s, 올바른 이름: %[2]s)"}
	IsNull          = Phrase{"must not be null", "null을 보낼 수 없습니다"}
	NotString       = Phrase{"must be a string", "문자열이어야 합니다"}
	NotList         = Phrase{"must be a list", "배열이어야 합니다"}
	NotObject       = Phrase{"must be a JSON object", "JSON 객체여야 합니다"}
	NotBoolean      = Phrase{"must be true or false", "true 또는 false여야 합니다"}
	NotInteger      = Phrase{"is not an integer", "정수가 아닙니다"}
	NotAmongAllowed = Phrase{"is not one of the allowed values", "허용된 값이 아닙니다"}
	NotAmongFew     = Phrase{"is not one of the allowed values: %s", "허용된 값이 아닙니다. 허용되는 값: %s"}
	DidYouMean      = Phrase{"is not one of the allowed values (did you mean %s?)", "허용된 값이 아닙니다(%s인지 확인해 주세요)"}
	IsEmpty         = Phrase{"must not be empty", "비워 둘 수 없습니다"}
	IsBlank         = Phrase{"must not be empty or blank", "비워 두거나 공백만 보낼 수 없습니다"}
	TooManyChars    = Phrase{"must have at most %d characters", "%d자를 넘을 수 없습니다"}
	LigaturesLong   = Phrase{"must have at most %d characters once its ligatures are spelt out", "합자를 풀어 쓰면 %d자를 넘습니다"}
	TooFewElements  = Phrase{"must have at least %d elements", "%d개 이상 보내야 합니다"}
	TooManyElements = Phrase{"must have at most %d elements", "%d개까지만 보낼 수 있습니다"}
	OutOfRange      = Phrase{"is not between %d and %d", "%d 이상 %d 이하여야 합니다"}
	LaterThan       = Phrase{"is later than %s", "%s보다 늦습니다"}
	RepeatedIn      = Phrase{"occurs more than once in %s", "%s 안에 두 번 이상 들어 있습니다"}
	GivenTwice      = Phrase{"is given more than once", "두 번 이상 지정되었습니다"}
	NotUUID         = Phrase{"is not a UUID", "UUID 형식이 아닙니다"}
	BrokenUTF8      = Phrase{"is not valid UTF-8", "올바른 UTF-8이 아닙니다"}
	HasControls     = Phrase{"must not contain control characters", "제어 문자를 넣을 수 없습니다"}
	HasControlsBut  = Phrase{
		"must not contain control characters other than tabs and line ends (LF or CR LF)",
		"줄 바꿈(LF, CRLF)과 탭을 뺀 제어 문자를 넣을 수 없습니다",
	}
	SpeltOtherwise = Phrase{"must be spelt %s", "대소문자까지 정확히 적어야 합니다(올바른 이름: %s)"}
)

// maxNamed is the largest number of allowed values that a message names; a longer
// list is in error_data only.
const maxNamed = 8

// NotAllowed says that a value is not among the allowed ones, and names these if
// they are few.
func NotAllowed(allowed []string) Phrase {
	if len(allowed) == 0 || len(allowed) > maxNamed {
		return NotAmongAllowed
	}
	return NotAmongFew.With(strings.Join(allowed, ", "))
}

// Problems of a query or a body as a whole.
var (
	HasSemicolon = Phrase{
		"has a ; in it: separate parameters with & and send ; as %3B",
		"; 문자가 있습니다. 파라미터는 &로 나누고 ; 자체는 %3B로 보내 주세요",
	}
	BrokenName       = Phrase{"has broken percent-encoding in the name of a parameter", "파라미터 이름의 퍼센트 인코딩이 깨져 있습니다"}
	BrokenEncoding   = Phrase{"has broken percent-encoding", "퍼센트 인코딩이 깨져 있습니다"}
	TakesNoParameter = Phrase{"is not a parameter of this operation, which takes none", "이 기능에는 쿼리 파라미터가 없습니다"}
	UnknownMeant     = Phrase{"is not a parameter of this operation (did you mean %s?)", "이 기능에 없는 파라미터입니다(%s인지 확인해 주세요)"}
	UnknownParameter = Phrase{"is not a parameter of this operation", "이 기능에 없는 파라미터입니다"}
	FilterWithAfter  = Phrase{
		"cannot be sent with after: a record that leaves a filter would vanish from what you go on with",
		"after와 함께 보낼 수 없습니다. 필터에서 벗어난 레코드가 이어 받는 목록에서 사라지기 때문입니다",
	}
	CursorWithAfter = Phrase{
		"cannot be sent with after: go on with the after of the last answer",
		"after와 함께 보낼 수 없습니다. 직전 응답의 after로 이어 받아 주세요",
	}
	WaitWithoutAfter = Phrase{"can only be sent with after", "after와 함께일 때만 보낼 수 있습니다"}

	NotWholeJSON   = Phrase{"is not a whole JSON object", "온전한 JSON 객체가 아닙니다"}
	EndsEarly      = Phrase{"ends before the JSON object does", "JSON 객체가 끝나기 전에 끊겼습니다"}
	GoesOn         = Phrase{"must end after the JSON object", "JSON 객체 뒤에 다른 내용이 있습니다"}
	NotJSONAt      = Phrase{"is not JSON at or after byte %d", "%d번째 바이트 또는 그 뒤가 JSON이 아닙니다"}
	OccursTwice    = Phrase{"occurs twice in one object", "한 객체 안에 두 번 들어 있습니다"}
	TooManyMembers = Phrase{"must not have an object of more than %d members", "항목이 %d개를 넘는 객체를 보낼 수 없습니다"}
	TooManyTokens  = Phrase{"must not have more than %d names, values and brackets", "이름과 값, 괄호를 모두 %d개 넘게 보낼 수 없습니다"}
	Unreadable     = Phrase{"could not be read to its end", "끝까지 읽을 수 없었습니다"}
	Incomplete     = Phrase{"did not arrive completely", "끝까지 도착하지 않았습니다"}
)

// Hints at what was probably meant, or at the cause. Each stands after the text of the code.
var (
	HintHeader = Phrase{
		"Send the key in the header X-Api-Key; Authorization is not read.",
		"키는 Authorization이 아니라 X-Api-Key 헤더로 보내 주세요.",
	}
	HintSent     = Phrase{"It was sent with %s: %s", "보낸 헤더는 %s: %s"}
	HintPath     = Phrase{"Did you mean %s?", "%s 경로를 쓰려던 것은 아닌지 확인해 주세요."}
	HintCarrier  = Phrase{"Did you mean %s?", "올바른 이름: %s."}
	HintCarriers = Phrase{"The allowed ones are %s.", "허용된 택배사: %s."}
	HintFrozen   = Phrase{"An operator has put the claim on hold.", "운영자가 클레임을 보류했습니다."}
	HintParcel   = Phrase{
		"The new item was shipped with another parcel; send the carrier and the tracking number of that one.",
		"새 품목이 이미 다른 송장으로 발송되었습니다. 그 택배사와 송장번호를 보내 주세요.",
	}
	HintItemCode = Phrase{
		"%s is an item_code; send the item_id of that line.",
		"보낸 값 %s: item_id가 아니라 item_code입니다. 그 품목의 item_id를 보내 주세요.",
	}
	HintOrderNo = Phrase{
		"%s is an order_no; send the item_id of a line.",
		"보낸 값 %s: item_id가 아니라 order_no입니다. 품목의 item_id를 보내 주세요.",
	}
)
