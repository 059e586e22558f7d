package paging

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// A payload is only parsed after its MAC was verified, so a hostile one never gets here. The parser must be robust
// nevertheless: a later version of the program may have signed it.
func FuzzReadPayload_anyBytes(f *testing.F) {
	scope := Scope{SellerID: "s", List: "l", Filters: map[string]string{"a": "b", "c": "d"}}
	f.Add(encodePayload(scope, Position{UpdatedAt: time.Unix(1, 0), ID: uuid.UUID{15: 7}}))
	f.Add([]byte{version, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		scope, position, ok := readPayload(raw)
		if !ok {
			return
		}
		again, samePosition, ok := readPayload(encodePayload(scope, position))
		require.True(t, ok)
		require.Equal(t, scope, again)
		require.Equal(t, position, samePosition)
	})
}

// A payload of another version, or one that is cut or extended, is refused.
func TestReadPayload_otherVersionOrLength(t *testing.T) {
	t.Parallel()
	good := encodePayload(Scope{SellerID: "s", List: "l", Filters: map[string]string{"a": "b"}}, Position{ID: uuid.UUID{15: 1}})
	_, _, ok := readPayload(good)
	require.True(t, ok)
	for n := range good {
		_, _, ok := readPayload(good[:n])
		require.False(t, ok, n)
	}
	_, _, ok = readPayload(append(good[:len(good):len(good)], 0))
	require.False(t, ok)
	good[0]++
	_, _, ok = readPayload(good)
	require.False(t, ok)
}
