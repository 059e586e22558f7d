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

// Why a text is not taken: it is not certain what it says.
var (
	errEncoding = errors.New("the text is neither UTF-8 nor certainly CP949 or UTF-16: store it as UTF-8")
	errNotUTF8  = errors.New("the text is not UTF-8: store it as UTF-8")
)

// decoded returns the text of a file: UTF-8, UTF-16 with a byte order mark, or what is very likely CP949. A text that was damaged
// before is refused too.
func decoded(text []byte) (string, error) {
	if utf8.Valid(text) || !isKorean(text) {
		if text, err := decodedUnicode(text); err == nil {
			return text, nil
		}
		return "", errEncoding
	}
	read, err := korean.EUCKR.NewDecoder().Bytes(text)
	if err != nil {
		return "", errEncoding
	}
	return decodedUnicode(read)
}

// decodedUnicode returns a text in UTF-8, or UTF-16 with a byte order mark, without marks at its ends: DOS programs end a file
// with Ctrl-Z.
func decodedUnicode(text []byte) (string, error) {
	var err error
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		text, err = utf.UTF16(utf.LittleEndian, utf.ExpectBOM).NewDecoder().Bytes(text)
	}
	text = bytes.TrimRight(bytes.TrimLeft(text, "\uFEFF"), "\x1a")
	// Decoders put the replacement character for what they do not understand.
	if err != nil || !utf8.Valid(text) || bytes.ContainsRune(text, utf8.RuneError) {
		return "", errNotUTF8
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

// decodedAll returns the arguments of a command line. They are too short to tell whether they are CP949.
func decodedAll(arguments []string) ([]string, error) {
	all := make([]string, len(arguments))
	for i, argument := range arguments {
		var err error
		if all[i], err = decodedUnicode([]byte(argument)); err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
	}
	return all, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}

// printable returns a text without what would steer a terminal: control characters and changes of the direction.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			return utf8.RuneError
		}
		return r
	}, text)
}
