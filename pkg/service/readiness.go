package service

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"sellerapi.dev/pkg/telemetry"
)

const (
	probeTimeout = time.Second
	reportLife   = time.Second
)

type state int32

const (
	stateStarting state = iota
	stateServing
	stateDraining
)

const (
	statusReady    = "ready"
	statusStarting = "starting"
	statusDraining = "draining"
	statusMissing  = "dependency missing"
)

// Report is the body of /readyz.
type Report struct {
	// Status is "ready", or the reason why the instance is not ready.
	Status string `json:"status"`
	// Checks has the state of every dependency.
	Checks []CheckReport `json:"checks"`
}

// CheckReport is the state of one dependency.
type CheckReport struct {
	Name     string `json:"name"`
	OK       bool   `json:"ok"`
	Optional bool   `json:"optional,omitempty"`
	// Error is the class of the error, empty if there is none.
	Error string `json:"error,omitempty"`
	// Impaired names the impairment of a dependency that answers, such as "read_only"; empty if there is none.
	Impaired string `json:"impaired,omitempty"`
}

type readiness struct {
	state    atomic.Int32
	probes   []*probe
	log      *slog.Logger
	up       *prometheus.GaugeVec
	impaired *prometheus.GaugeVec
	ready    prometheus.Gauge

	mu     sync.Mutex // held while probes run, so that concurrent requests share one run
	last   []CheckReport
	lastAt time.Time
}

func newReadiness(checks []Check, tel *telemetry.Telemetry) *readiness {
	r := &readiness{
		log:      tel.Logger,
		up:       tel.Gauge(telemetry.DependencyUp),
		impaired: tel.Gauge(telemetry.DependencyImpaired),
		ready:    tel.Gauge(telemetry.Ready).WithLabelValues(),
	}
	for _, check := range checks {
		r.probes = append(r.probes, &probe{check: check})
	}
	return r
}

func (r *readiness) set(s state) {
	r.state.Store(int32(s))
	if s != stateServing {
		r.ready.Set(0)
	}
}

func (r *readiness) draining() bool { return state(r.state.Load()) == stateDraining }

// report returns the report for /readyz: the present state, and results of the checks that are at most reportLife old.
func (r *readiness) report(ctx context.Context) Report {
	checks := r.checks(ctx)
	report := Report{Status: statusReady, Checks: checks}
	switch state(r.state.Load()) {
	case stateStarting:
		report.Status = statusStarting
	case stateDraining:
		report.Status = statusDraining
	case stateServing:
		for _, check := range checks {
			if !check.OK && !check.Optional {
				report.Status = statusMissing
			}
		}
	}
	r.ready.Set(boolValue(report.Status == statusReady))
	return report
}

// checks returns the last results, or new ones when they are old. Cancelling one request must not affect the result of
// the others, so the probes run under their own deadline only.
func (r *readiness) checks(ctx context.Context) []CheckReport {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last != nil && time.Since(r.lastAt) < reportLife {
		return r.last
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), probeTimeout)
	defer cancel()
	errs := make([]error, len(r.probes))
	var group sync.WaitGroup
	for n, p := range r.probes {
		group.Go(func() { errs[n] = p.run(ctx) })
	}
	group.Wait()
	results := make([]CheckReport, len(r.probes))
	for n, p := range r.probes {
		results[n] = r.result(ctx, p, errs[n])
	}
	r.last, r.lastAt = results, time.Now()
	return results
}

// result publishes what one probe found: its gauge, its log line and its part of the report.
func (r *readiness) result(ctx context.Context, p *probe, err error) CheckReport {
	impairment := impairmentOf(err)
	well := err == nil || impairment != ""
	report := CheckReport{Name: p.check.Name, OK: well, Optional: p.check.Optional, Impaired: impairment}
	if !well {
		report.Error = class(err)
	}
	r.up.WithLabelValues(p.check.Name).Set(boolValue(well))
	for _, name := range p.check.Impairments {
		r.impaired.WithLabelValues(p.check.Name, name).Set(boolValue(name == impairment))
	}
	if p.changed(err) && !r.draining() { // during the shutdown we close the dependencies ourselves
		r.tell(ctx, report, err)
	}
	return report
}

// tell logs a change with the full error text. /readyz shows only its class, because it is readable without authentication.
func (r *readiness) tell(ctx context.Context, report CheckReport, err error) {
	switch {
	case err == nil:
		r.log.InfoContext(ctx, "dependency recovered", "check", report.Name)
	case report.Impaired != "":
		r.log.WarnContext(ctx, "dependency impaired", "check", report.Name, "impairment", report.Impaired, "error", err)
	default:
		r.log.WarnContext(ctx, "dependency missing", "check", report.Name, "class", report.Error, "error", err)
	}
}

// reach probes every reportLife until each check with Once has succeeded, or ctx ends.
func (r *readiness) reach(ctx context.Context) {
	if !slices.ContainsFunc(r.probes, func(p *probe) bool { return p.check.Once }) {
		return
	}
	for r.checks(ctx); !r.reached(); r.checks(ctx) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(reportLife):
		}
	}
	r.log.InfoContext(ctx, "dependencies reached")
}

func (r *readiness) reached() bool {
	return !slices.ContainsFunc(r.probes, func(p *probe) bool { return p.check.Once && !p.reached.Load() })
}

func boolValue(on bool) float64 {
	if on {
		return 1
	}
	return 0
}
