package size

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Bytes is a number of bytes that people write and read, such as 500GiB.
type Bytes int64

// units are powers of 1024 and of 1000.
var units = []struct {
	name string
	size float64
}{
	{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
	{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}, {"", 1},
}

// binary is the number of units that are powers of 1024; figures are printed in
// these.
const binary = 4

// UnmarshalText reads a positive number with or without a unit.
func (b *Bytes) UnmarshalText(text []byte) error {
	for _, unit := range units {
		number, ok := strings.CutSuffix(string(text), unit.name)
		if !ok {
			continue
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if value *= unit.size; err != nil || !(value >= 1 && value < math.MaxInt64) {
			break
		}
		*b = Bytes(value)
		return nil
	}
	return fmt.Errorf("%q is not a number of bytes such as 500GiB, 2TB or 1073741824", text)
}

// String returns the number with three digits and a unit.
func (b Bytes) String() string { return readable(float64(b)) }

// readable returns a number of bytes with a unit.
func readable(bytes float64) string {
	for _, unit := range units[:binary] {
		if bytes >= unit.size {
			value := bytes / unit.size
			return fmt.Sprintf("%.*f %s", digits(value), value, unit.name)
		}
	}
	return fmt.Sprintf("%.0f B", bytes)
}

// digits returns the number of decimals of a figure with three digits.
func digits(value float64) int {
	switch {
	case value < 9.995:
		return 2
	case value < 99.95:
		return 1
	}
	return 0
}
