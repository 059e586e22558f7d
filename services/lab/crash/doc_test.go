// Package crash proves that a claim survives every crash. It runs the binaries of the claims and the orders service as separate
// processes on a real PostgreSQL, interrupts their communication at a chosen call, kills and restarts processes, and checks the
// state of both services once nothing is left to do.
//
// # Where faults are injected
//
// Between its commits a claim is carried on by calls alone: from the client to claims, from claims to orders, from claims to
// the refund provider. All of them pass the proxy (proxy_test.go), which knows the claim and the call of each request and can
// hold it before it is executed, or after it was executed and before its response is sent. Nothing else happens to the claim
// while it is held, so that a process that is killed then dies between exactly these two steps, on a slow machine as on a fast
// one. A separate test checks that the table of actions names every call that an action makes; another one kills a process
// where no call is made, between the last commit of an action and the recording of its answer.
//
// # What is tried
//
// Every action of the table (actions_test.go) at every one of its calls with every fault of the other table (faults_test.go):
// the death of either process or of both before the call and before the response, a call or a response that is lost, a call
// that is executed twice, a client that asks again meanwhile. The claims of one fault share two processes and one death, so
// that everything that can be in progress is in progress when it comes.
//
// # A client at the gateway
//
// Another system is a gateway with the published limits, orders, and a Redis, each of which dies during a call
// (entrance_test.go). A client that waits as the answers say gets its answer within ten seconds after the process is back, for
// four calls (retry_test.go).
//
// # A copy at a client
//
// The last system is whole: all services, a gateway, a Redis (whole_test.go). Programs that keep a copy of a seller's records
// follow its lists (copies_test.go), one of them when a webhook tells it to. They are killed between any two pages, their
// connections are cut, they are refused, and every process behind them dies, while the records change. At rest their copies
// equal what the lists return.
//
// # A reader of changes
//
// The same system has a reader that is a process too (reader_test.go): it keeps copies of all lists by reading them forwards, and
// stores each page together with the position after it. Among 32 writers it is killed, each service is killed, and the clock of
// the database is set back; in the end its copies equal full reads, field by field.
//
// # What must hold
//
// Twenty seconds after a fault no step is pending, with the default settings of the claims service. The client receives nothing
// but the first answer or an invitation to retry. A client that reads claims and orders all the time never sees a claim that
// contradicts its order (package agreementtest). In the end claim, order, refund, ledger and provider agree, quantities and
// amounts add up, and everything happened once (idle_test.go).
package crash
