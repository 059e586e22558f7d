// Package panels checks the dashboards of the chart against the running system: Prometheus scrapes the four services while
// a marketplace and its sellers are busy, and every expression of every panel has to return data. An expression without
// data is worse than none: the panel stays empty, which looks like no activity.
//
// The same run draws the dashboards, because Grafana is not available everywhere: `make preview` draws a picture of each
// from Prometheus' answers. The pictures show figures, positions, units and colours as the files specify; they do not claim
// to look like Grafana's.
// to be Grafana's.
package panels
