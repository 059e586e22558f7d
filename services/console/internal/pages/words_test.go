package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
)

// computed are the words whose names are put together.
var computed = []string{"role.", "idempotency.", "usage.hour", "usage.day", "usage.fortnight"}

func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{"*.go", "templates/*.html"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range names {
			if name == "words.go" || strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			all.Write(text)
		}
	}
	return all.String()
}

// Every text is there in both languages, with the same verbs, and is used; every one that is used is there.
func TestWords_completeAndUsed(t *testing.T) {
	t.Parallel()
	text, verb := sources(t), regexp.MustCompile(`%[a-z]`)
	for word, phrase := range words {
		require.NotEmpty(t, phrase.English, word)
		require.Regexp(t, `\p{Hangul}|^p\d\d$`, phrase.Korean, word)
		require.NotRegexp(t, `\p{Hangul}`, phrase.English, word)
		require.Equal(t, verb.FindAllString(phrase.English, -1), verb.FindAllString(phrase.Korean, -1), word)
		used := strings.Contains(text, `"`+string(word)+`"`)
		for _, beginning := range computed {
			used = used || strings.HasPrefix(string(word), beginning)
		}
		require.True(t, used, "%s is used by nothing", word)
	}
	for _, name := range regexp.MustCompile(`\{\{[^}]*\bt "([^"]*)"`).FindAllStringSubmatch(text, -1) {
		require.Contains(t, words, Word(name[1]))
	}
	for _, name := range regexp.MustCompile(`Word\("([a-z]+\.[a-zA-Z.]+)"\)|Word = "([^"]*)"`).FindAllStringSubmatch(text, -1) {
		require.Contains(t, words, Word(name[1]+name[2]))
	}
	for _, badges := range [][]badge{
		{keyBadges[KeyActive], keyBadges[KeyRevoked], keyBadges[KeyExpired]},
		{webhookBadges[WebhookActive], webhookBadges[WebhookPaused], webhookBadges[WebhookFailed]},
		{outcome(200), outcome(404), outcome(500)},
	} {
		for _, one := range badges {
			require.Contains(t, words, one.Word)
		}
	}
	require.Len(t, parsed[apierr.Korean], len(allPages))
}
