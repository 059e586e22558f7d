package timestamp_test

import (
	stdjson "encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/pkg/timestamp"
)

// A time is always formatted in UTC, with six fractional digits and Z.
func TestFormat_sixDigitsAndZ(t *testing.T) {
	t.Parallel()
	seoul := time.FixedZone("KST", 9*3600)
	for want, moment := range map[string]time.Time{
		"2026-03-04T05:06:07.000000Z": time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC),
		"2026-03-04T05:06:07.120000Z": time.Date(2026, 3, 4, 14, 6, 7, 120_000_000, seoul),
		"2026-03-04T05:06:07.000001Z": time.Date(2026, 3, 4, 5, 6, 7, 1_000, time.UTC),
		"2026-03-04T05:06:07.999999Z": time.Date(2026, 3, 4, 5, 6, 7, 999_999_999, time.UTC),
	} {
		require.Equal(t, want, timestamp.Format(moment))
		require.Equal(t, "x"+want, string(timestamp.AppendFormat([]byte("x"), moment)))
		require.Equal(t, want, timestamp.Time(moment).String())
	}
}

// Both encoders that are used for views must print the same.
func TestTime_jsonStringOrNull(t *testing.T) {
	t.Parallel()
	moment := time.Date(2026, 3, 4, 5, 6, 7, 120_000_000, time.UTC)
	view := struct {
		Paid    timestamp.Time  `json:"paid_at"`
		Shipped *timestamp.Time `json:"shipped_at"`
		Never   *timestamp.Time `json:"never_at"`
	}{timestamp.Time(moment), (*timestamp.Time)(&moment), (*timestamp.Time)(nil)}
	want := `{"paid_at":"2026-03-04T05:06:07.120000Z","shipped_at":"2026-03-04T05:06:07.120000Z","never_at":null}`

	ours, err := json.Marshal(view)
	require.NoError(t, err)
	require.Equal(t, want, string(ours))
	standard, err := stdjson.Marshal(view)
	require.NoError(t, err)
	require.Equal(t, want, string(standard))

	read := view
	read.Paid = timestamp.Time{}
	require.NoError(t, stdjson.Unmarshal(standard, &read))
	require.Equal(t, moment, time.Time(read.Paid))
	require.Error(t, stdjson.Unmarshal([]byte(`{"paid_at":"yesterday"}`), &read))
}

// The database accepts years that do not have four digits; printing them would
// break every client's parser.
func TestTime_yearWithoutFourDigits(t *testing.T) {
	t.Parallel()
	for _, year := range []int{10000, -1} {
		_, err := json.Marshal(timestamp.Time(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)))
		require.Error(t, err)
	}
}

// A formatted time is parsed as the same instant.
func TestParse_readsWhatFormatWrites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		moment := drawTime(t)
		parsed, err := timestamp.Parse(timestamp.Format(moment))
		require.NoError(t, err)
		require.Equal(t, moment, parsed)
	})
}

// Clients may sort the strings.
func TestFormat_sortsLikeTime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		moments := rapid.SliceOfN(rapid.Custom(drawTime), 2, 20).Draw(t, "moments")
		texts := make([]string, 0, len(moments))
		for _, moment := range moments {
			texts = append(texts, timestamp.Format(moment))
		}
		slices.SortFunc(moments, time.Time.Compare)
		slices.Sort(texts)
		for i, moment := range moments {
			require.Equal(t, timestamp.Format(moment), texts[i])
		}
	})
}

func drawTime(t *rapid.T) time.Time {
	first := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	last := time.Date(2200, 12, 31, 23, 59, 59, 999_999_000, time.UTC).UnixMicro()
	return time.UnixMicro(rapid.Int64Range(first, last).Draw(t, "microseconds")).UTC()
}
