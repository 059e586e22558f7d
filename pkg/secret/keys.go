package secret

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// MinKeyBytes is the length of the shortest accepted signing key: as long as the output of SHA-256, so that guessing the key is
// never easier than guessing a signature.
const MinKeyBytes = 32

// ErrNoKeys reports that a key list is empty.
var ErrNoKeys = errors.New("no key given; expected base64 of at least 32 bytes, optionally followed by a comma and the " +
	"previous key")

// Keys is a list of signing keys: the current one, which signs, and the previous ones, which are still accepted while a
// rotation is under way. The zero value holds no key.
type Keys struct {
	masked
	// Pointers to strings, because fmt follows every other kind of pointer inside an unexported field of another struct.
	list []*string
}

// NewKeys returns the list of current and previous keys, each at least MinKeyBytes long. An error names the position
// of the bad key (1 is the current one) and never its value.
func NewKeys(current []byte, previous ...[]byte) (Keys, error) {
	list := make([]*string, 0, 1+len(previous))
	for i, key := range append([][]byte{current}, previous...) {
		if len(key) < MinKeyBytes {
			return Keys{}, fmt.Errorf("key %d: %d bytes long; at least %d are needed", i+1, len(key), MinKeyBytes)
		}
		value := string(key)
		list = append(list, &value)
	}
	return Keys{list: list}, nil
}

// ParseKeys parses "current,previous,…": each key in base64 (standard or URL alphabet, padded or not), white space around it
// ignored. An error names the position of the bad key and never its value.
func ParseKeys(text string) (Keys, error) {
	if strings.TrimSpace(text) == "" {
		return Keys{}, ErrNoKeys
	}
	var list [][]byte
	for i, part := range strings.Split(text, ",") {
		key, err := DecodeKey(part)
		if err != nil {
			return Keys{}, fmt.Errorf("key %d: %w", i+1, err)
		}
		list = append(list, key)
	}
	return NewKeys(list[0], list[1:]...)
}

// DecodeKey decodes one key: base64 of either alphabet, padded or not, white space around it ignored. The decoder's own error is
// dropped because it may quote part of the input.
func DecodeKey(part string) ([]byte, error) {
	part = strings.TrimRight(strings.TrimSpace(part), "=")
	part = strings.NewReplacer("-", "+", "_", "/").Replace(part)
	key, err := base64.RawStdEncoding.DecodeString(part)
	switch {
	case part == "":
		return nil, errors.New("empty")
	case err != nil:
		return nil, errors.New("not base64")
	}
	return key, nil
}

// Current returns a copy of the key that signs, nil when there is none.
func (k Keys) Current() []byte {
	if k.IsZero() {
		return nil
	}
	return []byte(*k.list[0])
}

// Previous returns copies of the keys that are still accepted, newest first.
func (k Keys) Previous() [][]byte {
	if k.IsZero() {
		return nil
	}
	previous := make([][]byte, 0, len(k.list)-1)
	for _, key := range k.list[1:] {
		previous = append(previous, []byte(*key))
	}
	return previous
}

// IsZero reports whether no key was set.
func (k Keys) IsZero() bool { return len(k.list) == 0 }

// UnmarshalText parses the list as ParseKeys does.
func (k *Keys) UnmarshalText(text []byte) error {
	parsed, err := ParseKeys(string(text))
	if err != nil {
		return err
	}
	*k = parsed
	return nil
}
