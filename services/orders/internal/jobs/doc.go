// Package jobs does what the service does by itself: it confirms purchases when their time has come, on River, whose tables
// lie in the service's schema.
//
// # The column decides, the job only wakes up
//
// When a purchase is confirmed by itself stands on the line (auto_confirm_at). Whatever sets that time, a delivery, a
// correction, a claim that ended, sets an alarm for it in the same transaction. An alarm looks at the order as it is then: a
// line whose deadline has moved, or that a claim holds, is left alone, and its own alarm is on its way. So alarms may come
// twice, late, or for nothing.
//
// # The sweep
//
// Every minute one instance looks for lines whose time has come, by the index of the deadlines. It finds what came in with a
// past, and would find everything if all alarms were lost; River elects the instance and starts the sweep.
//
// # Failures
//
// An order that cannot be confirmed keeps nobody else waiting: it is logged, its alarm is tried again by River, and so is the
// order by the next sweep. A database that is away stops the jobs and nothing else.
package jobs
