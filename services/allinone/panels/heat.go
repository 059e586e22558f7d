package panels

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// cell is a rectangle of a heat map. Heat begins as the number of observations in a bucket at a moment, and ends as the
// square root of its share of the largest such number.
type cell struct{ X, Y, Width, Height, Heat float64 }

// bucket is a series of a histogram: the counts of what is at or below its upper bound.
type bucket struct {
	most   float64
	counts map[float64]float64
}

// buckets returns the series with the label le, lowest bound first; series with the same bound are added up.
func buckets(all []named) []bucket {
	found := map[float64]bucket{}
	for _, series := range all {
		most, err := strconv.ParseFloat(series.Labels["le"], 64)
		if err != nil {
			continue
		}
		b, ok := found[most]
		if !ok {
			b = bucket{most, map[float64]float64{}}
			found[most] = b
		}
		for _, point := range series.Points {
			b.counts[point.At] += point.Value
		}
	}
	sorted := make([]bucket, 0, len(found))
	for _, b := range found {
		sorted = append(sorted, b)
	}
	slices.SortFunc(sorted, func(a, b bucket) int { return cmp.Compare(a.most, b.most) })
	return sorted
}

// heat draws a histogram over time: a row for each bucket, a column for each moment, and the darker the more observations.
func (d *drawn) heat(all []named, shown period) {
	d.room(0)
	rows := buckets(all)
	d.Columns = shown.ticks(d.PlotWidth)
	height := share(float64(d.PlotHeight), float64(len(rows)))
	every := int(math.Ceil(share(rowDistance/2, height)))
	width := shown.x(shown.first+scrapeInterval.Seconds(), d.PlotWidth)
	hottest := 0.0
	for n, row := range rows {
		y := float64(d.PlotHeight) - float64(n+1)*height
		if n%every == 0 {
			d.Rows = append(d.Rows, tick{y, bound(row.most, d.Unit())})
		}
		for at, count := range row.counts {
			if n > 0 {
				count -= rows[n-1].counts[at]
			}
			if count > 0 {
				hottest = max(hottest, count)
				d.Cells = append(d.Cells, cell{shown.x(at, d.PlotWidth) - width, y, width, height, count})
			}
		}
	}
	for n := range d.Cells {
		d.Cells[n].Heat = math.Sqrt(d.Cells[n].Heat / hottest) // makes a few slow ones visible beside many quick ones
	}
	slices.SortFunc(d.Cells, func(a, b cell) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
}

// bound returns the text for the upper bound of a bucket.
func bound(most float64, unit string) string {
	if math.IsInf(most, 1) {
		return "∞"
	}
	return "≤ " + readable(most, unit)
}
