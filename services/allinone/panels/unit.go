package panels

import (
	"math"
	"strconv"
)

// scale is one size of a unit, such as milliseconds.
type scale struct {
	size   float64
	suffix string
}

// scales are the sizes of the Grafana units that are used, largest first.
var scales = map[string][]scale{
	"s":           {{86400, " d"}, {3600, " h"}, {60, " min"}, {1, " s"}, {1e-3, " ms"}, {1e-6, " µs"}},
	"bytes":       {{1 << 30, " GiB"}, {1 << 20, " MiB"}, {1 << 10, " KiB"}, {1, " B"}},
	"percentunit": {{.01, " %"}},
	"reqps":       {{1, " req/s"}},
	"ops":         {{1, " ops/s"}},
	"short":       {{1e6, " M"}, {1e3, " k"}, {1, ""}},
}

// scaleOf returns the size in which a value is written: the largest one that the value reaches,
// else the smallest.
func scaleOf(unit string, value float64) scale {
	sizes := scales[unit]
	if len(sizes) == 0 {
		return scale{1, ""}
	}
	for _, s := range sizes {
		if math.Abs(value) >= s.size {
			return s
		}
	}
	return sizes[len(sizes)-1]
}

// text returns a value in this size.
func (s scale) text(value float64) string {
	return strconv.FormatFloat(value/s.size, 'g', 4, 64) + s.suffix
}

// readable returns a value with its unit.
func readable(value float64, unit string) string {
	if value == 0 {
		return "0"
	}
	return scaleOf(unit, value).text(value)
}
