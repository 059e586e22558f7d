package paging_test

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/pkg/paging"
)

// A cursor with any single bit flipped, in its bytes or in its text, is malformed.
func TestOpen_flippedBitIsMalformed(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey, oldKey)
	cursor := s.Sign(orders(), last)
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	require.NoError(t, err)
	for bit := range 8 * len(raw) {
		changed := []byte(string(raw))
		changed[bit/8] ^= 1 << (bit % 8)
		_, _, err := s.Open(seller, list, nil, base64.RawURLEncoding.EncodeToString(changed))
		requireInvalid(t, err, paging.ReasonMalformed, bit)
	}
	for bit := range 8 * len(cursor) {
		changed := []byte(cursor)
		changed[bit/8] ^= 1 << (bit % 8)
		_, _, err := s.Open(seller, list, nil, string(changed))
		requireInvalid(t, err, paging.ReasonMalformed, bit)
	}
}

// A cursor with any other last character is malformed, even where only unused bits differ.
func TestOpen_otherLastCharacterIsMalformed(t *testing.T) {
	t.Parallel()
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	s := newSigner(t, newKey)
	for _, filter := range []string{"a", "ab", "abc"} {
		// The last character has unused bits for two of the three lengths; a lax decoder ignores them.
		cursor := s.Sign(paging.Scope{SellerID: seller, List: list, Filters: map[string]string{filter: ""}}, last)
		for _, c := range alphabet {
			changed := cursor[:len(cursor)-1] + string(c)
			if changed == cursor {
				continue
			}
			_, _, err := s.Open(seller, list, nil, changed)
			requireInvalid(t, err, paging.ReasonMalformed, changed)
		}
	}
}

func TestOpen_mutatedCursorIsMalformed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, scope := newSigner(t, newKey, oldKey), scopes().Draw(t, "scope")
		cursor := s.Sign(scope, positions().Draw(t, "position"))
		at := rapid.IntRange(0, len(cursor)).Draw(t, "at")
		end := rapid.IntRange(at, len(cursor)).Draw(t, "end")
		// Replacing any part by anything covers truncation, extension, insertion and exchange.
		with := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z0-9_=+/-]{0,40}`), rapid.Just(cursor)).Draw(t, "with")
		changed := cursor[:at] + with + cursor[end:]
		if changed == cursor {
			return
		}
		_, _, err := s.Open(scope.SellerID, scope.List, nil, changed)
		requireInvalid(t, err, paging.ReasonMalformed)
	})
}

// The beginning of one cursor and the end of another do not form a valid one.
func TestOpen_splicedCursorsAreMalformed(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	other := orders()
	other.Filters["order_status"] = "done" // as long as "paid", so that the parts fit
	a, b := s.Sign(orders(), last), s.Sign(other, last)
	require.Len(t, b, len(a))
	for cut := range len(a) {
		spliced := a[:cut] + b[cut:]
		if spliced == a || spliced == b {
			continue
		}
		_, _, err := s.Open(seller, list, nil, spliced)
		requireInvalid(t, err, paging.ReasonMalformed, cut)
	}
}

func FuzzOpen_unsigned(f *testing.F) {
	s := newSigner(f, newKey, oldKey)
	good := map[string]bool{
		s.Sign(orders(), last): true,
		s.Sign(paging.Scope{SellerID: seller, List: list}, paging.Position{}): true,
		newSigner(f, oldKey).Sign(orders(), last):                             true,
	}
	for cursor := range good {
		f.Add(cursor)
		f.Add(cursor[1:])
	}
	f.Add("")
	f.Fuzz(func(t *testing.T, cursor string) {
		_, _, err := s.Open(seller, list, nil, cursor)
		if good[cursor] {
			require.NoError(t, err)
			return
		}
		requireInvalid(t, err, paging.ReasonMalformed)
	})
}

func BenchmarkOpen(b *testing.B) {
	s := newSigner(b, newKey)
	cursor := s.Sign(orders(), last)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := s.Open(seller, list, nil, cursor); err != nil {
			b.Fatal(err)
		}
	}
}
