package site_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/proto/openapi/guides"
)

// The status page has every limit of a seller's keys, also how long one counts after its end.
func TestStatus_limitsOfKeys(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][]string{
		"en": {
			`Active keys of a seller</td><td data-setting="keys">5</td>`,
			`after its end for another</td><td data-setting="key_rest">2 minutes</td>`, `in 24 hours</td><td data-setting="keys_daily">10</td>`,
		},
		"ko": {
			`사용 중인 키</td><td data-setting="keys">5</td>`, `세는 시간</td><td data-setting="key_rest">2분</td>`,
			`발급하는 키</td><td data-setting="keys_daily">10</td>`,
		},
	} {
		text := page(t, "/docs/"+lang+"/status")
		for _, row := range want {
			require.Contains(t, text, row)
		}
	}
}

// exampleAddress stands for the system in examples; the script of a page replaces it by the address that serves the page.
const exampleAddress = "https://seller-api.example"

// A sentence with the address of the system is true of the system that serves the page: it is about no other one. The address
// is shown as code, where the script finds it.
func TestPages_addressIsThisSystem(t *testing.T) {
	t.Parallel()
	shown := 0
	for _, lang := range []string{"en", "ko"} {
		files, err := fs.Glob(guides.Files, lang+"/*.md")
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			text := page(t, "/docs/"+strings.TrimSuffix(file, ".md"))
			for _, paragraph := range regexp.MustCompile(`(?s)<p>.*?</p>`).FindAllString(text, -1) {
				if !strings.Contains(paragraph, exampleAddress) {
					continue
				}
				shown++
				require.NotRegexp(t, `(?i)another|other system|elsewhere|다른`, paragraph, file)
				require.NotContains(t, regexp.MustCompile(`(?s)<code>.*?</code>`).ReplaceAllString(paragraph, ""), exampleAddress, file)
			}
		}
	}
	require.Equal(t, 2, shown, "the first call, in both languages")
}

// How long to wait differs from answer to answer: the facts of a code name the header, and only its example a number.
func TestCodes_waitOnlyInExample(t *testing.T) {
	t.Parallel()
	for _, row := range apierr.Codes() {
		for _, lang := range []string{"en", "ko"} {
			facts := regexp.MustCompile(`(?s)<p class="facts">.*?</p>`).FindString(page(t, "/docs/"+lang+"/errors/"+row.Code.Page()))
			require.Contains(t, facts, "HTTP")
			require.Equal(t, row.RetryAfter > 0, strings.Contains(facts, "<span>Retry-After</span>"), row.Code)
			require.NotRegexp(t, `Retry-After.*[0-9]`, facts, row.Code)
		}
	}
}
