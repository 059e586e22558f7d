package paging

import (
	"encoding/binary"
	"math"

	"github.com/google/uuid"
)

// NumberID spells the number of a row as the id of a position, for lists whose rows are numbered.
func NumberID(number int64) (id uuid.UUID) {
	binary.BigEndian.PutUint64(id[8:], uint64(number)) //nolint:gosec // the bits are those of the number
	return id
}

// Number is the number that an id spells; the largest id spells the largest number.
func Number(id uuid.UUID) int64 {
	return int64(binary.BigEndian.Uint64(id[8:]) & math.MaxInt64) //nolint:gosec // the sign is cut off
}
