package apikey

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
)

func pepper(letter string) []byte { return bytes.Repeat([]byte(letter), secret.MinKeyBytes) }

func texts(tb testing.TB, environment Environment, peppers ...string) *Texts {
	tb.Helper()
	previous := make([][]byte, 0, len(peppers)-1)
	for _, letter := range peppers[1:] {
		previous = append(previous, pepper(letter))
	}
	keys, err := secret.NewKeys(pepper(peppers[0]), previous...)
	require.NoError(tb, err)
	made, err := NewTexts(environment, keys)
	require.NoError(tb, err)
	return made
}

func newID(tb testing.TB) uuid.UUID {
	tb.Helper()
	id, err := uuid.NewV7()
	require.NoError(tb, err)
	return id
}

// The text of a key has the id for which it was made, and is found by the hash with which it is stored.
func TestText_readsBack(t *testing.T) {
	t.Parallel()
	for _, environment := range []Environment{Live, Test} {
		id := newID(t)
		text, made := texts(t, environment, "a").New(id)
		require.Len(t, text.Reveal(), TextChars)
		require.True(t, strings.HasPrefix(text.Reveal(), "vpk_"+string(environment)+"_"))
		require.Equal(t, encode128(id), text.Reveal()[markChars:markChars+digitsOf128])
		read, err := texts(t, environment, "a").Read(text.Reveal())
		require.NoError(t, err)
		require.Equal(t, made, read)
	}
}

func TestText_twoTextsOfOneKeyIDDiffer(t *testing.T) {
	t.Parallel()
	id, maker := newID(t), texts(t, Live, "a")
	first, one := maker.New(id)
	second, two := maker.New(id)
	require.NotEqual(t, first, second)
	require.NotEqual(t, one, two)
}

// Keys of the same moment share the high bits of their ids; the three characters that are shown must differ nevertheless.
func TestText_prefixesOfOneMomentDiffer(t *testing.T) {
	t.Parallel()
	maker, seen := texts(t, Live, "a"), map[string]bool{}
	const keys = 1000
	for range keys {
		text, _ := maker.New(newID(t))
		seen[text.Reveal()[:PrefixChars]] = true
	}
	require.Greater(t, len(seen), keys*98/100)
}

// A mistyped key is refused without a look-up: every position, every other character of the alphabet and some outside it.
func TestText_singleCharacterChange(t *testing.T) {
	t.Parallel()
	maker := texts(t, Live, "a", "b")
	text, _ := maker.New(newID(t))
	valid, lookups := text.Reveal(), 0
	verifier := NewVerifier(maker, func(context.Context, Hash) (Found, error) {
		lookups++
		return Found{}, ErrHashUnknown
	}, LookupTimeout)
	for i := range valid {
		for _, other := range []byte(alphabet + "_- \x00\x7f\xff") {
			if other == valid[i] {
				continue
			}
			_, err := verifier.Identify(t.Context(), valid[:i]+string([]byte{other})+valid[i+1:])
			var refused *RefusedError
			require.ErrorAs(t, err, &refused)
		}
	}
	require.Zero(t, lookups)
}

func TestText_otherEnvironment(t *testing.T) {
	t.Parallel()
	text, _ := texts(t, Test, "a").New(newID(t))
	_, err := texts(t, Live, "a").Read(text.Reveal())
	require.ErrorIs(t, err, ErrOtherEnvironment)
	dressed := "vpk_live_" + strings.TrimPrefix(text.Reveal(), "vpk_test_")
	_, err = texts(t, Live, "a").Read(dressed)
	require.ErrorIs(t, err, ErrForged)
}

func TestText_pepperRotation(t *testing.T) {
	t.Parallel()
	old, before := texts(t, Live, "a").New(newID(t))
	during := texts(t, Live, "b", "a")
	read, err := during.Read(old.Reveal())
	require.NoError(t, err)
	require.Equal(t, before, read, "the stored hash must still be found")
	fresh, _ := during.New(newID(t))
	after := texts(t, Live, "b")
	_, err = after.Read(fresh.Reveal())
	require.NoError(t, err)
	_, err = after.Read(old.Reveal())
	require.ErrorIs(t, err, ErrForged)
}

// Texts can be made only with a known environment and a pepper.
func TestNewTexts_needEnvironmentAndPepper(t *testing.T) {
	t.Parallel()
	keys, err := secret.NewKeys(pepper("a"))
	require.NoError(t, err)
	_, err = NewTexts("staging", keys)
	require.Error(t, err)
	_, err = NewTexts(Live, secret.Keys{})
	require.ErrorIs(t, err, secret.ErrNoKeys)
}

func TestIdentify_refusedOrUnavailable(t *testing.T) {
	t.Parallel()
	maker := texts(t, Live, "a")
	text, hash := maker.New(newID(t))
	away := errors.New("database away")
	cases := map[string]struct {
		key    Found
		err    error
		reason Reason
	}{
		"altered": {key: Found{Key: Key{ID: newID(t)}, MAC: []byte("of another row")}, reason: ReasonAltered},
		"unknown": {err: ErrHashUnknown, reason: ReasonUnknown},
		"away":    {err: away},
	}
	for name, c := range cases {
		verifier := NewVerifier(maker, func(_ context.Context, asked Hash) (Found, error) {
			require.Equal(t, hash, asked)
			return c.key, c.err
		}, LookupTimeout)
		_, err := verifier.Identify(t.Context(), text.Reveal())
		var refused *RefusedError
		if c.reason == "" {
			require.ErrorIs(t, err, away, name)
			require.NotErrorAs(t, err, &refused)
			continue
		}
		require.ErrorAs(t, err, &refused, name)
		require.Equal(t, c.reason, refused.Reason)
		require.NotContains(t, err.Error(), text.Reveal()[PrefixChars:])
	}
}

// A preloaded key needs no look-up; one whose row was altered gets the look-up that refuses it.
func TestPreload_keysThatMatchTheirMAC(t *testing.T) {
	t.Parallel()
	maker := texts(t, Live, "a")
	of := func() (string, Found) {
		id := newID(t)
		text, hash := maker.New(id)
		key := Key{ID: id, SellerID: uuid.New(), Version: 1}
		return text.Reveal(), Found{Key: key, Hash: hash, MAC: maker.MAC(key, hash)}
	}
	text, found := of()
	other, altered := of()
	altered.SellerID = found.SellerID
	away := errors.New("database away")
	verifier := NewVerifier(maker, func(context.Context, Hash) (Found, error) { return Found{}, away }, LookupTimeout)
	verifier.Preload([]Found{found, altered})
	bearer, err := verifier.Identify(t.Context(), text)
	require.NoError(t, err)
	require.Equal(t, found.Key, bearer.Key)
	_, err = verifier.Identify(t.Context(), other)
	require.ErrorIs(t, err, away)
}

// No input causes a panic; a parsed text is in its only valid form, and a change of any byte makes it invalid.
func FuzzParse_onlyOwnTexts(f *testing.F) {
	maker := texts(f, Live, "a")
	text, _ := maker.New(newID(f))
	for _, seed := range []string{
		"", "vpk_live_", text.Reveal(), text.Reveal()[1:], strings.Repeat("0", TextChars),
		strings.Repeat("é", 40),
	} {
		f.Add(seed, 13, byte('x'))
	}
	f.Fuzz(func(t *testing.T, candidate string, position int, other byte) {
		hash, err := maker.Read(candidate)
		if err != nil {
			require.Zero(t, hash)
			return
		}
		require.True(t, strings.HasPrefix(candidate, "vpk_live_"))
		position = int(uint(position) % uint(TextChars))
		if changed := candidate[:position] + string([]byte{other}) + candidate[position+1:]; changed != candidate {
			_, err = maker.Read(changed)
			require.Error(t, err)
		}
	})
}
