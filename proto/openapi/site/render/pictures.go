package render

import (
	"regexp"
	"strings"

	"sellerapi.dev/pkg/apierr"
)

// steps are the labels of arrows in the pictures, in Korean. States keep their names, which are values of the interface.
var steps = map[string]string{
	"approve": "승인", "reject": "거부", "withdraw": "철회", "cancel": "취소", "return": "반품", "exchange": "교환",
	"preparation": "발주확인", "shipment": "발송", "delivery": "배송 완료", "confirm": "구매 확정",
	"pickup": "수거 등록", "collect-done": "수거 완료", "inspect": "검수", "pass-uninspected": "미검수 통과", "hold-inspection": "검수 보류",
	"finish-refund": "환불 완료", "convert-to-return": "반품으로 전환", "pay-shortfall": "차액 결제", "expire-payment": "결제 기한 만료",
	"reship": "재발송",
}

// label matches the label of an arrow: names of steps, separated by commas.
var label = regexp.MustCompile(`(text-anchor="(?:start|end)">)([a-z, -]+)<`)

func inLanguage(lang apierr.Lang, picture string) string {
	if lang != apierr.Korean {
		return picture
	}
	return label.ReplaceAllStringFunc(picture, func(text string) string {
		parts := label.FindStringSubmatch(text)
		names := strings.Split(parts[2], ", ")
		for i, name := range names {
			if korean, known := steps[name]; known {
				names[i] = korean
			}
		}
		return parts[1] + strings.Join(names, ", ") + "<"
	})
}
