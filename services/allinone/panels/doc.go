// Package panels checks the dashboards of the chart against the running system: Prometheus scrapes the four services while a
// marketplace and its sellers are busy, and every expression of every panel has to return data. An expression without
// data is worse than none: the panel stays empty, which reads as no activity.
//
// The same run draws the dashboards, because Grafana cannot be had everywhere: `make preview` writes a picture of each
// with what Prometheus answered. The pictures show figures, places, units and colours as the files say; they do not claim
// to be Grafana's.
package panels
