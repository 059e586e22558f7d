package apikey

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Every number has exactly one encoding, of twenty-two digits, which decodes to the number.
func TestBase62_oneSpellingForEachNumber(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "value"))
		digits := encode128(value)
		require.Equal(t, reference(value), digits)
		back, ok := decode128(digits)
		require.True(t, ok)
		require.Equal(t, value, back)
	})
}

// The smallest and largest numbers are decoded; anything out of range or of another length is refused.
func TestBase62_edgesOfTheRange(t *testing.T) {
	t.Parallel()
	largest := [16]byte{}
	for i := range largest {
		largest[i] = 0xff
	}
	for _, value := range [][16]byte{{}, {15: 1}, {0: 0x80}, largest} {
		back, ok := decode128(encode128(value))
		require.True(t, ok)
		require.Equal(t, value, back)
	}
	beyond := reversed(new(big.Int).Add(new(big.Int).SetBytes(largest[:]), big.NewInt(1)))
	for _, digits := range []string{
		"", strings.Repeat("0", 21), strings.Repeat("0", 23), strings.Repeat("z", 22), strings.Repeat("-", 22), beyond,
	} {
		_, ok := decode128(digits)
		require.False(t, ok, digits)
	}
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
func reference(value [16]byte) string { return reversed(new(big.Int).SetBytes(value[:])) }

func reversed(n *big.Int) string {
	var out strings.Builder
	base, rest := big.NewInt(62), new(big.Int)
	for range 22 {
		n, rest = new(big.Int).DivMod(n, base, rest)
		out.WriteByte(alphabet[rest.Int64()])
	}
	return out.String()
}
