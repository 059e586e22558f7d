// Package panels checks the dashboards of the chart against the running system: Prometheus scrapes the services and the console
// while a marketplace, its sellers and their people are busy, and every expression of every panel has to return data. An
// expression without data is worse than none: the panel stays empty, which looks like no activity.
package panels
