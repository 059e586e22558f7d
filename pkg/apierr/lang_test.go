package apierr_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
)

// Korean is chosen exactly when the client prefers it to English; anything unreadable means English.
func TestParseAcceptLanguage_koreanIfPreferred(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]apierr.Lang{
		"":                              apierr.English,
		"*":                             apierr.English,
		"en":                            apierr.English,
		"ko":                            apierr.Korean,
		"KO":                            apierr.Korean,
		"ko-KR":                         apierr.Korean,
		"ko-KR,ko;q=0.9,en;q=0.8":       apierr.Korean,
		"en-US,en;q=0.9,ko;q=0.8":       apierr.English,
		"en;q=0.5, ko;q=0.7":            apierr.Korean,
		"ko;q=0.1, en;q=0.9":            apierr.English,
		"ko;q=0":                        apierr.English,
		"fr, ko;q=0.3":                  apierr.Korean,
		"kok":                           apierr.English,
		"ko;q=broken":                   apierr.English,
		"\xff\xfeko":                    apierr.English,
		"ko" + strings.Repeat(" ", 600): apierr.English,
	} {
		require.Equal(t, want, apierr.ParseAcceptLanguage(header), header)
	}
	require.Equal(t, "ko", apierr.Korean.String())
	require.Equal(t, "en", apierr.English.String())
}

func FuzzLanguage_anyHeader(f *testing.F) {
	f.Add("ko-KR,ko;q=0.9,en;q=0.8")
	f.Add("ko;q=;;,-")
	f.Fuzz(func(t *testing.T, header string) {
		lang := apierr.ParseAcceptLanguage(header)
		require.Contains(t, []apierr.Lang{apierr.English, apierr.Korean}, lang)
	})
}
