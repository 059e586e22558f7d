package timestamp_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/timestamp"
)

func at(hour, minute, second, micros int) time.Time {
	return time.Date(2026, 3, 4, hour, minute, second, micros*1000, time.UTC)
}

// Every allowed format is parsed, to the microsecond.
func TestParse_everyAllowedForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Time{
		"2026-03-04T05:06":                    at(5, 6, 0, 0),
		"2026-03-04t05:06":                    at(5, 6, 0, 0),
		"2026-03-04T05:06Z":                   at(5, 6, 0, 0),
		"2026-03-04T05:06:07":                 at(5, 6, 7, 0),
		"2026-03-04T05:06:07Z":                at(5, 6, 7, 0),
		"2026-03-04T05:06:07z":                at(5, 6, 7, 0),
		"2026-03-04T05:06:07.1":               at(5, 6, 7, 100000),
		"2026-03-04T05:06:07.123456Z":         at(5, 6, 7, 123456),
		"2026-03-04T05:06:07.000001Z":         at(5, 6, 7, 1),
		"2026-03-04T05:06:07.123456789Z":      at(5, 6, 7, 123456), // truncated, not rounded
		"2026-03-04T05:06:07.999999999Z":      at(5, 6, 7, 999999),
		"2026-03-04T14:06:07+09:00":           at(5, 6, 7, 0),
		"2026-03-04T14:06:07+0900":            at(5, 6, 7, 0),
		"2026-03-04T14:06:07+09":              at(5, 6, 7, 0),
		"2026-03-04T14:06+09":                 at(5, 6, 0, 0),
		"2026-03-04T14:06:07.5+09:00":         at(5, 6, 7, 500000),
		"2026-03-04T00:36:07-04:30":           at(5, 6, 7, 0),
		"2026-03-04T05:06:07-00:00":           at(5, 6, 7, 0),
		"2026-03-05T04:05:07+23:59":           at(4, 6, 7, 0),
		"2026-03-04T00:00:00Z":                at(0, 0, 0, 0),
		"2026-03-04T23:59:59.999999Z":         at(23, 59, 59, 999999),
		"1970-01-01T00:00:00Z":                time.Unix(0, 0).UTC(),
		"2200-12-31T23:59:59.999999Z":         time.Date(2200, 12, 31, 23, 59, 59, 999999000, time.UTC),
		"2024-02-29T00:00Z":                   time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC),
		"2000-02-29T00:00Z":                   time.Date(2000, 2, 29, 0, 0, 0, 0, time.UTC),
		"2026-01-31T00:00:00.000000000+00:00": time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
		"2026-01-01T08:59:59.999999999+09:00": time.Date(2025, 12, 31, 23, 59, 59, 999999000, time.UTC),
	} {
		got, err := timestamp.Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
}

// Everything else is refused with a text that states what is wrong.
func TestParse_refusals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]timestamp.Problem{
		"":                               timestamp.NotDateTime,
		"now":                            timestamp.NotDateTime,
		"1772600767":                     timestamp.NotDateTime,
		"2026-3-4T05:06":                 timestamp.NotDateTime,
		"20260304T050607Z":               timestamp.NotDateTime,
		"2026-03-04T5:06":                timestamp.NotDateTime,
		"2026-03-04T05":                  timestamp.NotDateTime,
		"2026-03-04T":                    timestamp.NotDateTime,
		"2026-03-04T05:06:":              timestamp.NotDateTime,
		"2026-03-04T05:06:7":             timestamp.NotDateTime,
		" 2026-03-04T05:06":              timestamp.NotDateTime,
		"+2026-03-04T05:06":              timestamp.NotDateTime,
		"２０26-03-04T05:06":               timestamp.NotDateTime,
		"2026-03-04":                     timestamp.DateAlone,
		"2026-03-04 05:06:07":            timestamp.NoT,
		"2026-03-04_05:06:07":            timestamp.NoT,
		"2026-02-29T00:00":               timestamp.BadDate,
		"2100-02-29T00:00":               timestamp.BadDate,
		"2026-04-31T00:00":               timestamp.BadDate,
		"2026-13-01T00:00":               timestamp.BadDate,
		"2026-00-01T00:00":               timestamp.BadDate,
		"2026-01-00T00:00":               timestamp.BadDate,
		"2026-03-04T24:00":               timestamp.BadTime,
		"2026-03-04T05:60":               timestamp.BadTime,
		"2026-03-04T05:06:61":            timestamp.BadTime,
		"2026-06-30T23:59:60Z":           timestamp.LeapSecond,
		"2026-03-04T05:06:07.":           timestamp.BadFraction,
		"2026-03-04T05:06:07.Z":          timestamp.BadFraction,
		"2026-03-04T05:06:07.1234567890": timestamp.BadFraction,
		"2026-03-04T05:06:07,5Z":         timestamp.BadOffset,
		"1969-12-31T23:59:59Z":           timestamp.YearRange,
		"0000-01-01T00:00Z":              timestamp.YearRange,
		"2201-01-01T00:00Z":              timestamp.YearRange,
		"9999-12-31T23:59:59Z":           timestamp.YearRange,
		"1970-01-01T00:00:00+00:01":      timestamp.YearRange, // 1969 in UTC
		"2200-12-31T23:59:59-00:01":      timestamp.YearRange, // 2201 in UTC
		"2026-03-04T05:06:07 09:00":      timestamp.SpaceAsOffset,
		"2026-03-04T05:06:07.123 0900":   timestamp.SpaceAsOffset,
		"2026-03-04T05:06 09":            timestamp.SpaceAsOffset,
		"2026-03-04T05:06:07 ":           timestamp.SpaceAsOffset,
		"2026-03-04T05:06:07+9":          timestamp.BadOffset,
		"2026-03-04T05:06:07+090":        timestamp.BadOffset,
		"2026-03-04T05:06:07+09:0":       timestamp.BadOffset,
		"2026-03-04T05:06:07+09-00":      timestamp.BadOffset,
		"2026-03-04T05:06:07+24:00":      timestamp.BadOffset,
		"2026-03-04T05:06:07+09:60":      timestamp.BadOffset,
		"2026-03-04T05:06:07+09:00:00":   timestamp.BadOffset,
		"2026-03-04T05:06:07ZZ":          timestamp.BadOffset,
		"2026-03-04T05:06:07Z ":          timestamp.BadOffset,
		"2026-03-04T05:06:07KST":         timestamp.BadOffset,
		"2026-03-04T05:06:07\x00":        timestamp.BadOffset,
		"2026-03-04T05:06:07−09:00":      timestamp.BadOffset, // U+2212
		"2026-03-04T05:06:07%2B09:00":    timestamp.BadOffset,
	} {
		_, err := timestamp.Parse(text)
		require.Equal(t, want, err, text)
	}
}

// A plus sign that became a blank is explained, with what to send instead.
func TestParse_lostPlusExplained(t *testing.T) {
	t.Parallel()
	_, err := timestamp.Parse("2026-03-04T05:06:07 09:00")
	require.ErrorContains(t, err, "send + as %2B or use Z")
}

// Lists parse up to eight times per request.
func TestParseDoesNotAllocate(t *testing.T) { //nolint:paralleltest // counts the allocations of the whole process
	texts := []string{"2026-03-04T14:06:07.123456+09:00", "2026-03-04T05:06Z", "2026-03-04T05:06:07 09:00", "x"}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for _, text := range texts {
			_, _ = timestamp.Parse(text)
		}
	}))
}

// Whatever Parse accepts equals what the standard library parses from the same
// instant in strict form, and survives formatting and parsing.
func FuzzParse_survivesFormat(f *testing.F) {
	for _, seed := range []string{
		"2026-03-04T14:06:07.123456789+09:00", "1970-01-01T00:00Z", "2200-12-31T23:59:59.9-00", "2026-02-28t23:59:59z",
		"2026-03-04T05:06:07 09:00", "2026-03-04",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := timestamp.Parse(text)
		if err != nil {
			require.ErrorAs(t, err, new(timestamp.Problem))
			return
		}
		again, err := timestamp.Parse(timestamp.Format(parsed))
		require.NoError(t, err)
		require.Equal(t, parsed, again)
		require.Equal(t, time.UTC, parsed.Location())
		require.Zero(t, parsed.Nanosecond()%1000)
		if strict, err := time.Parse(time.RFC3339Nano, strings.ToUpper(text)); err == nil {
			require.Equal(t, strict.UTC().Truncate(time.Microsecond), parsed)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, _ = timestamp.Parse("2026-03-04T14:06:07.123456+09:00")
	}
}
