package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/korean"
	utf "golang.org/x/text/encoding/unicode"
)

// errEncoding means that it is not certain what a text says.
var errEncoding = errors.New("the text is neither UTF-8 nor certainly CP949 or UTF-16: store it as UTF-8")

// decoded returns a text from outside: UTF-8, UTF-16 with a byte order mark, or CP949. A text that was damaged before is
// refused too.
func decoded(text []byte) (string, error) {
	var err error
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		text, err = utf.UTF16(utf.LittleEndian, utf.ExpectBOM).NewDecoder().Bytes(text)
	case !utf8.Valid(text) && isKorean(text):
		text, err = korean.EUCKR.NewDecoder().Bytes(text)
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	// Decoders put the replacement character for what they do not understand.
	if err != nil || !utf8.Valid(text) || bytes.ContainsRune(text, utf8.RuneError) {
		return "", errEncoding
	}
	return string(text), nil
}

// isKorean reports whether a text is written in CP949. Texts in other encodings of East Asia are valid CP949 too, but decode to
// Chinese characters, letters, and syllables beyond the 2,350 of KS X 1001, of which a Korean text has few.
func isKorean(text []byte) bool {
	wide, usual := 0, 0
	for i := 0; i < len(text); i++ {
		if text[i] < utf8.RuneSelf || i+1 == len(text) {
			continue
		}
		wide++
		if text[i] >= 0xB0 && text[i] <= 0xC8 && text[i+1] > 0xA0 {
			usual++
		}
		i++
	}
	read, err := korean.EUCKR.NewDecoder().Bytes(text)
	foreign := func(r rune) bool { return r == utf8.RuneError || unicode.Is(unicode.Han, r) }
	return err == nil && 2*usual > wide && !bytes.ContainsFunc(read, foreign)
}

// decodedAll returns the arguments of a command line.
func decodedAll(arguments []string) ([]string, error) {
	all := make([]string, len(arguments))
	for i, argument := range arguments {
		var err error
		if all[i], err = decoded([]byte(argument)); err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
	}
	return all, nil
}

// firstLine returns the first line of a text, without blanks around it.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}
