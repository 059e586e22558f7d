// Package service is the framework of every program here: command line and environment, listeners, readiness, signals and orderly
// shutdown.
//
// # Starting
//
// Main reads the configuration, reports every problem with it at once, and runs the chosen command. A setting comes from
// its flag, else from its environment variable NAME, else from the file that NAME_FILE names (as orchestrators mount
// secrets), else from its default; empty counts as not set. Defaults are defined only in the tags; package defaults applies
// them to configurations that are created in code.
//
// Run runs a complete service: it opens the common resources, calls the service's build function, and serves. RunBackend is
// Run for services behind the gateway. Both use Serve.
//
// Serve binds all listeners before it accepts on any, so that a port in use fails the start and port 0 can be used. It then
// reports the actual addresses (Spec.OnReady).
//
// # Being ready
//
// The operations listener answers
//
//	/livez    200 for as long as the process can answer at all
//	/readyz   200 while requests should be sent here, else 503, always naming every dependency and what is wrong with it
//	/metrics  the metrics of this instance
//	/debug/pprof/
//
// Probes of dependencies run concurrently, each with a deadline of a second, and their results are cached for a second, so
// that a dependency gets at most one probe a second. A failure is reported by its class (timeout, refused, …) and never by the
// driver's text, which may contain addresses. The text is logged: one line when a probe starts to fail, one when the error
// changes, one when it succeeds again.
//
// A dependency that answers but is impaired, such as a database that does not accept writes, does not change the status: the
// report and the gauge dependency_impaired name the impairment.
//
// A dependency that has to be reached once (Check.Once) is probed from the start, even without requests to /readyz, so that an
// instance that has been serving for hours stays ready in an outage.
//
// The garbage collector is relaxed: garbage may grow to three times the live heap before a collection, unless GOGC is set.
//
// # Background work
//
// The background work of a backend, sweeps and gauges, stops when the context of RunBackend is done, at the beginning of the
// drain; items in progress are completed.
//
// # Shutdown
//
// When the context of Serve is done:
//
//  1. /readyz answers 503 "draining". Requests are still served, but each response asks the client to close its connection, so
//     that kept-alive connections move away too.
//  2. DrainWait passes, the time that load balancers need to notice. Without it a restart is visible: requests in transit find
//     a closed port.
//  3. Listeners close, and requests in progress get ShutdownTimeout to complete. The remaining ones are cut off.
//  4. The close functions run in reverse order, then the spans are flushed.
//  5. The operations listener closes last, so that probes and a last scrape cover the whole shutdown.
//
// The orchestrator's grace period must be longer than DrainWait + ShutdownTimeout + 10 s. A second signal kills at once.
//
// # Time-outs
//
// net/http has none by default, so a client that sends a byte a minute would keep a connection forever. Every server here has
// time-outs for reading the header, reading the whole request, writing the response, and being idle. The idle time-out is longer
// than that of the proxies in front, so that they close idle connections, and never we while they send a request.
package service
