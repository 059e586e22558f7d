package rest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/pkg/web"
)

// alike returns an object written by hand and the value that the encoder of all other responses encodes identically.
func alike(text string, number int64, flag bool, at time.Time, id uuid.UUID) (written []byte, value any) {
	w := object{}
	w.open()
	w.text("text", text)
	w.textOrNull("text_or_null", text)
	w.textIfAny("text_if_any", text)
	w.optionalText("optional", &text)
	w.optionalText("none", nil)
	w.number("number", number)
	w.flag("flag", flag)
	w.momentOrNull("moment", at)
	w.id("id", id)
	w.idOrNull("id_or_null", id)
	w.list("list", 2, func(i int) { w.open(); w.number("i", int64(i)); w.close() })
	w.list("empty", 0, nil)
	w.close()
	type element struct {
		I int `json:"i"`
	}
	reflected := struct {
		Text       string          `json:"text"`
		TextOrNull *string         `json:"text_or_null"`
		TextIfAny  string          `json:"text_if_any,omitempty"`
		Optional   *string         `json:"optional"`
		None       *string         `json:"none"`
		Number     int64           `json:"number"`
		Flag       bool            `json:"flag"`
		Moment     *timestamp.Time `json:"moment"`
		ID         uuid.UUID       `json:"id"`
		IDOrNull   *uuid.UUID      `json:"id_or_null"`
		List       []element       `json:"list"`
		Empty      []element       `json:"empty"`
	}{
		Text: text, TextIfAny: text, Optional: &text, Number: number, Flag: flag, ID: id, List: []element{{0}, {1}},
	}
	if text != "" {
		reflected.TextOrNull = &text
	}
	if !at.IsZero() {
		reflected.Moment = timestamp.Pointer(&at)
	}
	if id != uuid.Nil {
		reflected.IDOrNull = &id
	}
	return w.json, reflected
}

// Clients must not be able to tell which responses are written by hand.
func FuzzObject_likeAnyAnswer(f *testing.F) {
	f.Add("", int64(0), false, int64(0), []byte{})
	f.Add(`"순면" \ 티셔츠 / <b>&`, int64(-1), true, int64(1_800_000_000_000_000), []byte("0123456789abcdef"))
	for c := range 0x21 {
		f.Add(fmt.Sprintf("a%cb", c), int64(1)<<62, true, int64(c), []byte{byte(c)})
	}
	f.Add("\u007f\u0080\u2028\u2029\ufeff\U0001f4e6", int64(-1)<<63, false, int64(-1), []byte{255})
	f.Fuzz(func(t *testing.T, text string, number int64, flag bool, micros int64, id []byte) {
		text = strings.ToValidUTF8(text, "") // the database contains nothing else
		at := time.UnixMicro(micros)
		if year := at.UTC().Year(); year < 0 || year > 9999 {
			at = time.Time{}
		}
		var padded uuid.UUID
		copy(padded[:], id)
		written, value := alike(text, number, flag, at, padded)
		wanted, err := web.Marshal(value)
		require.NoError(t, err)
		require.Equal(t, string(wanted), string(written))
	})
}
