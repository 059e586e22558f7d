package secret

import (
	"fmt"
	"log/slog"
)

// mask is what every conversion to text returns. It is the same for empty and for set values: use IsZero, not a log, to find out
// whether a secret is set.
const mask = "[secret]"

// masked gives the mask for every conversion of the type that embeds it to text.
type masked struct{}

// String implements fmt.Stringer with the mask.
func (masked) String() string { return mask }

// GoString implements fmt.GoStringer with the mask.
func (masked) GoString() string { return mask }

// Format implements fmt.Formatter with the mask, whatever the verb; fmt has no use for a write error.
func (masked) Format(state fmt.State, _ rune) { _, _ = state.Write([]byte(mask)) }

// MarshalText implements encoding.TextMarshaler with the mask.
func (masked) MarshalText() ([]byte, error) { return []byte(mask), nil }

// MarshalJSON implements json.Marshaler with the mask.
func (masked) MarshalJSON() ([]byte, error) { return []byte(`"` + mask + `"`), nil }

// LogValue implements slog.LogValuer with the mask.
func (masked) LogValue() slog.Value { return slog.StringValue(mask) }

// Text is a secret string. The zero value is the empty secret. UnmarshalText reads it from a flag or an environment variable, and
// only Reveal returns it.
type Text struct {
	masked
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

// UnmarshalText stores the text unchanged. It never fails, so no parser can quote the value in an error.
func (t *Text) UnmarshalText(text []byte) error {
	*t = New(string(text))
	return nil
}
