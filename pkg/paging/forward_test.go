package paging_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/pkg/paging"
)

// A position stays valid when the keys are rotated, for as long as its key is among the previous ones.
func TestPosition_rotatedKeys(t *testing.T) {
	t.Parallel()
	third := make([]byte, 32)
	text := newSigner(t, oldKey).SignPosition(seller, list, last)
	for _, s := range []*paging.Signer{newSigner(t, newKey, oldKey), newSigner(t, third, newKey, oldKey)} {
		got, err := s.OpenPosition(seller, list, text)
		require.NoError(t, err)
		require.Equal(t, last, got)
	}
	_, err := newSigner(t, newKey).OpenPosition(seller, list, text)
	requireInvalid(t, err, paging.ReasonMalformed)
}

// A position belongs to a seller and a list, and is no cursor; a cursor is no position.
func TestPosition_boundToSellerAndList(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	text := s.SignPosition(seller, list, last)
	for _, of := range [][2]string{{seller[1:], list}, {seller, "claims"}, {seller, list + " forward"}} {
		_, err := s.OpenPosition(of[0], of[1], text)
		requireInvalid(t, err, paging.ReasonMalformed, of)
	}
	_, _, err := s.Open(seller, list, nil, text)
	requireInvalid(t, err, paging.ReasonMalformed)
	_, err = s.OpenPosition(seller, list, s.Sign(paging.Scope{SellerID: seller, List: list}, last))
	requireInvalid(t, err, paging.ReasonMalformed)
	_, err = s.OpenPosition(seller, list, text[1:])
	requireInvalid(t, err, paging.ReasonMalformed)
}

func TestPosition_anyPosition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, want := newSigner(t, newKey), positions().Draw(t, "position")
		got, err := s.OpenPosition(seller, list, s.SignPosition(seller, list, want))
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

// A position is never later than the seller's clock: the next change would come before it.
func TestCutForward(t *testing.T) {
	t.Parallel()
	at := func(second int64) paging.Position {
		return paging.Position{UpdatedAt: time.Unix(second, 0).UTC(), ID: uuid.UUID{1}}
	}
	position := func(second *int64) paging.Position { return at(*second) }
	clock := at(9).UpdatedAt
	for name, c := range map[string]struct {
		rows  []int64
		after paging.Position
		clock time.Time
		want  paging.ForwardPage[int64]
	}{
		"full": {
			[]int64{5, 6, 7},
			at(4), clock,
			paging.ForwardPage[int64]{Rows: []int64{5, 6}, End: at(6), More: true, Clock: clock},
		},
		"just full": {[]int64{5, 6}, at(4), clock, paging.ForwardPage[int64]{Rows: []int64{5, 6}, End: at(6), Clock: clock}},
		"empty":     {nil, at(4), clock, paging.ForwardPage[int64]{End: at(4), Clock: clock}},
		"at clock":  {nil, at(9), clock, paging.ForwardPage[int64]{End: at(9), Clock: clock}},
		"in future": {
			nil, at(10), clock,
			paging.ForwardPage[int64]{End: paging.Position{UpdatedAt: clock, ID: uuid.Max}, Clock: clock},
		},
		"no changes": {nil, at(10), time.Time{}, paging.ForwardPage[int64]{End: paging.Beginning()}},
	} {
		require.Equal(t, c.want, paging.CutForward(c.rows, 2, c.after, c.clock, position), name)
	}
}
