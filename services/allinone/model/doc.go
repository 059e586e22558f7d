// Package model is the whole system as the specification of the interface describes it: orders, lines, claims, refunds, points
// and inquiries of one seller, and what sellers, customers, operators and the payment provider do to them. It imports nothing
// of the services, so that what it says is said a second time and not copied.
//
// # How it is used
//
// [Model.Apply] does one operation and returns what it must be answered with; the views say what every record must look like.
// Ids and times, which the system chooses, are symbols ([ItemID], [At]) that the driver in package drive learns and compares.
// [Model.Play] does the operations of a round in one order, for a driver that looks for an order in which all answers fit.
// [Generator] makes operations up, [Shrink] leaves out those that a failure does not need.
//
// # What is atomic
//
// An operation is one step, but for what has several at the order's side or the payment provider's: a claim may be seen in
// refund_processing, or reshipping with its parcel, before it is completed, by operations at the same time (a slow round).
//
// # Where the words of the interface leave a choice
//
//   - Fees are taken off the goods of a refund, off their money first; shipping goes back as it was paid. So it makes no
//     difference which of several claims gives the shipping back.
//   - The points of cheaper goods that an exchange does not give back pay for dearer goods of the same exchange.
//   - A line is not corrected from the moment that its claim's refund, or its exchange, is decided.
package model
