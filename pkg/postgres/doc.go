// Package postgres is the PostgreSQL access layer of the services: the pool and
// its limits, transactions with retries, named statements from .sql files,
// filters that appear in a statement only when they are set, migrations, and the
// seller clock that makes lists complete for pollers. It has no business rules
// and tables; each service has its own schema and store.
//
// # The schema is the search path
//
// A service names its tables without a schema. Open and Migrate set the search
// path to the one schema given, so that tests run the same statements in schemas
// of their own (see pgtest), and a service cannot reach the tables of another by
// accident.
//
// # Limits
//
// Every session has a time-out for statements, for waiting for a lock and for
// idling inside a transaction, all enforced by the server: a client that hangs
// cannot hold locks for longer. A statement whose context is done is canceled on
// the server, and the connection remains usable. Since a server that hangs cannot
// enforce anything, each statement also ends on our side shortly after its
// time-out, whether or not the caller's context has a deadline.
//
// # Prepared statements and connection poolers
//
// Statements are prepared once per connection and then run by name. A pooler
// that gives every transaction another server connection (PgBouncer's pool_mode
// transaction) breaks this, and it also drops session settings. With
// Config.TransactionPooling nothing is prepared by name and no setting is sent;
// the settings must then belong to the role:
//
//	alter role orders set search_path = orders;
//	alter role orders set statement_timeout = '5s';
//	alter role orders set lock_timeout = '3s';
//	alter role orders set idle_in_transaction_session_timeout = '5s';
//	alter role orders set app.seller = '00000000-0000-0000-0000-000000000000';
//
// A connection with another search path is refused. Migrations hold a session lock and
// need a connection that bypasses such a pooler.
//
// # The seller clock
//
// A client polls a list with "changed since the largest updated_at I have
// seen". With now() or clock_timestamp() as updated_at it loses rows: of two
// concurrent transactions the one with the earlier time may commit later, when
// the client has already read past it. TickSellers returns times that are
// strictly increasing per seller in the order of commit: it locks the seller's
// row until the commit and takes the larger of the wall clock and the last time
// plus a microsecond. If the wall clock is set back, the seller's time therefore
// still increases, by a microsecond per commit.
//
// # Lists from a replica
//
// A streaming replica applies the commits of the primary shortly after, in the same order. Since a seller's clock advances with each
// of the seller's commits, a replica whose clock for the seller is not behind the primary's has everything that the primary had when
// its clock was read. Page reads the clock from the primary, then the clock and, in the same round trip, the page from the replica. A
// poller misses nothing and never sees older rows after newer ones, whichever server they came from. A replica that lags, is
// unreachable or slow, or cancels the page costs time, and the primary serves the page; a failed replica is retried once a second.
//
// This needs a time for each commit. Citus has replicas of another kind: there a distributed database gets no URL of a replica.
//
// It costs one more round trip to the primary for a row of an index, and takes the page itself off the primary. With both servers on one
// machine a page of orders has 0.86 of the throughput that it has without a replica, and the service takes 1.24 of the CPU time
// (BenchmarkListReplica in the orders service); the gain is the load taken off the primary. Details, process calls and background
// work stay on the primary.
//
// # Tenant isolation
//
// Every table with a seller_id has a row-level security policy that compares it with the setting app.seller. It is a second line of
// defence behind the conditions of the statements: a statement without its seller condition finds no rows of other sellers.
// The comments of migrations, which must not change, call it the wall between sellers.
// The setting is one of
//
//   - a seller, for a transaction that OfSeller began;
//   - empty or absent, which makes all rows visible: for a transaction that AllSellers began, and for sessions outside a service's
//     pool, such as those of migrations, of operators, and of a version from before row-level security;
//   - the nil UUID, which has no rows: the initial value in sessions of Open. With a pooler it must be a setting of the role, as
//     shown above, to be made when no version from before row-level security runs any more; until then the policies protect only the
//     statements of OfSeller.
//
// Policies do not apply to superusers and roles with bypassrls, so a service must not use one. COPY does not work with policies.
//
// A page of orders has 0.87 of the throughput that it has without row-level security, and 1.15 of the CPU time (BenchmarkRowSecurity
// in the orders service). Config.RowSecurity switches it off: the setting is not sent, and the policies make all rows visible. That
// alone saves CPU time (1.09) but no throughput, because the policies are still evaluated; "alter role orders bypassrls" avoids that
// as well.
package postgres
