// Package launch starts private PostgreSQL and Redis servers on free loopback ports,
// for the whole stack on one machine and for tests that need real servers, and a
// Prometheus that reads the metrics of the stack. It owns server processes and their
// directories, not the data stored in them. Other runs any other server in the same way,
// and Start any other program. PostgresCluster and PooledCluster start a PostgreSQL
// over several nodes, which needs the extension Citus.
//
// # Who runs the servers
//
// PostgreSQL refuses to run as root. Started by root, both servers therefore run as an
// unprivileged user (postgres or redis, else nobody); started by any other user they
// run as that user. The unprivileged user cannot enter a directory below a closed home
// directory; the data is then kept below /var/tmp under a name derived from the
// requested directory, so that the next start finds it again. Forget removes both.
//
// # Access
//
// Other users of the machine can reach a loopback port, and process arguments are
// public. Each directory therefore holds a random password, which is read from files
// of mode 0600 and is passed on only in Server.URL. There are no unix sockets: their
// permissions and path length limits would be a second mechanism to get right.
//
// # How they end
//
// A server ends with Stop, and also when the process that started it ends for whatever
// reason: the kernel signals the server (Linux only). That signal is tied to the
// thread that started the child, not to the process, so each child is started and
// awaited on a thread of its own. Servers are put into process groups of their own: a
// Ctrl-C in the terminal reaches the stack, which drains first and stops its servers
// last.
//
// # Why a directory is never used twice at once
//
// Each directory is guarded by two flocks, named lock and claim. The server inherits
// the lock, which is thus held until the last process that uses the data has ended,
// even after the starting process was killed. A process that acquires it knows that a
// leftover postmaster.pid is stale, even when its process id has since been reused.
// The claim is held by the starting process only. It is kept while the server is dead
// and about to be started again, so that no other process takes the directory in
// between.
package launch
