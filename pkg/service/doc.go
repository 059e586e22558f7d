// Package service is the shell of every program here: command line and environment, listeners, readiness, signals and orderly
// shutdown.
//
// # Starting
//
// Main reads the configuration, reports every problem with it at once, and runs the chosen command. A setting comes from its
// flag, else from its environment variable NAME, else from the file that NAME_FILE names (as orchestrators mount secrets), else
// from its default; empty counts as not set. Defaults are defined only in the tags; package defaults applies them to
// configurations that are created in code.
//
// Run runs a complete service: it opens the common resources, calls the service's build function, and serves. RunBackend is Run
// for services behind the gateway. Both use Serve.
//
// Serve binds all listeners before it accepts on any, so that an occupied port fails the start and port 0 can be requested. It
// then reports the bound addresses (Spec.OnReady).
//
// # Being ready
//
// The operations listener answers
//
//	/livez    200 for as long as the process can answer at all
//	/readyz   200 while requests should be sent here, else 503, always naming every dependency and what is wrong with it
//	/metrics  the metrics of this instance
//
// Profiles (/debug/pprof/) have a listener of their own, if Listen gives it an address.
//
// Probes of dependencies run side by side, each with a deadline of a second, and their result is kept for a second, so that a
// dependency gets at most one probe a second, however many requests arrive. A failure is named by its class (timeout, refused,
// …) and never by the driver's text, which may hold addresses. The text is in the log: one line when a probe begins to fail,
// one when its error changes, one when it recovers.
//
// A dependency that answers but is impaired, such as a read-only database, does not change the status: the report and the gauge
// dependency_impaired name it.
//
// A dependency that has to be reached once (Check.Once) is probed from the start, even without requests to /readyz: an instance
// that has served for hours without such a request stays ready in an outage that begins then.
//
// Garbage collection is relaxed: the heap may grow to three times the live data before a collection, unless GOGC is set.
//
// # Background work
//
// Background work of a backend, sweeps and gauges, stops when the context of RunBackend ends, at the beginning of the drain;
// runs in progress are finished.
//
// # Shutdown
//
// When the context of Serve is done:
//
//  1. /readyz turns 503 "draining". Requests are still answered as before, but each answer asks its client to open a new
//     connection, so that pools of kept connections move away too.
//  2. DrainWait passes. It is the time that load balancers need to notice. Without it a restart is visible: requests that were
//     on their way meet a closed port.
//  3. Listeners close, and requests that are being answered get ShutdownTimeout to end. The remaining connections are then
//     closed.
//  4. The close functions run in reverse order, then the spans are flushed.
//  5. The operations listener closes last, so that probes and a last scrape cover the whole shutdown.
//
// The orchestrator's grace period must be longer than DrainWait + ShutdownTimeout + 10 s. A second signal kills at once.
//
// # Time-outs
//
// net/http has none by default, and one client that sends a byte a minute would hold a connection forever. Every server here
// has a time to read the header, to read the whole request, to write the answer, and to stay idle. The idle time is above that
// of the proxies in front, so that a proxy closes idle connections first and never sends on one that is being closed.
package service
