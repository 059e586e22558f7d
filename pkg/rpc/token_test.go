package rpc

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
)

// keysOf returns a key list of single repeated bytes.
func keysOf(tb testing.TB, current byte, previous ...byte) secret.Keys {
	tb.Helper()
	old := make([][]byte, 0, len(previous))
	for _, b := range previous {
		old = append(old, bytes.Repeat([]byte{b}, secret.MinKeyBytes))
	}
	keys, err := secret.NewKeys(bytes.Repeat([]byte{current}, secret.MinKeyBytes), old...)
	require.NoError(tb, err)
	return keys
}

func TestATokenNamesItsCallerUntilItExpires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		keys := keysOf(t, 1)
		header := "Bearer " + NewToken(keys, "claims", time.Hour)
		for after, want := range map[time.Duration]error{
			-time.Hour:                   nil,
			0:                            nil,
			time.Hour:                    nil,
			time.Hour + tokenSkew:        nil,
			time.Hour + tokenSkew + 1:    errTokenExpired,
			100 * 365 * 24 * time.Hour:   errTokenExpired,
			time.Hour + 2*time.Second:    nil,
			time.Hour + time.Minute:      errTokenExpired,
			59*time.Minute + time.Second: nil,
		} {
			caller, err := verifyToken(keys, header, time.Now().Add(after))
			require.ErrorIs(t, err, want, after)
			if want == nil {
				require.Equal(t, "claims", caller)
			}
		}
	})
}

func TestToken_secretRotation(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	before, during, after := keysOf(t, 1), keysOf(t, 2, 1), keysOf(t, 2)
	byOld, byNew := "Bearer "+signToken(before, "c", now), "Bearer "+signToken(during, "c", now)
	for _, c := range []struct {
		keys   secret.Keys
		header string
		want   error
	}{
		{before, byOld, nil},
		{during, byOld, nil},
		{during, byNew, nil},
		{after, byNew, nil},
		{after, byOld, errTokenSignature},
		{before, byNew, errTokenSignature},
		{secret.Keys{}, byNew, errTokenSignature},
	} {
		_, err := verifyToken(c.keys, c.header, now)
		require.ErrorIs(t, err, c.want)
	}
}

func TestARefusedTokenSaysWhatIsWrongWithIt(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	keys := keysOf(t, 1)
	good := signToken(keys, "claims", now)
	parts := strings.Split(good, ".")
	for name, c := range map[string]struct {
		header string
		want   error
	}{
		"nothing":             {"", errTokenMissing},
		"scheme only":         {"Bearer", errTokenMissing},
		"scheme and blanks":   {"Bearer   ", errTokenMissing},
		"other scheme":        {"Basic " + good, errTokenMissing},
		"no scheme":           {good, errTokenMissing},
		"other version":       {"Bearer v2." + parts[1] + "." + parts[2], errTokenMalformed},
		"two parts":           {"Bearer v1." + parts[1], errTokenMalformed},
		"four parts":          {"Bearer " + good + ".x", errTokenMalformed},
		"payload not base64":  {"Bearer v1.!." + parts[2], errTokenMalformed},
		"no caller":           {"Bearer " + signToken(keys, "", now), errTokenMalformed},
		"MAC not base64":      {"Bearer v1." + parts[1] + ".!", errTokenMalformed},
		"line break inside":   {"Bearer v1." + parts[1] + ".\n" + parts[2], errTokenMalformed},
		"far too long":        {"Bearer v1." + strings.Repeat("A", 1<<20) + "." + parts[2], errTokenMalformed},
		"no MAC":              {"Bearer v1." + parts[1] + ".", errTokenSignature},
		"MAC cut":             {"Bearer v1." + parts[1] + "." + parts[2][:20], errTokenSignature},
		"other payload":       {"Bearer v1." + strings.Split(signToken(keys, "orders", now), ".")[1] + "." + parts[2], errTokenSignature},
		"other expiry":        {"Bearer v1." + strings.Split(signToken(keys, "claims", now.Add(time.Hour)), ".")[1] + "." + parts[2], errTokenSignature},
		"scheme in lower":     {"bearer " + good, nil},
		"blanks around token": {"Bearer  " + good + " ", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := verifyToken(keys, c.header, now)
			require.ErrorIs(t, err, c.want)
		})
	}
}

func TestAClientRenewsItsTokenAtHalfOfItsLife(t *testing.T) {
	t.Parallel()
	keys := keysOf(t, 1)
	source := &tokenSource{keys: keys, caller: "claims"}
	start := time.Unix(1_800_000_000, 0)
	first := source.header(start)
	require.Equal(t, first, source.header(start.Add(serviceTokenLife/2-1)))
	second := source.header(start.Add(serviceTokenLife / 2))
	require.NotEqual(t, first, second)
	caller, err := verifyToken(keys, second, start.Add(serviceTokenLife))
	require.NoError(t, err)
	require.Equal(t, "claims", caller)
}

func FuzzVerifyTokenTrustsOnlyWhatWasSigned(f *testing.F) {
	now := time.Unix(1_800_000_000, 0)
	keys := keysOf(f, 1)
	good := signToken(keys, "claims", now)
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add(signToken(keysOf(f, 2), "claims", now))
	f.Add("v1..")
	f.Fuzz(func(t *testing.T, token string) {
		_, err := verifyToken(keys, "Bearer "+token, now)
		if (strings.TrimSpace(token) == good) != (err == nil) {
			t.Fatalf("verifyToken(%q) = %v", token, err)
		}
	})
}
