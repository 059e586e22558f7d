package secret_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
)

// canary is a value that must not appear in any output.
const canary = "canary-5d1f0c9e8b7a-canary-value-of-40-bytes"

// holder is a struct of another package: exported and unexported fields, values and
// pointers.
type holder struct {
	Text    secret.Text
	Pointer *secret.Text
	Keys    secret.Keys
	inner   secret.Text
	keys    secret.Keys
	list    []secret.Text
	byName  map[string]secret.Text
}

func newHolder(t *testing.T) holder {
	t.Helper()
	text := secret.New(canary)
	keys, err := secret.NewKeys([]byte(canary))
	require.NoError(t, err)
	return holder{
		Text: text, Pointer: &text, Keys: keys, inner: text, keys: keys,
		list: []secret.Text{text}, byName: map[string]secret.Text{"a": text},
	}
}

func spellings() []string {
	raw := []byte(canary)
	return []string{
		canary, canary[:12], base64.StdEncoding.EncodeToString(raw), hex.EncodeToString(raw),
		strings.ToUpper(hex.EncodeToString(raw)), fmt.Sprintf("%d", raw),
	}
}

func requireSilent(t *testing.T, road, out string) {
	t.Helper()
	for _, form := range spellings() {
		require.NotContains(t, out, form, road)
	}
}

// No verb of fmt shows a secret, wherever it is in a value.
func TestSecret_hiddenFromFmtVerbs(t *testing.T) {
	t.Parallel()
	h := newHolder(t)
	for _, verb := range strings.Fields("%v %+v %#v %s %q %x %X %d %o %b %c %U %e %t %p %T %8s %-20v %w") {
		for _, value := range []any{h, &h, h.Text, h.Pointer, h.Keys, &h.Keys, h.inner, h.keys, h.list, h.byName, []any{h.Text, h}} {
			requireSilent(t, verb, fmt.Sprintf(verb, value))
		}
	}
	requireSilent(t, "Sprint", fmt.Sprint(h, &h, h.Text, h.Keys))
	requireSilent(t, "Errorf", fmt.Errorf("cannot use %v and %s", h.Text, h.Keys).Error())
	require.Equal(t, "[secret]", h.Text.String())
	require.Equal(t, "[secret]", fmt.Sprintf("%#v", h.Keys))
}

// Encoders write a placeholder instead of a secret.
func TestSecret_hiddenFromEncoders(t *testing.T) {
	t.Parallel()
	h := newHolder(t)
	for _, value := range []any{h, &h, h.Text, h.Keys, map[string]any{"a": h.Text, "b": &h.Keys}} {
		out, err := json.Marshal(value)
		require.NoError(t, err)
		requireSilent(t, "json", string(out))
	}
	text, err := h.Text.MarshalText()
	require.NoError(t, err)
	require.Equal(t, "[secret]", string(text))
	text, err = h.Keys.MarshalText()
	require.NoError(t, err)
	require.Equal(t, "[secret]", string(text))
}

// No handler of slog shows a secret, wherever it is in a line.
func TestSecret_hiddenFromLogHandlers(t *testing.T) {
	t.Parallel()
	h := newHolder(t)
	var out bytes.Buffer
	for _, handler := range []slog.Handler{slog.NewJSONHandler(&out, nil), slog.NewTextHandler(&out, nil)} {
		log := slog.New(handler)
		log.Info("all", "text", h.Text, "pointer", h.Pointer, "keys", h.Keys, "holder", h, "holderPointer", &h, "list", h.list)
		log.With("text", h.Text).WithGroup("g").Info("again", "keys", h.Keys)
	}
	require.Contains(t, out.String(), "[secret]")
	requireSilent(t, "slog", out.String())
}

// A secret is stored exactly as it is written and returned by Reveal only.
func TestText_givenOutOnlyByReveal(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"", " ", canary, "with \n line", "한글"} {
		var text secret.Text
		require.NoError(t, text.UnmarshalText([]byte(value)))
		require.Equal(t, value, text.Reveal())
		require.Equal(t, value == "", text.IsZero())
	}
}

// Lists of keys are parsed in every usual variant of base64.
func TestParseKeys_everyBase64Spelling(t *testing.T) {
	t.Parallel()
	// 0xfb and 0xff produce the characters in which the two alphabets differ.
	first, second := bytes.Repeat([]byte{0xfb, 0xff, 0x3e}, 11), bytes.Repeat([]byte{0xfa}, secret.MinKeyBytes)
	for _, encoding := range []*base64.Encoding{
		base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding,
		base64.RawURLEncoding,
	} {
		list := " " + encoding.EncodeToString(first) + " ,\n" + encoding.EncodeToString(second) + "\n"
		keys, err := secret.ParseKeys(list)
		require.NoError(t, err)
		require.Equal(t, first, keys.Current())
		require.Equal(t, [][]byte{second}, keys.Previous())
		require.False(t, keys.IsZero())

		var unmarshalled secret.Keys
		require.NoError(t, unmarshalled.UnmarshalText([]byte(list)))
		require.Equal(t, keys, unmarshalled)
	}
}

// A bad key is named by its position, not by its text.
func TestParseKeys_badKey(t *testing.T) {
	t.Parallel()
	good := base64.StdEncoding.EncodeToString([]byte(canary))
	short := base64.StdEncoding.EncodeToString([]byte(canary[:31]))
	for name, c := range map[string]struct{ list, message string }{
		"empty":               {"", secret.ErrNoKeys.Error()},
		"blanks":              {" \n", secret.ErrNoKeys.Error()},
		"first is not base64": {"!" + canary, "key 1: not base64"},
		"second is short":     {good + "," + short, "key 2: 31 bytes long; at least 32 are needed"},
		"first is short":      {short, "key 1: 31 bytes long; at least 32 are needed"},
		"second is empty":     {good + ",", "key 2: empty"},
		"first is empty":      {"," + good, "key 1: empty"},
		"third is not base64": {good + "," + good + "," + good + "%", "key 3: not base64"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var keys secret.Keys
			err := keys.UnmarshalText([]byte(c.list))
			require.EqualError(t, err, c.message)
			requireSilent(t, "error", err.Error())
			require.True(t, keys.IsZero())
			require.Nil(t, keys.Current())
			require.Nil(t, keys.Previous())
		})
	}
}

// Keys do not change with the slice from which they were made.
func TestNewKeys_copiesItsSlices(t *testing.T) {
	t.Parallel()
	raw := []byte(canary)
	keys, err := secret.NewKeys(raw)
	require.NoError(t, err)
	raw[0] = 'X'
	require.Equal(t, []byte(canary), keys.Current())
}
