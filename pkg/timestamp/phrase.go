package timestamp

import (
	"errors"

	"sellerapi.dev/pkg/apierr"
)

var korean = map[Problem]string{
	NotDateTime:   "2026-01-31T09:30:00Z 또는 2026-01-31T18:30:00+09:00 형식의 시각이어야 합니다(URL에서는 +를 %2B로 적습니다)",
	DateAlone:     "날짜만으로는 부족합니다. 2026-01-31T00:00:00Z처럼 시각까지 적어 주세요",
	NoT:           "날짜와 시각 사이에 T가 있어야 합니다. 예: 2026-01-31T09:30:00Z",
	BadDate:       "달력에 없는 날짜입니다",
	BadTime:       "없는 시각입니다. 시는 00~23, 분과 초는 00~59입니다",
	LeapSecond:    "윤초는 쓸 수 없습니다. 초는 00~59입니다",
	BadFraction:   "초의 소수점 아래는 1~9자리여야 합니다",
	YearRange:     "1970년부터 2200년까지만 쓸 수 있습니다",
	SpaceAsOffset: "시차 앞이 공백입니다. +는 %2B로 보내거나 Z를 쓰세요",
	BadOffset:     "Z 또는 +09:00(URL에서는 %2B09:00) 같은 시차로 끝나야 합니다. 시차를 적지 않으면 UTC입니다",
}

// Phrase returns the error of [Parse] in every language.
func Phrase(err error) apierr.Phrase {
	var problem Problem
	errors.As(err, &problem)
	return apierr.Phrase{English: err.Error(), Korean: korean[problem]}
}
