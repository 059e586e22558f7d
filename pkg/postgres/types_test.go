package postgres

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"
)

// An id is sent as its bytes, alone and in an array, without a text in between: that would be nineteen allocations for each.
func TestRegisterTypes_uuidAsBytes(t *testing.T) { //nolint:paralleltest // it counts the allocations of the process
	types := pgtype.NewMap()
	registerTypes(types)
	id := uuid.New()
	ids := make([]uuid.UUID, 100)
	for i := range ids {
		ids[i] = id
	}
	buffer := make([]byte, 0, 4096)
	for name, c := range map[string]struct {
		oid   uint32
		value any
		most  float64
	}{
		"one":   {pgtype.UUIDOID, id, 2},
		"array": {pgtype.UUIDArrayOID, ids, 2*100 + 20},
	} {
		encoded, err := types.Encode(c.oid, pgtype.BinaryFormatCode, c.value, buffer[:0])
		require.NoError(t, err)
		require.Equal(t, id[:], encoded[len(encoded)-len(id):], name)
		allocated := testing.AllocsPerRun(10, func() {
			_, err = types.Encode(c.oid, pgtype.BinaryFormatCode, c.value, buffer[:0])
		})
		require.NoError(t, err)
		require.LessOrEqual(t, allocated, c.most, name)
	}
}
