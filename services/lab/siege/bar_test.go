package siege

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The verdict is an error when one bar is missed, and the table shows which; a figure that could not be
// measured counts as missed.
func TestVerdict(t *testing.T) {
	t.Parallel()
	held := bar{what: "held", control: 100, attack: 149, measure: ratio, most: 1.5}
	for name, c := range map[string]struct {
		bar  bar
		fine bool
	}{
		"ratio met":           {held, true},
		"ratio missed":        {bar{control: 100, attack: 151, measure: ratio, most: 1.5}, false},
		"figure met":          {bar{control: 100, attack: 32, measure: figure, most: 32}, true},
		"figure missed":       {bar{attack: 1, measure: figure, most: 0}, false},
		"figure not measured": {bar{attack: math.NaN(), measure: figure, most: 1}, false},
		"no limit":            {bar{control: 1, attack: 100, measure: ratio, barless: true}, true},
	} {
		var out bytes.Buffer
		err := verdict(&out, []bar{held, c.bar})
		if c.fine {
			require.NoError(t, err, name)
			require.NotContains(t, out.String(), "MISSED", name)
			continue
		}
		require.ErrorIs(t, err, ErrMissed, name)
		require.Contains(t, out.String(), "MISSED", name)
	}
}

// The worst bodies are valid JSON of nearly the requested size, so that a server reads each to its end.
func TestWorstBodies(t *testing.T) {
	t.Parallel()
	const size = 256 * kib
	for _, body := range worstBodies(size) {
		require.True(t, json.Valid(body), string(body[:32]))
		require.LessOrEqual(t, len(body), size)
		require.Greater(t, len(body), size*3/4, string(body[:32]))
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	require.Equal(t, 3, median([]int{5, 1, 3, 2, 4}))
	require.Equal(t, 5, quantile([]int{5, 1, 3, 2, 4}, 1))
}
