package secret

import (
	"crypto/hmac"
	"fmt"
	"log/slog"
)

// mask is what every conversion to text returns. It is the same for empty and for set values: use IsZero, not a log, to find out
// whether a secret is set.
const mask = "[secret]"

// Text is a secret string. The zero value is the empty secret. UnmarshalText reads it from a flag or an environment variable, and
// only Reveal returns it.
type Text struct {
	value *string
}

// New returns the secret that holds value.
func New(value string) Text {
	if value == "" {
		return Text{}
	}
	return Text{value: &value}
}

// Reveal returns the secret value. The caller must not log it, put it into an error or keep it in a type that prints it.
func (t Text) Reveal() string {
	if t.value == nil {
		return ""
	}
	return *t.value
}

// IsZero reports whether no value was set.
func (t Text) IsZero() bool { return t.value == nil }

// Equal compares two secrets in a time that does not depend on where they differ.
func (t Text) Equal(other Text) bool {
	return hmac.Equal([]byte(t.Reveal()), []byte(other.Reveal()))
}

// UnmarshalText stores the text unchanged. It never fails, so no parser can quote the value in an error.
func (t *Text) UnmarshalText(text []byte) error {
	*t = New(string(text))
	return nil
}

// String implements fmt.Stringer with the mask.
func (Text) String() string { return mask }

// GoString implements fmt.GoStringer with the mask.
func (Text) GoString() string { return mask }

// Format implements fmt.Formatter with the mask, whatever the verb.
func (Text) Format(state fmt.State, _ rune) { writeMask(state) }

// MarshalText implements encoding.TextMarshaler with the mask.
func (Text) MarshalText() ([]byte, error) { return []byte(mask), nil }

// MarshalJSON implements json.Marshaler with the mask.
func (Text) MarshalJSON() ([]byte, error) { return []byte(`"` + mask + `"`), nil }

// LogValue implements slog.LogValuer with the mask.
func (Text) LogValue() slog.Value { return slog.StringValue(mask) }

// writeMask writes the mask to a fmt state; fmt has no use for a write error.
func writeMask(state fmt.State) { _, _ = state.Write([]byte(mask)) }
