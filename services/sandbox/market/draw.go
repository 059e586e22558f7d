package market

import (
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/google/uuid"
)

// draw is the source of randomness of one generated thing: an order, a seller, a product.
type draw struct{ *rand.Rand }

// Each thing has a source of its own, so that generating one more never changes another.
func newDraw(seed uint64, kind string, number int) draw {
	high, low := scatter(seed), uint64(number) //nolint:gosec // a number, not an amount
	for _, letter := range []byte(kind) {
		high = scatter(high ^ uint64(letter))
	}
	return draw{rand.New(rand.NewPCG(high, scatter(low)))} //nolint:gosec // made-up data must be repeatable
}

// scatter mixes the bits of x (the finaliser of splitmix64); it is a bijection.
func scatter(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// between draws a duration in [from, to), to the microsecond.
func (d draw) between(from, to time.Duration) time.Duration {
	if to <= from {
		return from
	}
	return (from + time.Duration(d.Int64N(int64(to-from)))).Truncate(time.Microsecond)
}

// price draws a price in won from low to about high, small ones more often, of the form that
// shops prefer: 12,900.
func (d draw) price(low, high int64) int64 {
	span := math.Log(float64(high) / float64(low))
	won := float64(low) * math.Exp(span*d.Float64()*d.Float64())
	return max(low, int64(won)/1000*1000+900)
}

// pattern fills in a pattern: @ becomes a digit 1-9, # a digit 0-9, other characters stay.
func (d draw) pattern(text string) string {
	if !strings.ContainsAny(text, "@#") {
		return text
	}
	made := []byte(text)
	for i, letter := range made {
		switch letter {
		case '@':
			made[i] = '1' + byte(d.IntN(9))
		case '#':
			made[i] = '0' + byte(d.IntN(10))
		}
	}
	return string(made)
}

// uuid returns an id of version 7, which begins with the time: rows that are filled in together
// are therefore close together in the indexes, like those of a real marketplace.
func (d draw) uuid(at time.Time) uuid.UUID {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], d.Uint64())
	binary.BigEndian.PutUint64(id[8:], d.Uint64())
	milliseconds := uint64(at.UnixMilli()) //nolint:gosec // times here lie after 1970
	var front [8]byte
	binary.BigEndian.PutUint64(front[:], milliseconds<<16)
	copy(id[:6], front[:6])
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id
}

func pick[T any](d draw, table weighted[T]) T {
	return table.rows[table.find(d.IntN(table.total()))]
}

func one[T any](d draw, from []T) T { return from[d.IntN(len(from))] }

// bytes returns the draw as an io.Reader, for functions that generate ids.
func (d draw) bytes() io.Reader { return reader{d} }

type reader struct{ draw }

func (r reader) Read(into []byte) (int, error) {
	for i := range into {
		into[i] = byte(r.Uint64())
	}
	return len(into), nil
}
