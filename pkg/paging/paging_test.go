package paging_test

import (
	"bytes"
	"encoding/base64"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/paging"
)

const (
	seller = "018f4b4e-7c7a-7a51-a0c3-5d1a44a6b001"
	list   = "orders"
)

var (
	oldKey = bytes.Repeat([]byte{1}, 32)
	newKey = bytes.Repeat([]byte{2}, 32)
	last   = paging.Position{
		UpdatedAt: time.Date(2026, 5, 4, 3, 2, 1, 123456000, time.UTC),
		ID:        uuid.MustParse("01890a5d-ac96-774b-bcce-b302099a8057"),
	}
)

func newSigner(t interface {
	Helper()
	Fatal(...any)
}, current []byte, previous ...[]byte,
) *paging.Signer {
	t.Helper()
	s, err := paging.NewSigner(current, previous...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func orders() paging.Scope {
	return paging.Scope{SellerID: seller, List: list, Filters: map[string]string{
		"order_status": "paid", "updated_at_gte": "2026-05-01T00:00:00.000000Z",
	}}
}

func requireInvalid(t require.TestingT, err error, reason string, about ...any) {
	var e *apierr.Error
	require.ErrorAs(t, err, &e, about...)
	require.Equal(t, apierr.InvalidCursor, e.Code, about...)
	require.Equal(t, map[string]any{"reason": reason}, e.Data, about...)
}

func scopes() *rapid.Generator[paging.Scope] {
	return rapid.Custom(func(t *rapid.T) paging.Scope {
		return paging.Scope{
			SellerID: rapid.StringN(0, 40, 80).Draw(t, "seller"),
			List:     rapid.StringN(0, 20, 40).Draw(t, "list"),
			Filters:  rapid.MapOfN(rapid.StringN(0, 20, 40), rapid.StringN(0, 64, 200), 0, 9).Draw(t, "filters"),
		}
	})
}

func positions() *rapid.Generator[paging.Position] {
	return rapid.Custom(func(t *rapid.T) paging.Position {
		// The API allows 1970 to 2200; the property holds far beyond.
		micros := rapid.Int64Range(-1<<50, 1<<53).Draw(t, "micros")
		return paging.Position{
			UpdatedAt: time.UnixMicro(micros).UTC(),
			ID:        uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id")),
		}
	})
}

func TestOpen_anyPartOfTheFilters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, scope, position := newSigner(t, newKey), scopes().Draw(t, "scope"), positions().Draw(t, "position")
		sent := map[string]string{}
		for name, value := range scope.Filters {
			if rapid.Bool().Draw(t, "repeated") {
				sent[name] = value
			}
		}
		filters, got, err := s.Open(scope.SellerID, scope.List, sent, s.Sign(scope, position))
		require.NoError(t, err)
		require.Equal(t, scope.Filters, filters)
		require.Equal(t, position, got)
	})
}

func TestSign_truncatesToMicroseconds(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	fine := last
	fine.UpdatedAt = last.UpdatedAt.Add(999).In(time.FixedZone("KST", 9*3600))
	_, got, err := s.Open(seller, list, nil, s.Sign(orders(), fine))
	require.NoError(t, err)
	require.Equal(t, last, got)
}

// Filters that differ from the cursor's are refused, and those left out are taken from it.
func TestOpen_filters(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	cursor, bare := s.Sign(orders(), last), s.Sign(paging.Scope{SellerID: seller, List: list}, last)
	for name, c := range map[string]struct {
		cursor string
		sent   map[string]string
		want   map[string]string // nil: filters_changed
	}{
		"all repeated": {cursor, orders().Filters, orders().Filters},
		"all left out": {cursor, nil, orders().Filters},
		"one left out": {cursor, map[string]string{"order_status": "paid"}, orders().Filters},
		"other value":  {cursor, map[string]string{"order_status": "shipping"}, nil},
		"one changed, one kept": {cursor, map[string]string{
			"order_status":   "paid",
			"updated_at_gte": "2026-05-02T00:00:00.000000Z",
		}, nil},
		"one added":                     {cursor, map[string]string{"order_status": "paid", "item_status": "paid"}, nil},
		"one added with an empty value": {cursor, map[string]string{"item_status": ""}, nil},
		"values exchanged": {cursor, map[string]string{
			"order_status":   "2026-05-01T00:00:00.000000Z",
			"updated_at_gte": "paid",
		}, nil},
		"none at first, none now":        {bare, nil, map[string]string{}},
		"none at first, one now":         {bare, map[string]string{"order_status": "paid"}, nil},
		"value in other letter case":     {cursor, map[string]string{"order_status": "Paid"}, nil},
		"name in other letter case":      {cursor, map[string]string{"Order_status": "paid"}, nil},
		"name and value moved together":  {cursor, map[string]string{"order_statusp": "aid"}, nil},
		"empty value of a signed filter": {cursor, map[string]string{"order_status": ""}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			filters, position, err := s.Open(seller, list, c.sent, c.cursor)
			if c.want == nil {
				requireInvalid(t, err, paging.ReasonFiltersChanged)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, filters)
			require.Equal(t, last, position)
		})
	}
}

// A cursor of another seller or list is refused like a forged one, whatever filters are sent with it.
func TestOpen_foreignLooksForged(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	cursor := s.Sign(orders(), last)
	for name, c := range map[string]struct{ seller, list string }{
		"other seller":           {"018f4b4e-7c7a-7a51-a0c3-5d1a44a6b002", list},
		"seller in capitals":     {strings.ToUpper(seller), list},
		"no seller":              {"", list},
		"other list":             {seller, "claims"},
		"seller and list shared": {seller + list, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// This holds even with filters that would be refused: the error for a foreign cursor must not reveal its filters.
			for _, sent := range []map[string]string{nil, orders().Filters, {"order_status": "shipping"}} {
				_, _, err := s.Open(c.seller, c.list, sent, cursor)
				requireInvalid(t, err, paging.ReasonMalformed)
			}
		})
	}
}

// Rotating a signing key does not end the walks that began under the old one.
func TestSigner_keyRotationKeepsWalks(t *testing.T) {
	t.Parallel()
	before, during, after := newSigner(t, oldKey), newSigner(t, newKey, oldKey), newSigner(t, newKey)
	byOld, byNew := before.Sign(orders(), last), during.Sign(orders(), last)
	for cursor, signers := range map[string]map[*paging.Signer]bool{
		byOld: {before: true, during: true, after: false},
		byNew: {before: false, during: true, after: true},
	} {
		for signer, accepted := range signers {
			_, _, err := signer.Open(seller, list, nil, cursor)
			require.Equal(t, accepted, err == nil)
		}
	}
}

// Equal walks get equal cursors, which are short and need no escaping.
func TestSign_equalWalksGetEqualCursors(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	want := s.Sign(orders(), last)
	for range 20 { // map iteration order is random
		scope := orders()
		scope.Filters = maps.Clone(scope.Filters)
		require.Equal(t, want, s.Sign(scope, last))
	}
	require.Less(t, len(want), 250, "cursors travel in query strings")
	require.Regexp(t, `^[A-Za-z0-9_-]+$`, want, "clients pass a cursor on without escaping")
}

// The error for a signing key that is too short names its position and does not show the key.
func TestNewSigner_shortKeyNamedByPosition(t *testing.T) {
	t.Parallel()
	_, err := paging.NewSigner([]byte("canary"))
	require.EqualError(t, err, "cursor signing key 1: 6 bytes long; at least 32 are needed")
	_, err = paging.NewSigner(newKey, []byte("canary"))
	require.EqualError(t, err, "cursor signing key 2: 6 bytes long; at least 32 are needed")
}

// Every other encoding of a cursor is malformed.
func TestOpen_otherSpellingIsMalformed(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	for _, name := range []string{"a", "ab", "abc"} { // every remainder of base64
		cursor := s.Sign(paging.Scope{SellerID: seller, List: list, Filters: map[string]string{name: "\xff\xfe\xfb"}}, last)
		raw, err := base64.RawURLEncoding.DecodeString(cursor)
		require.NoError(t, err)
		others := []string{
			"", "=", cursor + "=", cursor + "==", cursor + "A", cursor + "\n", "\n" + cursor,
			cursor[:8] + "\r\n" + cursor[8:], cursor + " ",
			base64.StdEncoding.EncodeToString(raw) + "====", cursor + cursor, strings.ToUpper(cursor), strings.Repeat("A", 1<<20),
		}
		for _, other := range others {
			_, _, err := s.Open(seller, list, nil, other)
			requireInvalid(t, err, paging.ReasonMalformed, other)
		}
	}
}
