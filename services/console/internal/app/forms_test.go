package app

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/console/internal/pages"
)

// People write times in several forms, without an offset in UTC; a date as the end of a range is its end.
func TestInstant(t *testing.T) {
	t.Parallel()
	const form = "2006-01-02T15:04:05.000000"
	for text, want := range map[string][2]string{
		"2026-03-01":                {"2026-03-01T00:00:00.000000", "2026-03-01T23:59:59.999999"},
		"2026-03-01 09:30":          {"2026-03-01T09:30:00.000000", "2026-03-01T09:30:00.000000"},
		"2026-03-01T09:30:15":       {"2026-03-01T09:30:15.000000", "2026-03-01T09:30:15.000000"},
		"2026-03-01T09:30:15+09:00": {"2026-03-01T00:30:15.000000", "2026-03-01T00:30:15.000000"},
	} {
		for n, end := range []bool{false, true} {
			at, ok := instant(text, end)
			require.True(t, ok, text)
			require.Equal(t, want[n], at.AsTime().Format(form), text)
		}
	}
	at, ok := instant("", true)
	require.True(t, ok)
	require.Nil(t, at)
	for _, text := range []string{"yesterday", "2026-02-30", "09:30", "2026-03-01T25:00"} {
		_, ok := instant(text, false)
		require.False(t, ok, text)
	}
}

// A key expires when its form says, on a chosen day at its end; a choice that no form has is refused.
func TestExpiry(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		choice, date string
		want         time.Time
	}{
		{pages.ExpiryNever, "", time.Time{}},
		{pages.ExpiryQuarter, "", now.AddDate(0, 0, 90)},
		{pages.ExpiryYear, "", now.AddDate(0, 0, 365)},
		{"", "", now.AddDate(0, 0, 365)},
		{pages.ExpiryDay, "2026-03-31", time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)},
	} {
		at, ok := expiry(test.choice, test.date, now)
		require.True(t, ok, test.choice)
		require.Equal(t, test.want, timeOf(at), test.choice)
	}
	for choice, date := range map[string]string{pages.ExpiryDay: "31.3.2026", "forever": ""} {
		_, ok := expiry(choice, date, now)
		require.False(t, ok, choice)
	}
}

// What the gateway says is wrong with a field stands beside it; a rule that refuses the whole stands above; anything else is a
// failure.
func TestKeyRefused(t *testing.T) {
	t.Parallel()
	wrong := apierr.ValidationError.With(map[string]any{"errors": []any{
		map[string]any{"field": "scopes[1]", "message": "no such scope"}, map[string]any{"field": "expires_at", "message": "is past"},
	}})
	got, err := keyRefused(pages.KeyForm{Purpose: "ERP"}, wrong)
	require.NoError(t, err)
	require.Equal(t, reply{status: http.StatusUnprocessableEntity, page: pages.KeyForm{
		Purpose: "ERP", Problems: map[string]pages.Problem{
			pages.FieldScope:  {Word: pages.KeyRefused, Detail: "no such scope"},
			pages.FieldExpiry: {Word: pages.KeyRefused, Detail: "is past"},
		},
	}}, got)
	got, err = keyRefused(pages.KeyForm{}, connect.NewError(connect.CodeResourceExhausted, errors.New("too many keys")))
	require.NoError(t, err)
	require.Equal(t, reply{status: http.StatusConflict, page: pages.KeyForm{
		Problems: map[string]pages.Problem{"": {Word: pages.KeyLimit, Detail: "too many keys"}},
	}}, got)
	_, err = keyRefused(pages.KeyForm{}, apierr.Unavailable)
	require.ErrorIs(t, err, apierr.Unavailable)
}

// The cookie of the notice shows what the console has set, and nothing that anyone else has written into it.
func TestReadNotice(t *testing.T) {
	t.Parallel()
	require.Equal(t, &pages.Notice{Word: pages.DonePaused}, readNotice(donePaused))
	require.Equal(t, &pages.Notice{Word: pages.DoneRevoked, Values: []any{"vpk_test_a7Q"}}, readNotice(doneRevoked+".vpk_test_a7Q"))
	require.True(t, readNotice(notTested).Bad)
	for _, text := range []string{"", "hello", doneRevoked + ".", doneRevoked + ".<b>", doneRevoked + ".send money to 1234 5678"} {
		require.Nil(t, readNotice(text), text)
	}
}
