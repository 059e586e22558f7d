package apikey

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Every number has exactly one encoding, of twenty-two digits.
func TestBase62_oneSpellingForEachNumber(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "value"))
		require.Equal(t, reference(value), encode128(value))
	})
}

// Random digits use the whole alphabet evenly.
func TestRandomDigits_uniform(t *testing.T) {
	t.Parallel()
	const draws = 62 * 2000
	counts := map[rune]int{}
	for _, digit := range randomDigits(draws) {
		counts[digit]++
	}
	require.Len(t, counts, 62)
	for digit, count := range counts {
		require.InDelta(t, 2000, count, 400, "digit %c", digit) // nine standard deviations
	}
}

// reference is the slow implementation with which the fast one must agree.
func reference(value [16]byte) string {
	n := new(big.Int).SetBytes(value[:])
	var out strings.Builder
	base, rest := big.NewInt(62), new(big.Int)
	for range 22 {
		n, rest = new(big.Int).DivMod(n, base, rest)
		out.WriteByte(alphabet[rest.Int64()])
	}
	return out.String()
}
