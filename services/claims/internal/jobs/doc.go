// Package jobs sees to it that what follows a change is done, whatever becomes of the process that made the change.
//
// # Three nets
//
//   - The transaction of a change writes a row of steps, and jobs in River's tables beside ours: there is no change
//     without them. A job of a step is scheduled a few seconds ahead, because the request that caused it tries the step
//     itself right after the commit.
//   - A job tries its step until the row is gone. It is never given up: a step that does not succeed is snoozed, with pauses
//     that grow with its age up to ten seconds. So it is done a few seconds after the other side is back.
//   - A sweep looks for steps that are older than they should be, and for times that have passed. It needs neither River nor
//     its leader: after a kill -9 the lease of the leader runs for another fifteen seconds, and a job that the dead process
//     was at counts as running until it is rescued. The sweep of any other process, or of the next one, is faster.
//
// A step that a dead process left is therefore taken up by the sweep once it is older than any try may take, and a refund that
// it had asked for after the provider's silence. With the default settings both are less than fifteen seconds, so that twenty
// seconds after the last fault nothing is left to do.
//
// # Alarms
//
// A job for a time is an alarm clock and decides nothing. The time is a column of the claim or of the refund; anyone who is
// woken up looks at it again. So an alarm that rings twice, too early, too late or for a claim that has ended does no harm.
//
// # Traces
//
// The traceparent of the request travels in the job's metadata, so that a trace shows what became of its steps later.
package jobs
