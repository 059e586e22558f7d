package pages

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"sellerapi.dev/pkg/apierr"
)

// in returns what is wrong as sentences, with what the gateway says of it.
func (p Problem) in(lang apierr.Lang) string {
	text := p.Word.in(lang)
	if p.Detail == "" {
		return text
	}
	if lang == apierr.Korean {
		return text + " " + korean(p.Detail)
	}
	return text + " " + sentence(p.Detail)
}

// sentence makes a sentence of what the gateway says of a field ("must be in the future") or of a rule.
func sentence(detail string) string {
	if strings.HasPrefix(detail, "must ") || strings.HasPrefix(detail, "is ") {
		detail = "it " + detail
	}
	first, size := utf8.DecodeRuneInString(detail)
	return string(unicode.ToUpper(first)) + strings.TrimSuffix(detail[size:], ".") + "."
}

// keyLimits is the end of the gateway's refusal of a key too many.
var keyLimits = regexp.MustCompile(`at most (\d+) active keys.* at most (\d+) keys are issued in 24 hours$`)

// korean returns in Korean what the gateway says, and what it does not know as it is: the texts of RPC are English.
func korean(detail string) string {
	if known := gatewayTexts[detail]; known != "" {
		return known
	}
	if limits := keyLimits.FindStringSubmatch(detail); limits != nil {
		return "사용 중인 키는 " + limits[1] + "개까지 둘 수 있고, 24시간 동안 " + limits[2] + "개까지 발급할 수 있습니다."
	}
	return detail
}

var gatewayTexts = map[string]string{
	"is required":                                                 "필수 항목입니다.",
	"must have at least 1 element":                                "하나 이상 고르세요.",
	"must be in the future":                                       "오늘 이후의 날짜를 고르세요.",
	"must have at most 500 characters":                            "500자 이하로 입력하세요.",
	"must be a URL such as https://erp.example/hooks":             "https://erp.example/hooks 같은 주소를 입력하세요.",
	"must begin with https://":                                    "https://로 시작해야 합니다.",
	"must not contain a user or a password":                       "주소에 사용자 이름이나 비밀번호를 넣을 수 없습니다.",
	"must not contain a fragment":                                 "주소에 # 뒤 부분을 넣을 수 없습니다.",
	"must have a port from 1 to 65535":                            "포트는 1부터 65535까지입니다.",
	"must not be an address of a private network":                 "사설망 주소는 쓸 수 없습니다.",
	"must have the name of a host, or an address such as 8.8.8.8": "호스트 이름이나 8.8.8.8 같은 IP 주소를 입력하세요.",
	"must lie between the years 1970 and 2200":                    "1970년부터 2200년 사이의 날짜를 고르세요.",
	"the seller already has 5 webhooks":                           "주소는 5개까지 등록할 수 있습니다.",
	"the seller already has a webhook with this URL":              "이미 등록한 주소입니다.",
}
