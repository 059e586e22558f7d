package jsonwriter

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
	w := Writer{}
	w.Open()
	w.Text("text", text)
	w.TextOrNull("text_or_null", text)
	w.TextIfAny("text_if_any", text)
	w.OptionalText("optional", &text)
	w.OptionalText("none", nil)
	w.Number("number", number)
	w.Flag("flag", flag)
	w.MomentOrNull("moment", at)
	w.Moment("instant", at)
	w.OptionalMoment("optional_moment", &at)
	w.OptionalMoment("no_moment", nil)
	w.OptionalNumber("optional_number", &number)
	w.OptionalNumber("no_number", nil)
	w.ID("id", id)
	w.IDOrNull("id_or_null", id)
	w.List("list", 2, func(i int) { w.Open(); w.Number("i", int64(i)); w.Close() })
	w.List("empty", 0, nil)
	w.Object("object", func() { w.Number("i", number) })
	w.List("texts", 2, func(int) { w.Element(text) })
	w.Close()
	type element struct {
		I int64 `json:"i"`
	}
	reflected := struct {
		Text           string          `json:"text"`
		TextOrNull     *string         `json:"text_or_null"`
		TextIfAny      string          `json:"text_if_any,omitempty"`
		Optional       *string         `json:"optional"`
		None           *string         `json:"none"`
		Number         int64           `json:"number"`
		Flag           bool            `json:"flag"`
		Moment         *timestamp.Time `json:"moment"`
		Instant        timestamp.Time  `json:"instant"`
		OptionalMoment *timestamp.Time `json:"optional_moment"`
		NoMoment       *timestamp.Time `json:"no_moment"`
		OptionalNumber *int64          `json:"optional_number"`
		NoNumber       *int64          `json:"no_number"`
		ID             uuid.UUID       `json:"id"`
		IDOrNull       *uuid.UUID      `json:"id_or_null"`
		List           []element       `json:"list"`
		Empty          []element       `json:"empty"`
		Object         element         `json:"object"`
		Texts          []string        `json:"texts"`
	}{
		Text: text, TextIfAny: text, Optional: &text, Number: number, Flag: flag, ID: id, List: []element{{0}, {1}},
		Instant: timestamp.Time(at), OptionalMoment: (*timestamp.Time)(&at), OptionalNumber: &number, Object: element{number},
		Texts: []string{text, text},
	}
	if text != "" {
		reflected.TextOrNull = &text
	}
	if !at.IsZero() {
		reflected.Moment = (*timestamp.Time)(&at)
	}
	if id != uuid.Nil {
		reflected.IDOrNull = &id
	}
	return w.JSON, reflected
}

// Clients must not be able to tell which responses are written by hand.
func FuzzWriter_likeAnyAnswer(f *testing.F) {
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
