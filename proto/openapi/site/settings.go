package site

import (
	"strconv"
	"time"

	"sellerapi.dev/pkg/apierr"
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

// Defaults are the published settings, which pages show without a script.
func Defaults() Settings {
	const day = 24 * time.Hour
	return Settings{
		Environment: "live", Window: time.Minute, Read: 60, Process: 30, Rows: 3000, Refused: 300,
		Keys: 5, KeysDaily: 10, KeyRest: 2 * time.Minute,
		ConfirmAfter: 8 * day, ConfirmAfterClaim: day, Request: 7 * day, Inspection: 3 * day, Payment: 3 * day,
	}
}

// Texts returns the settings as pages show them, by name; those that an installation does not have are absent.
func (s *Settings) Texts(lang apierr.Lang) map[string]string {
	texts := map[string]string{
		"environment": s.environment(lang), "window": Span(lang, s.Window),
		"read": Number(s.Read), "process": Number(s.Process), "rows": Number(s.Rows),
		"refused": orElse(s.Refused == 0, apierr.Phrase{English: "no limit", Korean: "제한 없음"}.In(lang), Number(s.Refused)),
		"keys":    Number(s.Keys), "key_rest": Span(lang, s.KeyRest), "keys_daily": Number(s.KeysDaily),
		"keys_kept": orElse(s.KeysKept == 0, apierr.Phrase{English: "for good", Korean: "계속"}.In(lang), Span(lang, s.KeysKept)),
	}
	for name, period := range map[string]time.Duration{
		"confirm_after": s.ConfirmAfter, "confirm_after_claim": s.ConfirmAfterClaim, "request": s.Request,
		"inspection": s.Inspection, "payment": s.Payment,
	} {
		if period > 0 {
			texts[name] = Span(lang, period)
		}
	}
	if s.Key == nil {
		return texts
	}
	if key := s.Key(); key != "" {
		texts["key"] = key
	}
	return texts
}

func (s *Settings) environment(lang apierr.Lang) string {
	if s.Environment == "test" {
		return apierr.Phrase{English: "development (vpk_test_)", Korean: "개발(vpk_test_)"}.In(lang)
	}
	return apierr.Phrase{English: "live (vpk_live_)", Korean: "운영(vpk_live_)"}.In(lang)
}

// Span is a duration in the largest unit that fits.
func Span(lang apierr.Lang, length time.Duration) string {
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

// Number is a number with a comma after every three digits.
func Number(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func orElse(condition bool, text, other string) string {
	if condition {
		return text
	}
	return other
}
