package service

import (
	"encoding/json"
	"net/http"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/semaphore"

	"sellerapi.dev/pkg/telemetry"
)

// scrapesMost is the maximum number of concurrent scrapes. Prometheus scrapes again while an overloaded instance still works on
// earlier scrapes; without a limit the scrapes themselves would keep it busy forever.
const scrapesMost = 4

func opsHandler(ready *readiness, tel *telemetry.Telemetry) http.Handler {
	mux := http.NewServeMux()
	// Examples of traces travel in the format of OpenMetrics only.
	metrics := promhttp.HandlerFor(tel.Registry, promhttp.HandlerOpts{Registry: tel.Registry, EnableOpenMetrics: true})
	scrapes := semaphore.NewWeighted(scrapesMost)
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if !scrapes.TryAcquire(1) {
			http.Error(w, "too many concurrent scrapes", http.StatusServiceUnavailable)
			return
		}
		defer scrapes.Release(1)
		ready.report(r.Context()) // so that the gauges of readiness are current even if /readyz is never requested
		metrics.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "alive", "service": tel.Service, "version": tel.Version})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		report := ready.report(r.Context())
		status := http.StatusOK
		if report.Status != statusReady {
			status = http.StatusServiceUnavailable
		}
		writeJSON(w, status, report)
	})
	return mux
}

// writeJSON answers with body, never to be cached. Write errors are ignored: they mean that the client is gone.
func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
