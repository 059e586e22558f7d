// Package postgres gives services access to PostgreSQL: the pool and its limits, transactions that are retried, named
// statements from .sql files, filters that appear in a statement only when they were sent, migrations, and the seller clock
// that makes lists complete for pollers. Domain rules and tables belong to the services: each has its own schema and its own
// store.
//
// # The schema is the search path
//
// A service names its tables without a schema. Open and Migrate set the search path to the one schema given, so that tests run
// the same statements in schemas of their own (see pgtest), and a service cannot reach the tables of another by accident.
//
// # Limits
//
// Every session has a time-out for statements, for waiting for a lock and for idling inside a transaction, all enforced by the
// server: a client that hangs or is suspended cannot hold locks for longer. A statement whose context ends is canceled on the
// server and the connection stays usable. Since a suspended server enforces nothing, each statement also times out on the
// client shortly after its time-out, whether or not the caller's context has a deadline.
//
// # Prepared statements and connection poolers
//
// Statements are prepared once per connection and then run by name. A pooler that gives every transaction another server
// connection (PgBouncer's pool_mode transaction) breaks this, and it also drops session settings. With
// Config.TransactionPooling nothing is prepared by name and no setting is sent; the settings must then belong to the role:
// Config.RoleSettings returns the statements, and k8s/production/postgres has them for every service. Among them are the
// time-outs, app.seller, and those that the service's statements rely on (Config.Settings). A connection with another search
// path is refused. Migrations hold a session lock and need a connection that bypasses such a pooler.
//
// # The seller clock
//
// A client polls a list with "changed since the largest updated_at I have seen". With now() or clock_timestamp() as updated_at
// it loses rows: of two concurrent transactions the one with the earlier stamp may commit later, when the client has already
// passed it. TickSellers issues stamps that strictly increase per seller in commit order: it locks the seller's row until the
// commit and takes the larger of the wall clock and the last stamp plus a microsecond. If the wall clock is set back, stamps
// advance by a microsecond each and never go back.
//
// Changes of one seller therefore wait for each other. TickSellers, and SendTick for a batch with a statement that ticks,
// measure for how long; the metrics seller_clock_waiting and seller_clock_wait_seconds have the five sellers with the longest
// waits.
//
// # Moved clocks
//
// Statements take the time of a seller's business from the function seller_now, which is the wall clock. In a test environment
// MakeClocksMovable, which the command migrate runs there, replaces its body by one that adds the seller's offset from the table
// seller_offsets, and MoveSellerClock moves a seller's clock forward. Periods of a seller's records follow that clock; rate
// windows, the life of API keys and the pace of attempts follow the wall clock. A change of an order of several sellers is made
// at the latest of their times. The seller clock grows by both: a move advances it first, so that a change is either before the
// move or after it.
//
// A live instance is not ready with a database whose function is another than the plain one, or that has an offset
// (RequirePlainClocks, ErrMovedClocks). On several nodes the clocks stay fixed, and MoveSellerClock says so.
//
// # Lists from a replica
//
// A streaming replica has each commit of the primary a moment later, in the same order. Since a seller's clock grows with each
// of the seller's commits, a replica whose clock of the seller is where the primary's is, or further, has all that the primary
// had when that was read: Page asks the primary for the clock, the replica for its clock and then, in the same round trip, for
// the page. A poller misses nothing, and no client sees older rows after newer ones, wherever either came from. When the
// replica lags, is unreachable, slow or cancels the query, the primary answers after that delay; a failed replica is retried by
// one page a second.
//
// This needs a time for each commit. Citus replicates differently, so a distributed database gets no replica URL.
//
// It costs one more round trip to the primary for a row of an index, and takes the page itself off the primary. With both
// servers on one machine a page of orders has 0.86 of the throughput that it has without a replica, and the service takes 1.24
// of the CPU time (BenchmarkListReplica in the orders service); the gain is the load taken off the primary. Details, process
// calls and background work stay on the primary.
//
// # Tenant isolation
//
// Every table with a seller_id has a policy of row-level security that compares it with the setting app.seller. It is a second
// line of defence behind the conditions of the statements: a statement without its seller condition finds no rows of other
// sellers. The comments of migrations, whose checksums are recorded, call it the wall between sellers. The setting is one of
//
//   - a seller, for a transaction that OfSeller began;
//   - empty or absent, which lets all rows through: for a transaction that AllSellers began, and for sessions that are none of
//     a service's pool, such as those of migrations, of operators, and of a version from before row-level security;
//   - the nil UUID, which has no rows: the initial value in a session of Open. Through a pooler this must belong to the role,
//     like the other settings, and be given when no version from before row-level security runs any more; until then the
//     policies guard the statements of OfSeller only.
//
// Policies do not apply to superusers and roles with bypassrls, so a service must not be given one. COPY does not work with
// them. Check reports a role that is exempt, and one whose sessions do not begin with the nil UUID, as ErrUnconfined.
//
// A page of orders has 0.87 of the throughput that it has without row-level security, and 1.15 of the CPU time
// (BenchmarkRowSecurity in the orders service). Config.RowSecurity switches it off: no statement names its seller, and the
// policies let all rows through. That alone saves CPU time (1.09) and no throughput, because the policies are still evaluated;
// "alter role orders bypassrls" avoids that as well.
package postgres
