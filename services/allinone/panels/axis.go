package panels

import (
	"math"
	"time"
)

// tick is a position on an axis in pixels, and the text that is written there.
type tick struct {
	At   float64
	Text string
}

// The space that an axis takes, and the least distance between its ticks, in
// pixels.
const (
	axisWidth, axisHeight = 64, 18
	rowDistance           = 28
	columnDistance        = 72
)

// axis is the vertical axis: 0 is at the bottom, top is a multiple of step.
type axis struct {
	top, step float64
	unit      scale
}

// newAxis returns an axis that reaches up to highest, or to most when that is
// not 0, with as many round steps as fit into the height.
func newAxis(highest, most float64, unit string, height int) axis {
	if most != 0 {
		highest = most
	}
	if highest <= 0 {
		highest = 1
	}
	a := axis{unit: scaleOf(unit, highest)}
	a.step = round(highest/a.unit.size/math.Max(1, float64(height/rowDistance))) * a.unit.size
	a.top = math.Ceil(highest/a.step-1e-9) * a.step
	return a
}

// round returns the smallest of 1, 2, 5, 10, 20, 50 … that is not below the value.
func round(value float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(value)))
	for _, digit := range []float64{1, 2, 5} {
		if digit*power >= value*(1-1e-9) {
			return digit * power
		}
	}
	return 10 * power
}

// y returns the position of a value; a value beyond the axis is drawn at its end.
func (a axis) y(value float64, height int) float64 {
	return float64(height) * (1 - min(max(value/a.top, 0), 1))
}

// ticks returns the ticks of the axis, from the bottom up.
func (a axis) ticks(height int) []tick {
	steps := int(math.Round(a.top / a.step))
	all := make([]tick, steps+1)
	for n := range all {
		value := float64(n) * a.step
		all[n] = tick{a.y(value, height), a.unit.text(value)}
	}
	return all
}

// period is the range of the horizontal axis, in seconds since 1970.
type period struct{ first, last float64 }

// x returns the position of a moment.
func (p period) x(at float64, width int) float64 {
	return share(at-p.first, p.last-p.first) * float64(width)
}

// pauses are the possible distances between ticks in seconds.
var pauses = []float64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600}

// ticks returns the ticks of the axis, from left to right, at full seconds or
// minutes.
func (p period) ticks(width int) []tick {
	pause, form := pauses[len(pauses)-1], "15:04"
	for _, possible := range pauses {
		if (p.last-p.first)/possible*columnDistance <= float64(width) {
			pause = possible
			break
		}
	}
	if pause < 60 {
		form = "15:04:05"
	}
	var all []tick
	for at := math.Ceil(p.first/pause) * pause; at <= p.last; at += pause {
		all = append(all, tick{p.x(at, width), time.Unix(int64(at), 0).UTC().Format(form)})
	}
	return all
}

// share returns part divided by whole, or 0 when whole is not positive.
func share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}
